/// The fields of a request's header that the server itself uses.
struct RequestHeader {
    private var lengths: [String] = []
    private(set) var encodings: [String] = []
    private var types: [String] = []
    private var contentEncodings: [String] = []
    private(set) var hosts: [String] = []
    private(set) var origins: [String] = []
    /// Where the page that asks comes from, as browsers say it (Fetch Metadata).
    private(set) var fetchSites: [String] = []
    /// The id of the last event that the client has received; nil: it has none.
    private(set) var lastEventID: String?
    /// The types that the client takes; nil: any.
    private(set) var accept: String?
    /// The span that asks (W3C Trace Context); nil: none is named.
    private(set) var traceparent: String?
    /// The credentials; nil: none, or several.
    var authorization: String? { credentials.count == 1 ? credentials[0] : nil }
    private(set) var credentials: [String] = []

    /// Names compare without case (RFC 9110 §5.1).
    mutating func note(_ name: String, _ value: String) {
        switch name.lowercased() {
        case "content-length": lengths.append(value)
        case "transfer-encoding": encodings.append(value.lowercased())
        case "content-type": types.append(value.lowercased())
        case "content-encoding": contentEncodings.append(value.lowercased())
        case "host": hosts.append(value.lowercased())
        case "origin": origins.append(value.lowercased())
        case "sec-fetch-site": fetchSites.append(value.lowercased())
        case "last-event-id": lastEventID = value
        case "traceparent": traceparent = value
        case "authorization": credentials.append(value)
        case "accept": accept = accept.map { "\($0), \(value)" } ?? value
        default: break
        }
    }

    /// The length that a body has, if it has one of a length that fits.
    var length: Int? { lengths.first.flatMap { Int($0) } }

    /// Refuses requests that a browser sends for a page of another site: through a proxy before the socket, with or without
    /// a body. No page of another origin may send requests, nor one whose own name resolves to this address (DNS rebinding).
    /// Clients of the socket may use any name that is not an Internet name: `localhost`, or a single word.
    func checkSource() throws(Problem) {
        for host in hosts where hosts.count > 1 || !Self.isLocal(host) { throw .foreignHost(host) }
        // The same origin is allowed: its own pages, of which this server has none, and some client libraries send it.
        for origin in origins where origin != "http://\(hosts.first ?? "")" { throw .foreignOrigin(origin) }
    }

    /// Whether a Host is this machine: nothing, a word without dots, or a loopback address; with a port or without.
    private static func isLocal(_ host: String) -> Bool {
        let isBracketed = host.hasPrefix("[")
        let end = host.firstIndex(of: isBracketed ? "]" : ":") ?? host.endIndex
        let rest = isBracketed ? host[end...].dropFirst() : host[end...]
        guard rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy(\.isWholeNumber) else { return false }
        if isBracketed { return host[..<end] == "[::1" }
        let parts = host[..<end].split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 1 || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Refuses what would be misread, or not read at all.
    func check(limit: Int) throws(Problem) {
        // If two parsers may disagree about the end of a request, its second half could be read as another request.
        guard lengths.count <= 1, encodings.isEmpty || lengths.isEmpty else { throw .ambiguousLength }
        // libmicrohttpd would wait for the end of any other encoding for ever.
        guard encodings.isEmpty || encodings == ["chunked"] else {
            throw .unknownEncoding("Transfer-Encoding: \(encodings.joined(separator: ", "))", expected: "chunked")
        }
        guard contentEncodings.allSatisfy({ $0 == "identity" }) else {
            throw .unsupportedMedia("Content-Encoding: \(contentEncodings.joined(separator: ", "))")
        }
        guard let text = lengths.first else {
            if !encodings.isEmpty { try checkType() }
            return
        }
        // A length beyond Int is beyond the limit: libmicrohttpd has refused text that is not a number.
        let length = Int(text) ?? .max
        guard length <= limit else { throw .bodyTooLarge(limit: limit) }
        if length > 0 { try checkType() }
    }

    private func checkType() throws(Problem) {
        let media = types.first?.split(separator: ";", maxSplits: 1).first.map { $0.filter { $0 != " " && $0 != "\t" } }
        guard types.count == 1, media == "application/json" else {
            throw .unsupportedMedia(types.first.map { "Content-Type: \($0)" } ?? "no Content-Type")
        }
    }
}
