import JSON
import TaskModel

extension DocumentReader {
    /// `learned`, which `taskhost learn --write` writes.
    mutating func learned(_ node: DocumentNode?) -> LearnedMark? {
        guard let fields = fields(node, keys: ManifestKeys.learned) else { return nil }
        let expected = "a date such as 2026-01-31T12:00:00Z"
        let time = required(fields, "at", expected: expected)
        guard let time, let text = text(time, limit: 64, expected: expected) else { return nil }
        guard let at = Timestamp(iso8601: text) else { return refused(time, expected: expected) }
        let landlock = integer(fields["landlock"], in: 0...255) ?? 0
        return LearnedMark(at: at, landlock: Int(landlock), programs: digests(fields["programs"]))
    }

    private mutating func digests(_ node: DocumentNode?) -> [(path: String, digest: [UInt8])] {
        guard let node else { return [] }
        guard case .object(let members) = node.value.content, members.count <= ManifestLimits.grants else {
            refuse(node, expected: "an object of paths and digests, at most \(ManifestLimits.grants)")
            return []
        }
        var digests: [(path: String, digest: [UInt8])] = []
        for member in members {
            let place = DocumentNode(member.value, at: node.path.member(member.key))
            guard member.key.hasPrefix("/"), let digest = place.value.string.flatMap(SHA256Text.bytes(of:)) else {
                refuse(place, expected: "an absolute path with a SHA-256, 64 hexadecimal digits")
                continue
            }
            digests.append((member.key, digest))
        }
        return digests
    }
}
