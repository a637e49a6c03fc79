import CCurl
import TaskModel
import Wire

extension Attempt {
    /// What this order is about.
    static func conversation(for order: TransferOrder, source: OpenFile?) -> Guide {
        guard let source else { return Guide(Download(order), order) }
        return Guide(Upload(order, source: source), order)
    }

    /// Bytes that are received at once: the most that curl takes.
    private static let bufferSize = 512 << 10

    /// Sets all options of an exchange.
    ///
    /// - Returns: the header lines, which must live as long as the exchange.
    func configure(
        _ easy: UnsafeMutableRawPointer, _ request: ExchangeRequest
    ) throws(TransferFault) -> UnsafeMutablePointer<curl_slist>? {
        guard unsafe taskhost_curl_set_pointer(easy, CURLOPT_URL, request.url.text) == CURLE_OK else {
            throw TransferFault(.failed, .badURL, "the URL cannot be read")
        }
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = unsafe taskhost_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        _ = unsafe taskhost_curl_set_number(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
        _ = unsafe taskhost_curl_set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // Silence is watched over by the service, for all at once.
        _ = unsafe taskhost_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(order.timeout.nanoseconds / 1_000_000))
        try unsafe setMethod(easy, request.method)
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        unsafe setProxy(easy)
        unsafe setCredentials(easy, request)
        try unsafe setSecurity(easy, request)
        unsafe setContent(easy, request)
        return try unsafe Self.setHeaders(easy, request.headers)
    }

    private func setMethod(_ easy: UnsafeMutableRawPointer, _ method: String) throws(TransferFault) {
        switch method {
        case "GET": _ = unsafe taskhost_curl_set_number(easy, CURLOPT_HTTPGET, 1)
        case "HEAD": _ = unsafe taskhost_curl_set_number(easy, CURLOPT_NOBODY, 1)
        default:
            guard Self.isToken(method) else {
                throw TransferFault(.failed, .badURL, "the request's method is not a token")
            }
            _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_CUSTOMREQUEST, method)
        }
    }

    /// Those that frame the message, or belong to the connection, are libcurl's own.
    private static let reserved = [
        "content-length", "transfer-encoding", "connection", "host", "te", "upgrade", "expect",
    ]

    private static func setHeaders(
        _ easy: UnsafeMutableRawPointer, _ headers: [HTTPHeader]
    ) throws(TransferFault) -> UnsafeMutablePointer<curl_slist>? {
        var lines: UnsafeMutablePointer<curl_slist>?
        func add(_ line: String) { unsafe lines = unsafe curl_slist_append(lines, line) ?? lines }
        var names: Set<String> = []
        for header in headers {
            guard isToken(header.name), !header.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 })
            else {
                unsafe curl_slist_free_all(lines)
                throw TransferFault(.failed, .badURL, "a header of the request is none that HTTP can carry")
            }
            let name = header.name.lowercased()
            guard !reserved.contains(name) else { continue }
            names.insert(name)
            // An empty value is written with a semicolon (CURLOPT_HTTPHEADER(3)).
            add(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        // A coding would make the bytes that came others than those of a range.
        if !names.contains("accept-encoding") { add("Accept-Encoding: identity") }
        if !names.contains("user-agent") { add("User-Agent: taskhost") }
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_HTTPHEADER, lines)
        return unsafe lines
    }

    /// RFC 9110 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
