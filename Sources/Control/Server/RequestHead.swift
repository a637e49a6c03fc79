/// What a server's own rule sees of a request before a byte of its body is read.
package struct RequestHead: Sendable {
    /// As it was sent, such as `GET`.
    package var method: String
    /// Decoded, without the query.
    package var path: String
    /// The values of `Host`, `Origin` and `Sec-Fetch-Site`, in lower case.
    package var hosts: [String] = []
    package var origins: [String] = []
    package var fetchSites: [String] = []
    /// The values of `Authorization`.
    package var credentials: [String] = []
    /// The length of the body; nil: none is named.
    package var length: Int?
    /// The body comes in chunks, so its length is not known.
    package var isChunked = false

    package init(_ method: String, _ path: String) {
        self.method = method
        self.path = path
    }

    init(_ method: String, _ path: String, _ header: RequestHeader) {
        self.init(method, path)
        hosts = header.hosts
        origins = header.origins
        fetchSites = header.fetchSites
        credentials = header.credentials
        length = header.length
        isChunked = !header.encodings.isEmpty
    }
}
