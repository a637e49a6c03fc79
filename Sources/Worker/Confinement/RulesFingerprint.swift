import Linux

/// The files of a ruleset. A Landlock rule applies to a file, not to a path: when a file is replaced by another of the same
/// name, the rules must be created again.
struct RulesFingerprint: Equatable {
    private struct Mark: Equatable {
        var device: UInt64 = 0
        var inode: UInt64 = 0
        /// For folders whose entries matter: the last change.
        var modified: Int64 = 0

        init(_ facts: FileSystem.Facts?, isListed: Bool = false) {
            guard let facts else { return }
            (device, inode) = (facts.device, facts.inode)
            if isListed { modified = facts.modified }
        }
    }

    private var marks: [Mark] = []

    /// - Parameters:
    ///   - paths: files and folders that rules name; absent ones count as such.
    ///   - listed: folders from which rules were made for single entries.
    ///   - descriptor: a file that a rule names by descriptor, or -1.
    init(paths: [String], listed: [String], descriptor: Int32) {
        marks.reserveCapacity(paths.count + listed.count + 1)
        for path in paths { marks.append(Mark(try? FileSystem.followedFacts(of: path))) }
        for path in listed { marks.append(Mark(try? FileSystem.followedFacts(of: path), isListed: true)) }
        if descriptor >= 0 { marks.append(Mark(FileSystem.facts(lent: descriptor))) }
    }
}
