import TaskModel

extension DocumentReader {
    /// `permissions`.
    mutating func permissions(_ node: DocumentNode?) -> Permissions {
        guard let fields = fields(node, keys: ManifestKeys.permissions) else { return Permissions() }
        return Permissions(
            read: paths(fields["read"]), write: paths(fields["write"]), network: grants(fields["network"]))
    }

    private mutating func paths(_ node: DocumentNode?) -> [String] {
        guard let nodes = elements(node, limit: ManifestLimits.grants, of: "paths") else { return [] }
        var paths: [String] = []
        for node in nodes {
            guard let path = text(node, limit: PathSyntax.maximumLength, expected: "a path") else { continue }
            if let fault = PathSyntax.fault(path) {
                refuse(node, expected: fault.expected, hint: fault.hint)
            } else {
                paths.append(path)
            }
        }
        return paths
    }

    private mutating func grants(_ node: DocumentNode?) -> [NetworkGrant] {
        guard let nodes = elements(node, limit: ManifestLimits.grants, of: "\"host:port\"") else { return [] }
        var grants: [NetworkGrant] = []
        for node in nodes {
            guard let text = text(node, limit: 300, expected: NetworkGrantSyntax.expected) else {
                continue
            }
            do throws(SyntaxFault) {
                grants.append(try NetworkGrantSyntax.parse(text))
            } catch {
                refuse(node, error)
            }
        }
        return grants
    }
}
