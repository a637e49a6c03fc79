/// Something that confinement refused a run.
package struct Denial: Hashable, Sendable {
    /// What was refused. The numbers are sent on the wire.
    package enum Access: UInt8, CaseIterable, Sendable {
        case execute = 1
        case write = 2
        case read = 3
        case network = 4
        case sockets = 5
        case attributes = 6
        /// A system call that no permission allows.
        case call = 7

        /// The key of `permissions` that allows it.
        package var permission: String? { self == .call ? nil : "\(self)" }
    }

    /// How it is known.
    package enum Source: Sendable {
        /// By the kernel: Landlock's records in its audit log.
        case recorded
        /// From the program's calls: what its rules do not cover, and its user's own rights would have allowed.
        case derived
        /// From the program's words.
        case guessed
    }

    package var access: Access
    /// An absolute path, an address, or the name of a call.
    package var place: String
    package var source: Source

    package init(_ access: Access, _ place: String, _ source: Source) {
        self.access = access
        self.place = place
        self.source = source
    }

    /// PATH_MAX of path_resolution(7).
    package static let longestPlace = 4095

    /// Those first that explain most: a program that cannot be executed weighs more than a name service that is not asked. Of equal
    /// weight, in the order given.
    package static func byWeight(_ denials: [Denial]) -> [Denial] {
        Access.allCases.flatMap { access in denials.filter { $0.access == access } }
    }

    package var sentence: String {
        let what =
            switch access {
            case .execute, .write, .read: "\(access) \(place)"
            case .network, .sockets: "connect to \(place)"
            case .attributes: "change mode, owner or times of \(place)"
            case .call: place
            }
        let permission = access.permission.map { "permissions.\($0)" } ?? "no permission allows it"
        let mark =
            switch source {
            case .recorded: "recorded by the kernel"
            case .derived: "derived from its calls"
            case .guessed: "guessed from what it printed"
            }
        return "denied: \(what); \(permission) (\(mark))"
    }
}
