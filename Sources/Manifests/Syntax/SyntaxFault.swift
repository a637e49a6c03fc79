/// Why a small text, such as a signature, is invalid.
package struct SyntaxFault: Error, Equatable, Sendable {
    /// Bytes from the beginning of the text.
    package var offset: Int
    package var found: String
    package var expected: String
    package var hint: String?

    package init(at offset: Int, found: String, expected: String, hint: String? = nil) {
        self.offset = offset
        self.found = found
        self.expected = expected
        self.hint = hint
    }
}

extension SyntaxFault: CustomStringConvertible {
    /// Such as `found "int" at character 1; expected a type`.
    package var description: String {
        "found \(found) at character \(offset + 1); expected \(expected)" + (hint.map { "; \($0)" } ?? "")
    }
}

extension DocumentReader {
    /// What a parser makes of a small text; nil, and its fault noted, when it refuses it.
    mutating func parsed<Value>(
        _ node: DocumentNode?, limit: Int, expected: String, by parse: (String) throws(SyntaxFault) -> Value
    ) -> Value? {
        guard let node, let text = text(node, limit: limit, expected: expected) else { return nil }
        do throws(SyntaxFault) {
            return try parse(text)
        } catch {
            refuse(node, error)
            return nil
        }
    }

    /// Notes the fault of a small text in a string.
    mutating func refuse(_ node: DocumentNode, _ fault: SyntaxFault) {
        refuse(
            node, expected: fault.expected,
            found: "\(fault.found) at character \(fault.offset + 1) of \(node.value.summary)", hint: fault.hint)
    }
}
