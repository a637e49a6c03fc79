import JSON
package import TaskModel

/// Reads `result(parameter, …)`, such as `u64(u64, bytes, u32)`.
package enum SignatureParser {
    /// Bytes at most.
    package static let maximumLength = 512

    /// Parses a signature. Spaces are allowed between its parts; `()` and an empty list of parameters are the same.
    ///
    /// - Parameter givesCredential: it belongs to a function that renews credentials, whose result must be a `string`.
    /// - Throws: the first fault.
    package static func parse(_ text: String, givesCredential: Bool = false) throws(SyntaxFault) -> Signature {
        var scanner = try Scanner(text, atMost: maximumLength)
        scanner.skipSpaces()
        let result = try givesCredential ? credentialType(&scanner) : resultType(&scanner)
        scanner.skipSpaces()
        guard scanner.take(UInt8(ascii: "(")) else {
            throw scanner.fault(
                expecting: "'(' after the result's type", hint: "a signature reads \"result(parameter, …)\"")
        }
        var parameters: [ValueType] = []
        scanner.skipSpaces()
        if !scanner.take(UInt8(ascii: ")")) {
            repeat {
                scanner.skipSpaces()
                let start = scanner.offset
                parameters.append(try parameterType(&scanner))
                guard parameters.count <= Signature.maximumParameters else {
                    throw SyntaxFault(
                        at: start, found: "parameter \(parameters.count)",
                        expected: "at most \(Signature.maximumParameters) parameters")
                }
                scanner.skipSpaces()
            } while scanner.take(UInt8(ascii: ","))
            guard scanner.take(UInt8(ascii: ")")) else {
                throw scanner.fault(expecting: "',' or ')' after a parameter")
            }
        }
        scanner.skipSpaces()
        guard scanner.isAtEnd else { throw scanner.fault(expecting: "nothing after ')'") }
        return Signature(result: result, parameters: parameters)
    }

    private static func resultType(_ scanner: inout Scanner) throws(SyntaxFault) -> ValueType {
        try type(&scanner, "the result's type", among: ValueType.allCases.filter(\.canBeResult)) { type in
            ("a result that is no \(type.name)", "use \"pointer\": who frees the memory cannot be said here")
        }
    }

    private static func credentialType(_ scanner: inout Scanner) throws(SyntaxFault) -> ValueType {
        try type(&scanner, "the result's type", among: [.string]) { _ in
            (
                "\"string\", the result of a function that renews credentials",
                "what it returns is the value of Authorization, such as \"Bearer …\""
            )
        }
    }

    private static func parameterType(_ scanner: inout Scanner) throws(SyntaxFault) -> ValueType {
        try type(&scanner, "a parameter's type", among: ValueType.allCases.filter { $0 != .void }) { _ in
            ("a parameter's type", "write \"()\" for a function without parameters")
        }
    }

    /// One of the fitting types; `fault` says what was expected instead of another, and what to do.
    private static func type(
        _ scanner: inout Scanner, _ what: String, among fitting: [ValueType],
        else fault: (ValueType) -> (expected: String, hint: String)
    )
        throws(SyntaxFault) -> ValueType
    {
        let start = scanner.offset
        let word = scanner.takeWord()
        guard !word.isEmpty else { throw scanner.fault(expecting: what) }
        if let type = ValueType(name: word) {
            if fitting.contains(type) { return type }
            let (expected, hint) = fault(type)
            throw SyntaxFault(at: start, found: "\"\(type.name)\"", expected: expected, hint: hint)
        }
        let names = fitting.map(\.name)
        throw SyntaxFault(
            at: start, found: JSONWriter.quoted(word), expected: "\(what): one of " + names.joined(separator: ", "),
            hint: cNames[word].map { "write \"\($0.name)\"" } ?? Nearest.hint(for: word, among: names))
    }

    /// Types of C, with the sizes of 64-bit Linux.
    private static let cNames: [String: ValueType] = [
        "char": .i8, "short": .i16, "int": .i32, "long": .i64, "unsigned": .u32, "float": .f32, "double": .f64,
        "size_t": .u64, "ssize_t": .i64, "ptr": .pointer, "str": .string, "int8_t": .i8, "uint8_t": .u8,
        "int16_t": .i16, "uint16_t": .u16, "int32_t": .i32, "uint32_t": .u32, "int64_t": .i64, "uint64_t": .u64,
        "_Bool": .bool, "function": .callback,
    ]
}

extension Signature {
    /// The signature as it is written, such as `u64(u64, bytes, u32)`.
    package var text: String { result.name + "(" + parameters.map(\.name).joined(separator: ", ") + ")" }
}
