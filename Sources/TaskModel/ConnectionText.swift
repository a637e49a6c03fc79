/// What names a database for libpq: `name=value` pairs, or a URI (PostgreSQL's manual, "Connection Strings"). Only as far as is
/// needed to find a password, which belongs into libpq's own files.
package struct ConnectionText {
    /// It has a password, or looks as if it should.
    package var hasPassword = false

    /// Parameters with a secret.
    private static let secrets = ["password", "sslpassword"]

    /// - Returns: nil: libpq would not take it.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        for scheme in ["postgresql://", "postgres://"] where text.hasPrefix(scheme) {
            readURI(bytes[scheme.utf8.count...])
            return
        }
        guard readPairs(bytes) else { return nil }
    }

    private mutating func note(_ name: some Sequence<UInt8>) {
        if Self.secrets.contains(String(decoding: Array(name), as: UTF8.self)) { hasPassword = true }
    }

    // MARK: URI

    private mutating func readURI(_ bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let authority = parts[0].prefix { $0 != UInt8(ascii: "/") }
        // A password with a slash in it: libpq takes the rest for the database.
        if let at = parts[0].lastIndex(of: UInt8(ascii: "@")) {
            let user = parts[0][..<at]
            hasPassword = user.contains(UInt8(ascii: ":")) || at >= authority.endIndex
        }
        guard parts.count > 1 else { return }
        for pair in parts[1].split(separator: UInt8(ascii: "&")) {
            note(Self.decoded(pair.prefix { $0 != UInt8(ascii: "=") }))
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                decoded.append(byte)
                continue
            }
            rest.removeFirst(2)
            decoded.append(value)
        }
        return decoded
    }

    // MARK: Pairs

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

    /// - Returns: false: they are none.
    private mutating func readPairs(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...].drop(while: Self.isSpace)
        guard !rest.isEmpty else { return false }
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !Self.isSpace($0) }
            note(name)
            rest = rest.dropFirst(name.count).drop(while: Self.isSpace)
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return false }
            rest = rest.drop(while: Self.isSpace)
            guard skipValue(&rest) else { return false }
            rest = rest.drop(while: Self.isSpace)
        }
        return true
    }

    /// - Returns: false: it has a quote that does not end.
    private func skipValue(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let isQuoted = rest.first == UInt8(ascii: "'")
        if isQuoted { rest.removeFirst() }
        while let byte = rest.first {
            if !isQuoted, Self.isSpace(byte) { return true }
            rest.removeFirst()
            if isQuoted, byte == UInt8(ascii: "'") { return true }
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
        }
        return !isQuoted
    }
}
