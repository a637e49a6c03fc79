/// The question of a message to a name server (RFC 1035, section 4).
package enum NameQuestion {
    /// Of a message by UDP without extensions.
    package static let mostBytes = 512
    private static let headerBytes = 12
    /// Of a name with its dots.
    private static let mostOfName = 253

    /// The name that is asked for; nil: the bytes are no question.
    package static func name(in bytes: [UInt8]) -> String? {
        // A standard query, recursion desired or not, of one question and no answers.
        guard bytes.count > headerBytes + 5, bytes[2] & 0xFA == 0, bytes[4] == 0, bytes[5] == 1,
            bytes[6...9].allSatisfy({ $0 == 0 })
        else { return nil }
        var labels: [String] = []
        var place = headerBytes
        while place < bytes.count, bytes[place] != 0 {
            let length = Int(bytes[place])
            let label = bytes.dropFirst(place + 1).prefix(length)
            let isPlain = label.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
            }
            guard length < 64, label.count == length, isPlain else { return nil }
            labels.append(String(decoding: label, as: UTF8.self))
            place += length + 1
        }
        let name = labels.joined(separator: ".")
        // Its type and its class follow.
        return name.isEmpty || name.utf8.count > mostOfName || place + 5 > bytes.count ? nil : name
    }
}
