package import Linux

/// The name of a state folder's control groups: the same at every start, so that a new host finds those of a dead one.
/// Different folders with the same path, as in containers with one tree of groups, have different names.
package enum GroupNaming {
    /// - Parameter stateFolder: absolute, without links, and there.
    package static func parent(of stateFolder: String) throws(SystemError) -> String {
        let facts = try FileSystem.facts(ofPath: stateFolder)
        return "taskhost-" + String(number(of: "\(stateFolder)\0\(facts.device):\(facts.inode)"), radix: 16)
    }

    /// A number for a name: FNV-1a, stable across builds and machines, unlike Swift's seeded hashes.
    static func number(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
