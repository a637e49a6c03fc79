import JSON
package import TaskModel

extension DocumentReader {
    /// A string of at most `limit` bytes, not empty and without control characters.
    package mutating func text(_ node: DocumentNode?, limit: Int, expected: String) -> String? {
        guard let node else { return nil }
        guard case .string(let text) = node.value.content else { return refused(node, expected: expected) }
        guard !text.isEmpty else { return refused(node, expected: expected, found: "an empty string") }
        guard text.utf8.count <= limit else {
            return refused(
                node, expected: "at most \(limit) bytes",
                found: "\(JSONWriter.quoted(text, limit: 20)) of \(text.utf8.count) bytes")
        }
        guard !text.utf8.contains(where: ASCII.isControl) else {
            return refused(node, expected: expected + " without control characters")
        }
        return text
    }

    /// The same for a text that must also pass a test.
    ///
    /// - Parameter hint: what to do when it does not pass.
    mutating func text(
        _ node: DocumentNode?, limit: Int, expected: String, hint: String? = nil, where isValid: (String) -> Bool
    ) -> String? {
        guard let node, let text = text(node, limit: limit, expected: expected) else { return nil }
        return isValid(text) ? text : refused(node, expected: expected, hint: hint)
    }

    /// True or false.
    package mutating func bool(_ node: DocumentNode?) -> Bool? {
        guard let node else { return nil }
        guard case .bool(let value) = node.value.content else {
            let quoted = node.value.string.flatMap { ["true", "false"].contains($0) ? $0 : nil }
            return refused(node, expected: "true or false", hint: quoted.map { "write \($0) without quotes" })
        }
        return value
    }

    /// A whole number in a range.
    package mutating func integer(_ node: DocumentNode?, in range: ClosedRange<Int64>) -> Int64? {
        guard let node else { return nil }
        guard case .integer(let value) = node.value.content, range.contains(value) else {
            return refused(node, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// One word of a few.
    package mutating func choice<Word>(_ node: DocumentNode?, _ words: [(String, Word)]) -> Word? {
        guard let node else { return nil }
        let names = words.map(\.0)
        guard case .string(let text) = node.value.content, let match = words.first(where: { $0.0 == text }) else {
            return refused(
                node, expected: "one of " + names.map { "\"\($0)\"" }.joined(separator: ", "),
                hint: node.value.string.flatMap { Nearest.hint(for: $0, among: names) })
        }
        return match.1
    }

    /// A duration in a range. `zeroHint` says why zero makes no sense.
    package mutating func span(_ node: DocumentNode?, in range: ClosedRange<TimeSpan>, zeroHint: String? = nil)
        -> TimeSpan?
    {
        guard let node else { return nil }
        let limits = "from \"\(range.lowerBound.manifestText)\" to \"\(range.upperBound.manifestText)\""
        guard case .string(let text) = node.value.content, let span = TimeSpan(parsing: text) else {
            return refused(
                node, expected: "a duration \(limits)",
                hint: hint(node, units: "ms, s, m, h or d", numberExample: "s"))
        }
        guard range.contains(span) else {
            return refused(node, expected: "a duration \(limits)", hint: span == .zero ? zeroHint : nil)
        }
        return span
    }

    /// A size in a range. `zeroHint` says why zero makes no sense.
    package mutating func size(_ node: DocumentNode?, in range: ClosedRange<ByteCount>, zeroHint: String? = nil)
        -> ByteCount?
    {
        guard let node else { return nil }
        let limits = "from \"\(range.lowerBound.manifestText)\" to \"\(range.upperBound.manifestText)\""
        guard case .string(let text) = node.value.content, let size = ByteCount(parsing: text) else {
            return refused(
                node, expected: "a size \(limits)",
                hint: hint(node, units: "B, KiB, MiB or GiB", numberExample: "B"))
        }
        guard range.contains(size) else {
            return refused(node, expected: "a size \(limits)", hint: size.bytes == 0 ? zeroHint : nil)
        }
        return size
    }

    /// The elements of an array of at most `limit` elements.
    package mutating func elements(_ node: DocumentNode?, limit: Int, of what: String) -> [DocumentNode]? {
        guard let node else { return nil }
        guard case .array(let values) = node.value.content else {
            return refused(node, expected: "an array of \(what)")
        }
        guard values.count <= limit else {
            return refused(node, expected: "at most \(limit)", found: "an array of \(values.count)")
        }
        return values.enumerated().map { DocumentNode($1, at: node.path.element($0)) }
    }

    private func hint(_ node: DocumentNode, units: String, numberExample: String) -> String {
        if case .integer(let number) = node.value.content, number >= 0 {
            return "write \"\(number)\(numberExample)\", with its unit"
        }
        return "write a whole number and one of \(units), without a space"
    }
}

extension TimeSpan {
    /// As a manifest spells it, in the largest unit that divides it; finer than a millisecond is cut.
    package var manifestText: String {
        let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)]
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds == 0 { return "0s" }
        for (suffix, size) in units where milliseconds % size == 0 { return "\(milliseconds / size)\(suffix)" }
        return "\(milliseconds)ms"
    }
}
