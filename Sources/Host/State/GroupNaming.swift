/// The name under which a state folder's control groups stand: the same at every start, so that a new host finds what a
/// dead one left.
package enum GroupNaming {
    package static func parent(of stateFolder: String) -> String {
        // FNV-1a: stable over builds and machines, unlike Swift's seeded hashes.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in stateFolder.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "taskhost-" + String(hash, radix: 16)
    }
}
