/// Bytes as text (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for anything but whole, padded groups.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padded = characters.reversed().prefix(2).prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        for (index, character) in characters.dropLast(padded).enumerated() {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            guard index % 4 == 3 else { continue }
            bytes.append(contentsOf: [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)])
            bits = 0
        }
        // Unused bits before padding must be 0: otherwise several texts would decode to the same bytes.
        switch padded {
        case 0: return bytes
        case 1:
            guard bits & 3 == 0 else { return nil }
            return bytes + [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default:
            guard bits & 15 == 0 else { return nil }
            return bytes + [UInt8(bits >> 4 & 255)]
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
