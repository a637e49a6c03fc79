import Linux
package import TaskModel

/// Files that a program says it was refused. Its words are all that is known: the user may lack the right as well, so it is a guess.
package enum GuessedDenial {
    /// At most so many are named of a run.
    static let most = 4
    /// Bytes of its errors that are looked through: the last ones.
    static let mostBytes = 4 << 10

    /// What shells, the system's programs and Python say of refused files, each once.
    ///
    /// - Parameter exitStatus: 126 when a shell could not execute its last command (sh(1p), "Exit status for commands").
    package static func all(in errors: String, exitStatus: Int32?) -> [Denial] {
        var found: [Denial] = []
        let lines = errors.split(whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where line.contains("Permission denied") {
            guard let path = path(in: line) else { continue }
            let isLast = index == lines.indices.last
            let denial = Denial(isLast && exitStatus == 126 ? .execute : access(in: line), path, .guessed)
            if !found.contains(denial) { found.append(denial) }
        }
        return Array(found.suffix(most))
    }

    /// What the system's programs say of rights over others' files, which root has only by a capability while it is confined.
    package static func capabilities(in errors: String) -> [Capability] {
        let refused = errors.split(whereSeparator: \.isNewline).filter { $0.contains("Operation not permitted") }
        let words: [(Capability, [String])] = [
            (.chown, ["chown", "chgrp", "ownership", "change owner", "change group"]),
            (.fowner, ["chmod", "permissions of", "set times", "setting times", "utime", "change mode"]),
        ]
        return words.filter { entry in refused.contains { line in entry.1.contains { line.contains($0) } } }.map(\.0)
    }

    package static func sentence(lacking capability: Capability) -> String {
        let what =
            capability == .chown
            ? "change the owner of a file" : "change the mode or the times of a file of another user"
        return "denied: \(what); permissions.capabilities, \(capability.rawValue) (guessed from what it printed)"
    }

    private static func access(in line: Substring) -> Denial.Access {
        let words = [
            "creat", "write", "writing", "touch", "remov", "unlink", "mov", "renam", "mkdir", "delet", "truncat",
        ]
        return words.contains { line.contains($0) } ? .write : .read
    }

    /// The last absolute path before the reason, or after it as Python has it; in quotes, or between blanks and a colon.
    private static func path(in line: Substring) -> String? {
        let parts = line.split(separator: "Permission denied", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.compactMap { paths(in: $0).last }.last
    }

    private static func paths(in text: Substring) -> [String] {
        let ends: Set<Character> = ["'", "\"", "‘", "’", "`", ":", " "]
        return text.split(whereSeparator: ends.contains)
            .filter { $0.hasPrefix("/") && $0.count > 1 && $0.utf8.count <= Denial.longestPlace }.map(String.init)
    }
}

extension Permissions {
    /// A grant covers it already, so that something else refused it.
    package func covers(_ denial: Denial) -> Bool {
        let grants =
            switch denial.access {
            case .read: read + write + execute
            case .write: write
            case .execute: execute
            case .network, .sockets, .ping, .attributes, .call: [String]()
            }
        return grants.contains { GrantResolver.lies(denial.place, in: $0) }
    }
}
