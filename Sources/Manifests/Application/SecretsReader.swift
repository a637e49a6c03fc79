import JSON
import TaskModel

extension DocumentReader {
    /// `secrets`: names, and the files whose text a run is given.
    mutating func secrets(_ node: DocumentNode?, for handler: Handler?) -> [TaskSecret] {
        guard let node else { return [] }
        guard case .object(let members) = node.value.content else {
            refuse(node, expected: "an object of names and paths")
            return []
        }
        guard members.count <= ManifestLimits.secrets else {
            refuse(node, expected: "at most \(ManifestLimits.secrets) secrets", found: "\(members.count)")
            return []
        }
        if case .foreign = handler {
            refuse(
                node, expected: "no \"secrets\" for a foreign function",
                hint: "it has no way to ask for them; use a symbol")
        }
        var secrets: [TaskSecret] = []
        for member in members {
            let place = DocumentNode(member.value, at: node.path.member(member.key))
            guard Self.isSecretName(member.key) else {
                refuse(
                    place, expected: "a name of lower-case letters, digits and \"_\", of 32 characters at most",
                    found: "the name \"\(member.key)\"")
                continue
            }
            guard let path = path(place, expected: "the path of a file", PathSyntax.fault) else { continue }
            if path.hasPrefix("$STATE") || path.hasPrefix("$CACHE") {
                refuse(place, expected: "a file that the application cannot write", hint: "read it in the handler")
                continue
            }
            secrets.append(TaskSecret(name: member.key, path: path))
        }
        return secrets
    }

    private static func isSecretName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return bytes.count <= 32
            && bytes.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
    }
}
