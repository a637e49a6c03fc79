/// As whom a worker runs.
package struct WorkerIdentity: Sendable, Equatable {
    package enum Kind: UInt8, FramePart, Sendable {
        /// As the host, which is an ordinary user.
        case host
        /// A user of the application's own, who owns nothing else. The host is root.
        case own
        /// A user of the machine, with his groups. The host is root.
        case account
    }

    package let kind: Kind
    /// 0 for `.host`; of an account it may be 0 as well.
    package let user: UInt32
    package let group: UInt32
    /// Supplementary groups.
    package let groups: [UInt32]
    /// The name of an account, and of the host's user where nothing confines; else empty.
    package let name: String

    /// - Parameter name: of the host's user, where nothing confines.
    package static func host(named name: String = "") -> WorkerIdentity {
        WorkerIdentity(kind: .host, user: 0, group: 0, groups: [], name: name)
    }

    /// A user of the application's own, with a group of the same number.
    package static func own(_ user: UInt32) -> WorkerIdentity {
        WorkerIdentity(kind: .own, user: user, group: user, groups: [], name: "")
    }

    package static func account(_ name: String, user: UInt32, group: UInt32, groups: [UInt32]) -> WorkerIdentity {
        WorkerIdentity(kind: .account, user: user, group: group, groups: groups, name: name)
    }

    private init(kind: Kind, user: UInt32, group: UInt32, groups: [UInt32], name: String) {
        self.kind = kind
        self.user = user
        self.group = group
        self.groups = groups
        self.name = name
    }
}

extension WorkerIdentity: FramePart {
    package func write(to frame: inout FrameWriter) { frame.write(kind, user, group, groups, name) }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        (kind, user, group, groups, name) = try frame.read()
    }
}
