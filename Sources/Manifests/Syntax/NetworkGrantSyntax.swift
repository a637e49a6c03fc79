import JSON
package import TaskModel

/// `"host:port"`, `"*:port"`, `"[v6]:port"` of `permissions.network`.
package enum NetworkGrantSyntax {
    /// Reads a grant. An IPv6 address loses its brackets.
    ///
    /// - Throws: why it is none.
    package static func parse(_ text: String) throws(SyntaxFault) -> NetworkGrant {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !text.hasSuffix("]") else {
            throw SyntaxFault(
                at: bytes.count, found: "no port", expected: "\"host:port\", \"*:port\" or \"[address]:port\"",
                hint: "add the port, such as \":443\"")
        }
        let host = String(decoding: bytes[..<colon], as: UTF8.self)
        let digits = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        guard digits.utf8.allSatisfy(ASCII.isDigit), !digits.hasPrefix("0"), let port = UInt16(digits) else {
            throw SyntaxFault(
                at: colon + 1, found: "the port \(JSONWriter.quoted(digits, limit: 20))",
                expected: "a port from 1 to 65535")
        }
        return NetworkGrant(host: try checked(host), port: port)
    }

    private static func checked(_ host: String) throws(SyntaxFault) -> String {
        if host == "*" { return host }
        if host.hasPrefix("[") {
            let inner = String(host.dropFirst().dropLast())
            guard host.hasSuffix("]"), isIPv6(inner) else {
                throw SyntaxFault(
                    at: 0, found: "the host \(JSONWriter.quoted(host))", expected: "an IPv6 address in brackets")
            }
            return inner
        }
        guard !host.contains(":") else {
            throw SyntaxFault(
                at: 0, found: "the host \(JSONWriter.quoted(host))", expected: "a host name or an address",
                hint: host.contains("//") ? "leave out the scheme" : "put an IPv6 address in brackets")
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let looksNumeric = host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard looksNumeric ? isIPv4(host) : host.utf8.count <= 253 && labels.allSatisfy(isLabel) else {
            throw SyntaxFault(
                at: 0, found: "the host \(JSONWriter.quoted(host))", expected: "a host name, an address or \"*\"",
                hint: host.contains("*") ? "\"*\" stands for any host and cannot be a part of a name" : nil)
        }
        return host
    }

    private static func isLabel(_ label: Substring) -> Bool {
        guard (1...63).contains(label.utf8.count), label.utf8.first != UInt8(ascii: "-"),
            label.utf8.last != UInt8(ascii: "-")
        else { return false }
        // An underscore is no host name by RFC 1123, but names of containers have it.
        return label.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }

    static func isIPv4(_ text: String) -> Bool {
        let octets = text.split(separator: ".", omittingEmptySubsequences: false)
        // A leading zero is octal to inet_aton(3) and decimal to others: refused.
        return octets.count == 4
            && octets.allSatisfy { octet in
                octet.utf8.allSatisfy(ASCII.isDigit) && UInt8(octet) != nil && (octet == "0" || !octet.hasPrefix("0"))
            }
    }

    /// RFC 4291 §2.2: eight groups, one run of them as `::`, the last two as IPv4 if so wished. No zone.
    static func isIPv6(_ text: String) -> Bool {
        var groups = 0
        var compressed = false
        var rest = Substring(text)
        if rest.hasPrefix("::") {
            compressed = true
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let group = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(group.count)
            if group.contains(".") {
                groups += 2
                guard rest.isEmpty, isIPv4(String(group)) else { return false }
                break
            }
            guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy(ASCII.isHexDigit) else { return false }
            groups += 1
            if rest.hasPrefix("::") {
                guard !compressed else { return false }
                compressed = true
                rest = rest.dropFirst(2)
            } else if !rest.isEmpty {
                rest = rest.dropFirst()
                guard !rest.isEmpty else { return false }
            }
        }
        return compressed ? groups <= 7 : groups == 8
    }
}
