/// A session's proxy as it may be written: `http://host:port`, or `https`, with `user:password@` before the host.
package enum ProxyAddress {
    /// Whether it is one that every parser reads alike: no path, no query, no byte beyond RFC 3986. Empty: no proxy.
    package static func isSound(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        guard let url = WebURL(text), var rest = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).last else {
            return false
        }
        guard rest.starts(with: "//".utf8) else { return false }
        rest = rest.dropFirst(2)
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        if let at = rest.firstIndex(of: UInt8(ascii: "@")) {
            guard rest[..<at].allSatisfy({ isOrdinary($0) || "%!$&'()*+,;=:".utf8.contains($0) }) else { return false }
            guard areEscapes(rest[..<at]) else { return false }
            rest = rest[rest.index(after: at)...]
        }
        if rest.first == UInt8(ascii: "[") {
            guard NetworkAddress(url.host) != nil, let close = rest.firstIndex(of: UInt8(ascii: "]")) else {
                return false
            }
            rest = rest[rest.index(after: close)...]
        } else {
            rest = rest.drop { isOrdinary($0) && $0 != UInt8(ascii: "~") }
        }
        // `WebURL` has read the port.
        return rest.isEmpty
            || rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
                && rest.count > 1
    }

    /// RFC 3986 2.3.
    private static func isOrdinary(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-._~".utf8.contains(byte)
    }

    /// Each `%` is followed by two digits, which are not those of a NUL or another control.
    private static func areEscapes(_ bytes: Substring.UTF8View.SubSequence) -> Bool {
        var rest = bytes
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            let digits = rest[rest.index(after: percent)...].prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                value >= 0x20,
                value != 0x7F
            else { return false }
            rest = rest[digits.endIndex...]
        }
        return true
    }
}
