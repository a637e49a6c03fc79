import TaskModel

/// Identifiers of applications and tasks, such as `com.example.feeds`: labels with dots between. One label will do, as it
/// does on iOS.
package enum IdentifierSyntax {
    /// Bytes at most.
    package static let maximumLength = 255

    /// The expected text in messages.
    package static let expected = "an identifier such as \"com.example.feeds\""

    /// The rule as a regular expression for documents, including wildcards and the tasks of an application's events; the
    /// length and `run` apply too.
    package static let pattern = #"^\#(label)(\.\#(label))*(\.\*|:fetch|:push)?$"#
    /// The form of a run's id, which no identifier may have: `taskhost cancel` accepts both.
    package static let run = "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$"
    private static let label = "[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?"

    /// An identifier that may be requested: for a wildcard one that it matches, such as `com.example.export.1` for
    /// `com.example.export.*`, else itself.
    package static func concrete(_ identifier: String) -> String {
        identifier.hasSuffix(".*") ? identifier.dropLast() + "1" : identifier
    }

    /// The identifier without the suffix of an application's event: `com.example.reader` for
    /// `com.example.reader:fetch`.
    package static func withoutEvent(_ identifier: String) -> String {
        let suffix = TaskKind.allCases.lazy.compactMap(\.eventSuffix).first { identifier.hasSuffix($0) }
        return suffix.map { String(identifier.dropLast($0.count)) } ?? identifier
    }

    /// Checks an identifier.
    ///
    /// - Parameter allowingWildcard: `*` may be the last label, after another.
    /// - Throws: why it is none.
    package static func check(_ text: String, allowingWildcard: Bool = false) throws(SyntaxFault) {
        guard text.utf8.count <= maximumLength else {
            throw SyntaxFault(
                at: maximumLength, found: "\(text.utf8.count) bytes", expected: "at most \(maximumLength) bytes")
        }
        guard ULID(text) == nil else {
            throw SyntaxFault(
                at: 0, found: "\"\(text)\"", expected: expected, hint: "these 26 characters are a run's id")
        }
        let isWildcard = allowingWildcard && text.hasSuffix(".*")
        var scanner = Scanner(isWildcard ? String(text.dropLast(2)) : text)
        while true {
            let start = scanner.offset
            let label = scanner.takeAll { byte in
                ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
            if scanner.peek != nil && scanner.peek != UInt8(ascii: ".") {
                throw scanner.fault(
                    expecting: expected,
                    hint: "labels hold letters, digits, hyphens and underscores of ASCII, with dots between")
            }
            guard !label.isEmpty else {
                throw scanner.fault(expecting: expected, hint: "no label between two dots may be empty")
            }
            guard label.utf8.first != UInt8(ascii: "-"), label.utf8.last != UInt8(ascii: "-") else {
                throw SyntaxFault(
                    at: start, found: "the label \"\(label)\"", expected: expected,
                    hint: "a label may not begin or end with a hyphen")
            }
            if scanner.isAtEnd { return }
            _ = scanner.take(UInt8(ascii: "."))  // It is a dot: everything else was refused above.
        }
    }
}
