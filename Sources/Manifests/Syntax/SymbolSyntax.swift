/// Names of exported C functions.
package enum SymbolSyntax {
    /// Bytes at most.
    package static let maximumLength = 255

    /// Whether the text is a C identifier of reasonable length.
    package static func isSymbol(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= maximumLength else { return false }
        let isBeginning = ASCII.isLetter(first) || first == UInt8(ascii: "_")
        return isBeginning
            && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
    }
}
