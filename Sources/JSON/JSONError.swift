/// Why a text is not the JSON that we take, and where.
package struct JSONError: Error, Equatable, Sendable {
    /// The kind of fault.
    package enum Problem: Equatable, Sendable {
        /// The text has more bytes than the caller takes.
        case tooLarge(bytes: Int, limit: Int)
        /// The text begins with the UTF-8 byte order mark.
        case byteOrderMark
        /// Arrays and objects are nested deeper than `limit`.
        case tooDeep(limit: Int)
        /// A key occurs a second time in its object.
        case duplicateKey(String, first: SourcePosition)
        /// The grammar requires something else here.
        case syntax(found: String, expected: String, hint: String?)
        /// Bytes in a string are not UTF-8.
        case invalidUTF8(byte: UInt8)
        /// A `\u` escape is half of a surrogate pair.
        case loneSurrogate(String)
        /// A number is too large for a Double.
        case notFinite(String)
    }

    package var problem: Problem
    package var position: SourcePosition

    package init(_ problem: Problem, at position: SourcePosition) {
        self.problem = problem
        self.position = position
    }

    /// The text found there: short, on one line.
    package var found: String {
        switch problem {
        case .tooLarge(let bytes, _): "\(bytes) bytes"
        case .byteOrderMark: "a byte order mark"
        case .tooDeep(let limit): "more than \(limit) levels"
        case .duplicateKey(let key, let first):
            "the key \(JSONWriter.quoted(key)) again (first on line \(first.line))"
        case .syntax(let found, _, _): found
        case .invalidUTF8(let byte): "the byte \(JSONParser.hexadecimal(byte)), which is not UTF-8 here"
        case .loneSurrogate(let escape): "half a surrogate pair, \(escape)"
        case .notFinite(let text): "the number \(text)"
        }
    }

    /// What would be right: the continuation of "expected".
    package var expected: String {
        switch problem {
        case .tooLarge(_, let limit): "at most \(limit) bytes"
        case .byteOrderMark: "JSON from the first byte on"
        case .tooDeep(let limit): "arrays and objects nested at most \(limit) deep"
        case .duplicateKey: "each key once"
        case .syntax(_, let expected, _): expected
        case .invalidUTF8: "UTF-8 text"
        case .loneSurrogate: "a pair such as \\ud83d\\ude00"
        case .notFinite: "a number that fits a 64-bit floating-point value"
        }
    }

    /// What to do, where that is not plain.
    package var hint: String? {
        switch problem {
        case .byteOrderMark: "save the file as UTF-8 without a byte order mark"
        case .invalidUTF8: "save the file as UTF-8"
        case .syntax(_, _, let hint): hint
        case .tooLarge, .tooDeep, .duplicateKey, .loneSurrogate, .notFinite: nil
        }
    }
}

extension JSONError: CustomStringConvertible {
    /// Such as `3:14: expected ',' or '}' after a member, found '"'`.
    package var description: String {
        "\(position.line):\(position.column): expected \(expected), found \(found)" + (hint.map { "; \($0)" } ?? "")
    }
}
