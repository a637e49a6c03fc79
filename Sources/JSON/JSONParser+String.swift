extension JSONParser {
    /// Reads a string from its opening quote to its closing one.
    mutating func string() throws(JSONError) -> String {
        offset += 1
        var text: [UInt8] = []
        var copied = offset
        while true {
            guard let byte = peek else { throw fault(expecting: "'\"' at the end of a string") }
            switch byte {
            case UInt8(ascii: "\""):
                text.append(contentsOf: bytes[copied..<offset])
                offset += 1
                // Every byte was checked on the way, so nothing is repaired here.
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text.append(contentsOf: bytes[copied..<offset])
                let scalar = try escape()
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                copied = offset
            case 0..<0x20:
                throw fault(
                    expecting: "no control character in a string",
                    hint: "write \(JSONWriter.escape(byte)) for it, or close the string before the end of the line")
            case 0x20..<0x80: offset += 1
            default:
                guard let length = Self.scalarLength(bytes[offset...]) else {
                    throw JSONError(.invalidUTF8(byte: byte), at: position)
                }
                offset += length
                continuations += length - 1
            }
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        offset += 1
        guard let letter = peek else { throw fault(expecting: "an escape after '\\'") }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            offset += 1
            return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return simple(0x08)
        case UInt8(ascii: "f"): return simple(0x0C)
        case UInt8(ascii: "n"): return simple(0x0A)
        case UInt8(ascii: "r"): return simple(0x0D)
        case UInt8(ascii: "t"): return simple(0x09)
        case UInt8(ascii: "u"): break
        default: throw fault(expecting: "one of \" \\ / b f n r t u after '\\'")
        }
        offset += 1
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // Not a scalar: a surrogate. Only a high one followed by the escape of a low one means something.
        let single = String(decoding: bytes[start.offset..<offset], as: UTF8.self)
        guard first < 0xDC00, bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            throw JSONError(.loneSurrogate(single), at: start)
        }
        offset += 2
        let second = try fourDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
        else { throw JSONError(.loneSurrogate(single), at: start) }
        return scalar
    }

    private mutating func simple(_ value: UInt8) -> Unicode.Scalar {
        offset += 1
        return Unicode.Scalar(value)
    }

    private mutating func fourDigits() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault(expecting: "four hexadecimal digits after '\\u'")
            }
            value = value << 4 | UInt16(digit)
            offset += 1
        }
        return value
    }

    /// Bytes of the scalar that begins here; nil when they are not UTF-8 (RFC 3629: no overlong form, no surrogate,
    /// nothing above U+10FFFF).
    static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        let rest = bytes.dropFirst().prefix(length - 1)
        guard rest.count == length - 1, let next = rest.first, second.contains(next) else { return nil }
        return rest.dropFirst().allSatisfy { (0x80...0xBF).contains($0) } ? length : nil
    }
}
