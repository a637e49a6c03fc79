/// The parts of a URL of HTTP that the host needs: libcurl parses it fully, in the process that contacts servers.
package struct WebURL: Equatable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case; of an IPv6 address without its brackets.
    package let host: String
    package let port: UInt16

    /// nil: it is not an absolute URL of HTTP.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return nil
        }
        scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https", text[colon...].hasPrefix("://") else { return nil }
        let rest = text[colon...].dropFirst(3)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        var portText = ""
        if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<close].lowercased()
            let after = authority[authority.index(after: close)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            portText = String(after.dropFirst())
        } else {
            let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = parts[0].lowercased()
            portText = parts.count > 1 ? String(parts[1]) : ""
        }
        guard !host.isEmpty else { return nil }
        if portText.isEmpty {
            port = scheme == "https" ? 443 : 80
        } else {
            guard let number = UInt16(portText), number > 0 else { return nil }
            port = number
        }
    }

    /// Scheme, host and port, the port left out where it is the scheme's.
    package var origin: String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (isUsual ? "" : ":\(port)")
    }
}
