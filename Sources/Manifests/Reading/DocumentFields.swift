import JSON

/// The members of an object whose keys have been checked against those that are known.
package struct DocumentFields: Sendable {
    /// The object itself.
    package let node: DocumentNode
    private let members: [JSONMember]

    init(node: DocumentNode, members: [JSONMember]) {
        self.node = node
        self.members = members
    }

    /// The value under a key; nil when it is absent.
    package subscript(key: String) -> DocumentNode? {
        members.first { $0.isNamed(key) }.map { DocumentNode($0.value, at: node.path.member(key)) }
    }

    /// The keys that are present, in the order of the file.
    package var keys: [String] { members.map(\.key) }
}

extension DocumentReader {
    /// An object with none but known keys; each other key is an error that names the nearest known one.
    package mutating func fields(_ node: DocumentNode?, keys: [String], expected: String = "an object")
        -> DocumentFields?
    {
        guard let node else { return nil }
        guard case .object(let members) = node.value.content else {
            refuse(node, expected: expected)
            return nil
        }
        for member in members where !keys.contains(where: { member.isNamed($0) }) {
            note(
                .error, member.keyPosition, node.path.member(member.key),
                found: "the unknown key \(JSONWriter.quoted(member.key))",
                expected: keys.count == 1 ? "only \"\(keys[0])\"" : "one of " + keys.joined(separator: ", "),
                hint: Nearest.hint(for: member.key, among: keys))
        }
        return DocumentFields(node: node, members: members)
    }

    /// The value under a key that must be present.
    package mutating func required(_ fields: DocumentFields, _ key: String, expected: String) -> DocumentNode? {
        if let node = fields[key] { return node }
        note(
            .error, fields.node.value.position, fields.node.path.member(key), found: "nothing", expected: expected,
            hint: "add \"\(key)\"")
        return nil
    }
}
