/// A key of a terminal, as ECMA-48 and xterm send it.
enum TerminalKey: Equatable {
    case up, down, pageUp, pageDown, first, last, enter, escape
    case character(Character)

    /// Takes the keys from what was read. A sequence whose end has not come yet stays in `bytes`.
    static func take(from bytes: inout [UInt8]) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == 0x1B, let second = rest.dropFirst().first,
                [UInt8(ascii: "["), UInt8(ascii: "O")].contains(second)
            {
                let tail = rest.dropFirst(2)
                // Parameters, then one letter or ~ ends it.
                guard let end = tail.firstIndex(where: { (0x40...0x7E).contains($0) }) else { break }
                if let key = key(tail[...end]) { keys.append(key) }
                rest = rest[(end + 1)...]
                continue
            }
            switch byte {
            case 0x1B: keys.append(.escape)
            case 0x0D, 0x0A: keys.append(.enter)
            default: keys.append(.character(Character(Unicode.Scalar(byte))))
            }
            rest = rest.dropFirst()
        }
        // Nobody types so long a sequence.
        bytes = rest.count < 16 ? Array(rest) : []
        return keys
    }

    private static func key(_ sequence: ArraySlice<UInt8>) -> TerminalKey? {
        switch String(decoding: sequence, as: UTF8.self) {
        case "A": .up
        case "B": .down
        case "H", "1~", "7~": .first
        case "F", "4~", "8~": .last
        case "5~": .pageUp
        case "6~": .pageDown
        default: nil
        }
    }
}
