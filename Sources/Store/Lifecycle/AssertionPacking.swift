import TaskModel

/// Open assertions as one text: a line of fields for each, separated by U+001F, lines by U+001E. The fields are its number, its
/// age in nanoseconds, its name, and where it was begun; name and places are escaped (`EscapedText`), for an application chooses
/// the one, and the names of its files are in the others.
enum AssertionPacking {
    /// Of one assertion, in bytes of UTF-8: places beyond it are left out.
    static let maximumSize = 1 << 10

    private static let line: Unicode.Scalar = "\u{1E}"
    private static let field: Unicode.Scalar = "\u{1F}"

    static func pack(_ assertions: [OpenAssertion]) -> String {
        assertions.prefix(Termination.maximumAssertions).map { assertion in
            var text = "\(assertion.id)\(field)\(assertion.age.nanoseconds)\(field)\(name(of: assertion))\(field)"
            for frame in assertion.frames.prefix(OpenAssertion.maximumFrames) {
                let place = EscapedText.escaping(frame.word)
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
        return EscapedText.escaping(kept)
    }

    /// Reads what `pack` wrote; nil for anything else.
    static func unpack(_ text: String) -> [OpenAssertion]? {
        var assertions: [OpenAssertion] = []
        for line in EscapedText.split(text, at: line) where !line.isEmpty {
            let fields = EscapedText.split(line, at: field)
            guard fields.count == 4, let id = UInt64(fields[0]), let age = Int64(fields[1]) else { return nil }
            let words = EscapedText.split(fields[3], at: " ").filter { !$0.isEmpty }.map { EscapedText.unescaping($0) }
            let frames = words.compactMap { CodePlace(word: $0[...]) }
            guard frames.count == words.count else { return nil }
            assertions.append(
                OpenAssertion(
                    id: id, name: EscapedText.unescaping(fields[2]), age: TimeSpan(nanoseconds: age), frames: frames))
        }
        return assertions
    }
}
