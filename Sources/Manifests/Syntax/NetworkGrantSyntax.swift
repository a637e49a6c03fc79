import JSON
package import TaskModel

/// `"host:port"` of `permissions.network`: a name, an address, a network, `loopback` or `*`, and a port or `*`.
package enum NetworkGrantSyntax {
    /// The form of a grant, for messages.
    static let expected =
        "\"host:port\" such as \"example.com:443\", \"10.0.0.0/8:443\", \"[fd00::/8]:443\" or \"*:443\""

    /// Reads a grant.
    ///
    /// - Throws: why it is none.
    package static func parse(_ text: String) throws(SyntaxFault) -> NetworkGrant {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !text.hasSuffix("]") else {
            throw SyntaxFault(
                at: bytes.count, found: "no port", expected: expected, hint: "add the port, such as \":443\"")
        }
        let host = String(decoding: bytes[..<colon], as: UTF8.self)
        let digits = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        if digits == "*" { return NetworkGrant(try read(host), port: nil) }
        guard digits.utf8.allSatisfy(ASCII.isDigit), !digits.hasPrefix("0"), let port = UInt16(digits) else {
            throw SyntaxFault(
                at: colon + 1, found: "the port \(JSONWriter.quoted(digits, limit: 20))",
                expected: "a port from 1 to 65535, or \"*\" for all")
        }
        return NetworkGrant(try read(host), port: port)
    }

    private static func read(_ host: String) throws(SyntaxFault) -> NetworkGrant.Host {
        if host == "*" { return .any }
        if host == "loopback" || host.lowercased() == "localhost" { return .loopback }
        if host.hasPrefix("[") {
            let inner = String(host.dropFirst().dropLast())
            guard host.hasSuffix("]"), inner.contains(":"), let network = try network(inner) else {
                throw SyntaxFault(
                    at: 0, found: "the host \(JSONWriter.quoted(host))",
                    expected: "an IPv6 address or network in brackets")
            }
            return .network(network)
        }
        guard !host.contains(":") else {
            throw SyntaxFault(
                at: 0, found: "the host \(JSONWriter.quoted(host))", expected: "a host name or an address",
                hint: host.contains("//") ? "leave out the scheme" : "put an IPv6 address in brackets")
        }
        if let network = try network(host) { return .network(network) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let looksNumeric = host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard !looksNumeric, host.utf8.count <= 253, labels.allSatisfy(isLabel) else {
            throw SyntaxFault(
                at: 0, found: "the host \(JSONWriter.quoted(host))",
                expected: "a host name, an address, a network, \"loopback\" or \"*\"",
                hint: host.contains("*") ? "\"*\" stands for any host and cannot be a part of a name" : nil)
        }
        return .name(host.lowercased())
    }

    /// An address, or a network in CIDR notation; nil when it is neither.
    private static func network(_ text: String) throws(SyntaxFault) -> NetworkAddress.Network? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(parts[0]) else { return nil }
        guard parts.count == 2 else { return NetworkAddress.Network(address) }
        let isV4 = !parts[0].contains(":")
        let most: UInt8 = isV4 ? 32 : 128
        guard let length = UInt8(parts[1]), length <= most, String(length) == parts[1] else {
            throw SyntaxFault(
                at: parts[0].utf8.count, found: "the prefix \(JSONWriter.quoted("/" + parts[1], limit: 20))",
                expected: "a prefix from /0 to /\(most)")
        }
        let network = NetworkAddress.Network(address, length: isV4 ? 96 + length : length)
        guard network.address == address else {
            throw SyntaxFault(
                at: 0, found: "the network \(JSONWriter.quoted(text))",
                expected: "no bits behind the prefix", hint: "write \(network.address)/\(length)")
        }
        return network
    }

    private static func isLabel(_ label: Substring) -> Bool {
        guard (1...63).contains(label.utf8.count), label.utf8.first != UInt8(ascii: "-"),
            label.utf8.last != UInt8(ascii: "-")
        else { return false }
        // An underscore is not allowed in a host name by RFC 1123, but names of containers have it.
        return label.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
}
