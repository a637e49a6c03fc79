/// Something that confinement refused a run.
package struct Denial: Hashable, Sendable {
    /// What was refused. The numbers are sent on the wire.
    package enum Access: UInt8, CaseIterable, Sendable {
        case execute = 1
        case network = 4
        case sockets = 5
        case ping = 8
        case write = 2
        case read = 3
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
    /// What for, as `to create x in it`; may be empty.
    package var purpose: String
    package var source: Source

    package init(_ access: Access, _ place: String, _ source: Source, purpose: String = "") {
        self.access = access
        self.place = place
        self.purpose = purpose
        self.source = source
    }

    /// The same refusal, whatever for.
    package func isSame(as other: Denial) -> Bool { access == other.access && place == other.place }

    /// What `ping` is about.
    package static let echo = "ICMP echo requests"

    /// PATH_MAX of path_resolution(7).
    package static let longestPlace = 4095
    /// NAME_MAX, and the words around it.
    package static let longestPurpose = 300

    /// Settings of the machine that C libraries, OpenSSL and Python read where they can, and do without.
    private static let optional = [
        "/etc/gai.conf", "/etc/host.conf", "/etc/hosts", "/etc/networks", "/etc/resolv.conf", "/etc/services",
        "/etc/ssl/openssl.cnf", "/proc/", "/sys/",
    ]

    private var isOptional: Bool {
        access == .read
            && (place == "/" || Self.optional.contains { $0.hasSuffix("/") ? place.hasPrefix($0) : place == $0 })
    }

    /// Those first that explain most: a program that cannot be executed weighs more than a file that is not read. Of equal weight, in the
    /// order given. What programs do without is left out, unless there is nothing else.
    package static func byWeight(_ denials: [Denial]) -> [Denial] {
        let wider = Set(denials.filter { [.execute, .write].contains($0.access) }.map(\.place))
        // Who may execute or write a file may read it.
        let needed = denials.filter { !$0.isOptional && !($0.access == .read && wider.contains($0.place)) }
        let named = needed.isEmpty ? denials : needed
        return Access.allCases.flatMap { access in named.filter { $0.access == access } }
    }

    package var sentence: String {
        let permission = access.permission.map { "permissions.\($0)" } ?? "no permission allows it"
        return "denied: \(what); \(permission) (\(mark))"
    }

    /// Of what a grant covers: only ownership refuses it then (path_resolution(7)).
    ///
    /// - Parameters:
    ///   - user: whom the run belongs to.
    ///   - isRoot: that is root, who has no right over others' files while confined.
    package func sentence(ofOwnership user: String, isRoot: Bool) -> String {
        let capability: Capability = access == .write ? .dacOverride : .dacReadSearch
        let cure =
            isRoot
            ? "grant \"capabilities\": [\"\(capability.rawValue)\"]"
            : "change them, or run it as another \"user\""
        return
            "denied: \(what); a grant covers it, but its owner or mode, or that of a folder above it, keeps the user \(user) out: "
            + "\(cure) (\(mark))"
    }

    private var what: String {
        switch access {
        case .execute, .write, .read: "\(access) \(place)" + (purpose.isEmpty ? "" : ", \(purpose)")
        case .network, .sockets: "connect to \(place)"
        case .attributes: "change mode, owner or times of \(place)"
        case .ping: "send \(place)" + (purpose.isEmpty ? "" : ", \(purpose)")
        case .call: place
        }
    }

    private var mark: String {
        switch source {
        case .recorded: "recorded by the kernel"
        case .derived: "derived from its calls"
        case .guessed: "guessed from what it printed"
        }
    }
}
