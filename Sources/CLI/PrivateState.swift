import Linux

/// The state of a `run --manifests` next to a daemon, which has other manifests: a folder for each such set of manifests, so
/// that a plugin finds its files again.
enum PrivateState {
    /// Names of files have 255 bytes at most.
    private static let longestName = 200

    /// The folders of commands that run while the state folder has another host, in the order in which they are tried.
    ///
    /// - Parameter state: that folder; theirs are next to it.
    static func folders(ofCommandsBeside state: String) -> [String] {
        (1...mostCommands).map { "\(state)-private/commands\($0 == 1 ? "" : "-\($0)")" }
    }

    /// The folder of tasks whose permissions are learned.
    ///
    /// - Parameter state: the state folder; theirs is next to it.
    static func folder(ofLearningBeside state: String) -> String { "\(state)-private/learn" }

    /// Commands that can run at once beside it.
    private static let mostCommands = 64

    /// - Parameter state: the daemon's folder; ours is next to it.
    static func folder(beside state: String, for manifests: [String]) -> String {
        let names = manifests.map { path in
            (FileSystem.realPath(path) ?? path).split(separator: "/").joined(separator: "-")
        }
        let name = String(decoding: names.joined(separator: "+").utf8.suffix(longestName), as: UTF8.self)
        return "\(state)-private/\(name)"
    }
}
