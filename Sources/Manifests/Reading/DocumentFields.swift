import JSON

/// The members of an object whose keys have been compared with the known ones.
package struct DocumentFields: Sendable {
    /// The object itself.
    package let node: DocumentNode
    let members: [JSONMember]
    /// Known keys that an unknown one probably means.
    let misspelled: Set<String>

    /// The value under a key; nil when it is absent.
    package subscript(key: String) -> DocumentNode? {
        members.first { $0.isNamed(key) }.map { DocumentNode($0.value, at: node.path.member(key)) }
    }

    /// Whether a key is present, even misspelled: then its absence is not reported too.
    package func mentions(_ key: String) -> Bool { misspelled.contains(key) || self[key] != nil }
}

extension DocumentReader {
    /// An object with known keys only; each other key is an error that names the nearest known one.
    package mutating func fields(_ node: DocumentNode?, keys: [String], expected: String = "an object")
        -> DocumentFields?
    {
        guard let node else { return nil }
        guard case .object(let members) = node.value.content else { return refused(node, expected: expected) }
        var misspelled: Set<String> = []
        for member in members where !keys.contains(where: { member.isNamed($0) }) {
            let meant = Nearest.match(for: member.key, among: keys)
            if let meant { misspelled.insert(meant) }
            note(
                .error, member.keyPosition, node.path.member(member.key),
                found: "the unknown key \(JSONWriter.quoted(member.key))",
                expected: keys.count == 1 ? "only \"\(keys[0])\"" : "one of " + keys.joined(separator: ", "),
                hint: meant.map(Nearest.question))
        }
        return DocumentFields(node: node, members: members, misspelled: misspelled)
    }

    /// The value under a key that must be present.
    package mutating func required(_ fields: DocumentFields, _ key: String, expected: String) -> DocumentNode? {
        if let node = fields[key] { return node }
        if fields.mentions(key) { return nil }
        note(
            .error, fields.node.value.position, fields.node.path.member(key), found: "nothing", expected: expected,
            hint: "add \"\(key)\"")
        return nil
    }
}
