extension JSONParser {
    /// Reads a number; whole ones stay exact within 64 bits.
    mutating func number() throws(JSONError) -> JSONValue.Content {
        let start = position
        var isWhole = true
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") {
            offset += 1
            if let byte = peek, Self.isDigit(byte) {
                throw fault(expecting: "no digit after a leading 0")
            }
        } else {
            try digits(after: "'-'")
        }
        if peek == UInt8(ascii: ".") {
            isWhole = false
            offset += 1
            try digits(after: "'.'")
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isWhole = false
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits(after: "the exponent's sign or 'e'")
        }
        let text = String(decoding: bytes[start.offset..<offset], as: UTF8.self)
        // "-0" is left to Double, which alone can distinguish it from 0.
        if isWhole, text != "-0" {
            if let value = Int64(text) { return .integer(value) }
            if let value = UInt64(text) { return .unsigned(value) }
        }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(.notFinite(JSONWriter.excerpt(text)), at: start)
        }
        return .double(value)
    }

    private mutating func digits(after what: String) throws(JSONError) {
        guard let first = peek, Self.isDigit(first) else { throw fault(expecting: "a digit after \(what)") }
        while let byte = peek, Self.isDigit(byte) { offset += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
