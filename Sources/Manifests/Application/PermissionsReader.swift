import TaskModel

extension DocumentReader {
    /// `permissions`.
    mutating func permissions(_ node: DocumentNode?) -> Permissions {
        guard let fields = fields(node, keys: ManifestKeys.permissions) else { return Permissions() }
        var permissions = Permissions(
            read: paths(fields["read"]), write: paths(fields["write"]), network: grants(fields["network"]),
            execute: paths(fields["execute"]))
        permissions.attributes = bool(fields["attributes"]) ?? false
        permissions.sockets = paths(fields["sockets"])
        if let node = fields["sockets"], !permissions.network.isEmpty, !permissions.sockets.isEmpty {
            refuse(
                node, expected: "no \"sockets\" beside \"network\"", found: "both",
                hint: "one of them holds connections by their addresses, the other by who makes them; use two manifests"
            )
        }
        permissions.ping = bool(fields["ping"]) ?? false
        if let node = fields["ping"], !permissions.network.isEmpty, permissions.ping {
            refuse(
                node, expected: "no \"ping\" beside \"network\"", found: "both",
                hint: "one of them holds connections by their addresses, the other has none; use two manifests")
        }
        let names = elements(fields["capabilities"], limit: Capability.allCases.count, of: "capabilities") ?? []
        permissions.capabilities = names.compactMap { choice($0, Capability.allCases.map { ($0.rawValue, $0) }) }
        if let node = fields["ping"], permissions.ping, !permissions.capabilities.isEmpty {
            refuse(
                node, expected: "no \"ping\" beside \"capabilities\"", found: "both",
                hint:
                    "ping(8) may be a file with a capability of its own, which root's programs must not have; use two manifests"
            )
        }
        return permissions
    }

    private mutating func paths(_ node: DocumentNode?) -> [String] {
        let nodes = elements(node, limit: ManifestLimits.grants, of: "paths") ?? []
        return nodes.compactMap { path($0, PathSyntax.fault) }
    }

    /// A path of which a syntax finds no fault.
    mutating func path(
        _ node: DocumentNode?, expected: String = "a path", _ fault: (String) -> (expected: String, hint: String?)?
    ) -> String? {
        guard let node, let path = text(node, limit: PathSyntax.maximumLength, expected: expected) else { return nil }
        guard let fault = fault(path) else { return path }
        return refused(node, expected: fault.expected, hint: fault.hint)
    }

    private mutating func grants(_ node: DocumentNode?) -> [NetworkGrant] {
        let nodes = elements(node, limit: ManifestLimits.grants, of: "\"host:port\"") ?? []
        return nodes.compactMap {
            parsed($0, limit: 300, expected: NetworkGrantSyntax.expected, by: NetworkGrantSyntax.parse)
        }
    }
}
