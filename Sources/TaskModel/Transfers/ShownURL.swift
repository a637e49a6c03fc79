/// What of a URL may be shown: neither its user and password, nor its query and fragment, which may be secrets.
package enum ShownURL {
    /// The text for an invalid URL.
    package static let none = "(no URL)"

    /// `scheme://host:port/path`; any other URL is not shown at all.
    package static func text(of url: String) -> String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return none
        }
        let start = bytes.index(colon, offsetBy: 3)
        let rest = bytes[start...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map(bytes.index(after:)) ?? start
        if host == start && rest.endIndex == bytes.endIndex { return url }
        return String(url[..<start]) + String(url[host..<rest.endIndex])
    }
}
