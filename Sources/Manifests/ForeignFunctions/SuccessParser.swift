import JSON
package import TaskModel

/// Reads `success`: `always`, or `result OP literal`.
package enum SuccessParser {
    /// Bytes at most.
    package static let maximumLength = 256

    /// Parses a rule for a result of a given type.
    ///
    /// Whole numbers (decimal or `0x…`) suit integers; real ones suit `f32` and `f64`; `true` and `false` suit `bool`
    /// and become comparisons with 0; `null` suits `pointer`.
    ///
    /// - Throws: the first fault, including a literal that the type can never equal.
    package static func parse(_ text: String, result: ValueType) throws(SyntaxFault) -> SuccessRule {
        var scanner = try Scanner(text, atMost: maximumLength)
        scanner.skipSpaces()
        let start = scanner.offset
        let subject = scanner.takeWord()
        if subject == "always" {
            scanner.skipSpaces()
            guard scanner.isAtEnd else { throw scanner.fault(expecting: "nothing after \"always\"") }
            return .always
        }
        guard subject == "result" else {
            throw SyntaxFault(
                at: start, found: subject.isEmpty ? "no \"result\"" : JSONWriter.quoted(subject),
                expected: "\"always\" or \"result\" and a comparison",
                hint: Nearest.hint(for: subject, among: ["result", "always"]))
        }
        guard result != .void else {
            throw SyntaxFault(
                at: start, found: "a comparison of a void result", expected: "\"always\"",
                hint: "a void function has no result")
        }
        scanner.skipSpaces()
        let operatorStart = scanner.offset
        let comparison = try comparison(&scanner)
        let isOrdering = comparison != .equal && comparison != .notEqual
        if isOrdering, !result.isInteger, !result.isReal {
            throw SyntaxFault(
                at: operatorStart, found: "\"\(comparison.text)\"", expected: "== or != for a \(result.name)")
        }
        scanner.skipSpaces()
        let rule = try literal(&scanner, comparison, result)
        scanner.skipSpaces()
        guard scanner.isAtEnd else {
            throw scanner.fault(expecting: "nothing after the literal", hint: "one comparison is all there is")
        }
        return rule
    }

    /// The rule of a manifest without one; nil for a real result, which has no sensible default.
    package static func defaultRule(for result: ValueType) -> SuccessRule? {
        switch result {
        case .void: .always
        case .bool: .compare(.notEqual, .integer(0))
        case .f32, .f64: nil
        case .pointer, .string, .bytes, .callback: .compare(.notEqual, .null)
        case .i8, .u8, .i16, .u16, .i32, .u32, .i64, .u64: .compare(.equal, .integer(0))
        }
    }

    private static func comparison(_ scanner: inout Scanner) throws(SyntaxFault) -> Comparison {
        // Longer operators first: "<=" begins with "<".
        for candidate in Comparison.allCases.sorted(by: { $0.text.utf8.count > $1.text.utf8.count })
        where scanner.take(candidate.text) {
            return candidate
        }
        throw scanner.fault(
            expecting: "one of == != < <= > >=", hint: scanner.peek == UInt8(ascii: "=") ? "write \"==\"" : nil)
    }

    private static func literal(_ scanner: inout Scanner, _ comparison: Comparison, _ result: ValueType)
        throws(SyntaxFault) -> SuccessRule
    {
        let start = scanner.offset
        let word = scanner.takeAll { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-._".utf8.contains($0) }
        let expected = "\(expectation(result)) to compare the \(result.name) with"
        func mismatch(_ hint: String? = nil) -> SyntaxFault {
            SyntaxFault(
                at: start, found: word.isEmpty ? "nothing" : JSONWriter.quoted(word), expected: expected, hint: hint)
        }
        switch result {
        case .void: throw mismatch()
        case .bool:
            guard let value = ["true": true, "1": true, "false": false, "0": false][word] else { throw mismatch() }
            // A C bool may arrive as any non-zero byte, so truth is "not 0".
            return .compare((comparison == .equal) == value ? .notEqual : .equal, .integer(0))
        case .pointer, .string, .bytes, .callback:
            guard word == "null" else { throw mismatch() }
            return .compare(comparison, .null)
        case .f32, .f64:
            guard let value = real(word) else { throw mismatch() }
            return .compare(comparison, .real(value))
        case .i8, .u8, .i16, .u16, .i32, .u32, .i64, .u64:
            guard let operand = whole(word) else { throw mismatch() }
            let fits =
                switch operand {
                case .integer(let value): result.holds(value)
                case .unsigned(let value): result.holds(value)
                case .real, .null: false
                }
            guard fits else { throw mismatch("a \(result.name) never holds this number") }
            return .compare(comparison, operand)
        }
    }

    private static func expectation(_ result: ValueType) -> String {
        switch result {
        case .bool: "true or false"
        case .pointer, .string, .bytes, .callback: "null"
        case .f32, .f64: "a number"
        case .void, .i8, .u8, .i16, .u16, .i32, .u32, .i64, .u64: "a whole number"
        }
    }

    private static func whole(_ word: String) -> SuccessOperand? {
        let isNegative = word.hasPrefix("-")
        let magnitude = isNegative ? String(word.dropFirst()) : word
        let isHexadecimal = magnitude.hasPrefix("0x") || magnitude.hasPrefix("0X")
        let digits = isHexadecimal ? String(magnitude.dropFirst(2)) : magnitude
        guard !digits.isEmpty, digits.utf8.allSatisfy(isHexadecimal ? ASCII.isHexDigit : ASCII.isDigit) else {
            return nil
        }
        if let value = Int64((isNegative ? "-" : "") + digits, radix: isHexadecimal ? 16 : 10) {
            return .integer(value)
        }
        guard !isNegative, let value = UInt64(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
        return .unsigned(value)
    }

    private static func real(_ word: String) -> Double? {
        // Double(String) also accepts "inf", "nan" and hexadecimal fractions, which are not JSON numbers.
        guard let first = word.utf8.first, ASCII.isDigit(first) || first == UInt8(ascii: "-"),
            word.utf8.allSatisfy({ ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }),
            let value = Double(word), value.isFinite
        else { return nil }
        return value
    }
}
