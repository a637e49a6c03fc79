/// A SHA-256 digest as text.
package enum SHA256Text {
    /// The 32 bytes of 64 hexadecimal digits; nil for any other text.
    package static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
