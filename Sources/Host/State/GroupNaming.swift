/// The name under which a state folder's control groups stand: the same at every start, so that a new host finds what a
/// dead one left.
package enum GroupNaming {
    package static func parent(of stateFolder: String) -> String {
        "taskhost-" + String(number(of: stateFolder), radix: 16)
    }

    /// A number that stands for the folder: FNV-1a, stable over builds and machines, unlike Swift's seeded hashes.
    static func number(of stateFolder: String) -> UInt64 {
        stateFolder.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
