import CCurl
import TaskModel

/// An absolute URL with `http` or `https`, in the normal form that libcurl gives it, without fragment.
struct TransferURL: Equatable {
    /// Without user and password.
    let text: String
    let isSecure: Bool
    /// In small letters; an IPv6 address without its brackets.
    let host: String
    let port: UInt16
    /// Percent-decoded; empty: the URL has none.
    let user: String
    let password: String
    /// Scheme, host and path alone, which may be shown to anyone.
    let shown: String

    /// nil: it is not such a URL.
    init?(_ text: String) { self.init(text, relativeTo: nil) }

    /// The target of `reference` in an answer of this URL (RFC 3986 5); nil: it cannot be followed.
    func resolving(_ reference: String) -> TransferURL? {
        reference.isEmpty ? nil : TransferURL(reference, relativeTo: text)
    }

    private init?(_ text: String, relativeTo base: String?) {
        // A NUL would end it early.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), let handle = unsafe curl_url() else {
            return nil
        }
        defer { unsafe curl_url_cleanup(handle) }
        if let base {
            guard unsafe curl_url_set(handle, CURLUPART_URL, base, 0) == CURLUE_OK else { return nil }
        }
        // Blanks and bytes beyond ASCII, which servers do send in Location, are encoded.
        guard unsafe curl_url_set(handle, CURLUPART_URL, text, Self.encodes) == CURLUE_OK else { return nil }
        func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard unsafe curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value = unsafe value else {
                return nil
            }
            defer { unsafe curl_free(value) }
            return unsafe String(cString: value)
        }
        switch part(CURLUPART_SCHEME) {
        case "http": isSecure = false
        case "https": isSecure = true
        default: return nil
        }
        guard var host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = part(CURLUPART_PORT, Self.defaultPort).flatMap({ UInt16($0) }), port != 0
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        // `example.com.` is the same host.
        if host.hasSuffix("."), host != "." { host.removeLast() }
        self.host = host
        self.port = port
        user = part(CURLUPART_USER, Self.decodes) ?? ""
        password = part(CURLUPART_PASSWORD, Self.decodes) ?? ""
        for piece in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] {
            unsafe curl_url_set(handle, piece, nil, 0)
        }
        guard let whole = part(CURLUPART_URL) else { return nil }
        self.text = whole
        unsafe curl_url_set(handle, CURLUPART_QUERY, nil, 0)
        shown = part(CURLUPART_URL) ?? ""
    }

    /// Whether credentials for this one are for the other too: scheme, host and port are the same (RFC 6454 4).
    func hasOrigin(of other: TransferURL) -> Bool {
        isSecure == other.isSecure && host == other.host && port == other.port
    }

    /// The host where it is written as an address.
    var address: NetworkAddress? { NetworkAddress(host) }

    // Macros of <curl/urlapi.h>: CURLU_DEFAULT_PORT, CURLU_URLDECODE, CURLU_URLENCODE.
    private static let defaultPort: UInt32 = 1 << 0
    private static let decodes: UInt32 = 1 << 6
    private static let encodes: UInt32 = 1 << 7
}
