import TaskModel

/// Open assertions as one text: a line of fields for each, separated by U+001F, lines by U+001E. The fields are its number, its
/// age in nanoseconds, its name, and where it was begun.
enum AssertionPacking {
    /// Of one assertion, in bytes of UTF-8: places beyond it are left out.
    static let maximumSize = 1 << 10

    private static let line: Character = "\u{1E}"
    private static let field: Character = "\u{1F}"

    static func pack(_ assertions: [OpenAssertion]) -> String {
        assertions.prefix(Termination.maximumAssertions).map { assertion in
            var text = "\(assertion.id)\(field)\(assertion.age.nanoseconds)\(field)\(name(of: assertion))\(field)"
            for place in assertion.frames.prefix(OpenAssertion.maximumFrames).map(\.word) {
                guard text.utf8.count + place.utf8.count < maximumSize else { break }
                text += "\(place) "
            }
            return text
        }.joined(separator: String(line))
    }

    private static func name(of assertion: OpenAssertion) -> String {
        var size = 0
        let kept = assertion.name.prefix { character in
            size += character.utf8.count
            return size <= OpenAssertion.maximumName
        }
        return String(kept.map { $0 == line || $0 == field ? " " : $0 })
    }

    /// Reads what `pack` wrote; nil for anything else.
    static func unpack(_ text: String) -> [OpenAssertion]? {
        var assertions: [OpenAssertion] = []
        for line in text.split(separator: line) {
            let fields = line.split(separator: field, omittingEmptySubsequences: false)
            guard fields.count == 4, let id = UInt64(fields[0]), let age = Int64(fields[1]) else { return nil }
            let words = fields[3].split(separator: " ")
            let frames = words.compactMap(CodePlace.init(word:))
            guard frames.count == words.count else { return nil }
            assertions.append(
                OpenAssertion(id: id, name: String(fields[2]), age: TimeSpan(nanoseconds: age), frames: frames))
        }
        return assertions
    }
}
