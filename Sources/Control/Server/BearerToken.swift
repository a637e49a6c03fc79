/// The secret that requests have to carry as `Authorization: Bearer TOKEN`.
package struct BearerToken: Sendable {
    /// Bytes of a token.
    package static let lengths = 16...512
    private let bytes: [UInt8]

    /// nil: it is no token. It is visible ASCII, so that it fits a header.
    package init?(_ bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        self.bytes = bytes
    }

    /// Whether a request may pass. How long that takes depends on what it carries, and on nothing of the token.
    package func admits(_ authorization: String?) -> Bool {
        guard let words = authorization?.split(separator: " ", omittingEmptySubsequences: true), words.count == 2,
            words[0].lowercased() == "bearer"
        else { return false }
        return matches(words[1])
    }

    /// Whether it is this text. How long that takes depends on the text, and on nothing of the token.
    package func matches(_ text: some StringProtocol) -> Bool {
        let offered = Array(text.utf8)
        var difference = offered.count ^ bytes.count
        for (place, byte) in offered.enumerated() { difference |= Int(byte ^ bytes[place % bytes.count]) }
        return difference == 0
    }
}
