/// Reverse-DNS identifiers of applications and tasks, such as `com.example.feeds`.
package enum IdentifierSyntax {
    /// Bytes at most.
    package static let maximumLength = 255

    /// An identifier that somebody may name: of a wildcard one that it stands for, such as `com.example.export.1` of
    /// `com.example.export.*`, else itself.
    package static func concrete(_ identifier: String) -> String {
        identifier.hasSuffix(".*") ? identifier.dropLast() + "1" : identifier
    }

    /// Checks an identifier.
    ///
    /// - Parameter allowingWildcard: `*` may stand as the last label, after two others.
    /// - Throws: why it is none.
    package static func check(_ text: String, allowingWildcard: Bool = false) throws(SyntaxFault) {
        let expected = "a reverse-DNS identifier such as \"com.example.feeds\""
        guard text.utf8.count <= maximumLength else {
            throw SyntaxFault(
                at: maximumLength, found: "\(text.utf8.count) bytes", expected: "at most \(maximumLength) bytes")
        }
        let isWildcard = allowingWildcard && text.hasSuffix(".*")
        var scanner = Scanner(isWildcard ? String(text.dropLast(2)) : text)
        var labels = 0
        while true {
            let start = scanner.offset
            let label = scanner.takeAll { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
            if scanner.peek != nil && scanner.peek != UInt8(ascii: ".") {
                throw scanner.fault(
                    expecting: expected, hint: "labels hold letters, digits and hyphens of ASCII, with dots between")
            }
            guard !label.isEmpty else {
                throw scanner.fault(expecting: expected, hint: "no label between two dots may be empty")
            }
            guard label.utf8.first != UInt8(ascii: "-"), label.utf8.last != UInt8(ascii: "-") else {
                throw SyntaxFault(
                    at: start, found: "the label \"\(label)\"", expected: expected,
                    hint: "a label may not begin or end with a hyphen")
            }
            labels += 1
            if scanner.isAtEnd { break }
            _ = scanner.take(UInt8(ascii: "."))  // It is a dot: everything else was refused above.
        }
        guard labels >= 2 else {
            throw scanner.fault(expecting: expected, hint: "it needs two labels at least, with a dot between")
        }
    }
}
