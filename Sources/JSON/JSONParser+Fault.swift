extension JSONParser {
    /// A syntax error at `offset`.
    func fault(expecting expected: String, hint: String? = nil) -> JSONError {
        JSONError(.syntax(found: describeNext(), expected: expected, hint: hint ?? habit()), at: position)
    }

    /// Letters from here on, for an unknown word.
    func letters() -> String {
        let word = bytes[offset...].prefix { Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 }
        return "'\(JSONWriter.excerpt(String(decoding: word, as: UTF8.self)))'"
    }

    static func hexadecimal(_ byte: UInt8) -> String {
        "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private func describeNext() -> String {
        guard let byte = peek else { return "the end of the text" }
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return "the end of the line"
        case UInt8(ascii: "\t"): return "a tab"
        case 0x21..<0x7F: return "'\(Character(Unicode.Scalar(byte)))'"
        case 0x20: return "a space"
        case 0xC2...:
            guard let length = Self.scalarLength(bytes[offset...]) else { break }
            return JSONWriter.quoted(String(decoding: bytes[offset..<offset + length], as: UTF8.self))
        default: break
        }
        return "the byte \(Self.hexadecimal(byte))"
    }

    /// Habits from other notations.
    private func habit() -> String? {
        switch peek {
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments"
        case UInt8(ascii: "'"): "JSON strings stand in double quotes"
        default: nil
        }
    }
}
