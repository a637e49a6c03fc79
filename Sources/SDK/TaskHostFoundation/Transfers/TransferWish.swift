internal import CTaskHost
internal import TaskHostRuntime

/// One task's request: `taskhost_transfer_request_t`.
struct TransferWish: Sendable {
    var url: String
    var method: String
    var headers: [(String, String)] = []
    /// For an upload: the path of the file.
    var file = ""
    var text = ""
    var earliest: Date?
    /// Seconds without any byte; nil: the session's.
    var timeout: Double?
    var allowsExpensive = true
    var resumeData = Data()
    var priority: Float = 0.5

    init(url: String, method: String) {
        self.url = url
        self.method = method
    }

    /// - Parameter configuration: the configuration whose headers and cookies are added where the request has none.
    init(_ request: URLRequest, _ configuration: URLSessionConfiguration) {
        url = request.url?.absoluteString ?? ""
        method = request.httpMethod ?? "GET"
        headers = (request.allHTTPHeaderFields ?? [:]).map { ($0, $1) }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            guard let name = name as? String else { continue }
            add(name, "\(value)")
        }
        if request.httpShouldHandleCookies, configuration.httpShouldSetCookies, let url = request.url,
            let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
        {
            for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) { add(name, value) }
        }
        headers.sort { $0.0 < $1.0 }
        timeout = request.timeoutInterval == 60 ? nil : request.timeoutInterval
        allowsExpensive = request.allowsCellularAccess
    }

    private mutating func add(_ name: String, _ value: String) {
        guard !headers.contains(where: { $0.0.caseInsensitiveCompare(name) == .orderedSame }) else { return }
        headers.append((name, value))
    }

    /// As the application had it. nil: its URL is none.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in headers { request.addValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Lends it to the host.
    func withC<Result>(isDownload: Bool, _ body: (UnsafePointer<taskhost_transfer_request_t>) -> Result) -> Result {
        var lent: [UnsafeMutableRawPointer] = unsafe []
        defer { unsafe lent.forEach { unsafe $0.deallocate() } }
        func lend(_ bytes: some Collection<UInt8>) -> taskhost_bytes_t {
            guard !bytes.isEmpty else { return unsafe taskhost_bytes_t() }
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
            unsafe copy.copyBytes(from: bytes)
            unsafe copy[bytes.count] = 0
            guard let start = copy.baseAddress else { return unsafe taskhost_bytes_t() }
            unsafe lent.append(start)
            return unsafe taskhost_bytes_t(
                bytes: start.assumingMemoryBound(to: CChar.self), length: UInt64(bytes.count))
        }
        let fields = unsafe headers.map { unsafe taskhost_header_t(name: lend($0.0.utf8), value: lend($0.1.utf8)) }
        return unsafe fields.withUnsafeBufferPointer { fields in
            var request = unsafe taskhost_transfer_request_t()
            unsafe request.struct_size = unsafe UInt32(MemoryLayout<taskhost_transfer_request_t>.size)
            unsafe request.abi_version = TASKHOST_ABI_VERSION
            unsafe request.kind = isDownload ? TASKHOST_TRANSFER_DOWNLOAD : TASKHOST_TRANSFER_UPLOAD
            unsafe request.flags = TASKHOST_TRANSFER_ALLOWS_CONSTRAINED
            if allowsExpensive { unsafe request.flags |= TASKHOST_TRANSFER_ALLOWS_EXPENSIVE }
            unsafe (request.url, request.method) = unsafe (lend(url.utf8), lend(method.utf8))
            unsafe (request.headers, request.header_count) = (fields.baseAddress, UInt64(fields.count))
            unsafe (request.file, request.text) = unsafe (lend(file.utf8), lend(text.utf8))
            unsafe request.earliest = earliest?.hostNanoseconds ?? .min
            unsafe request.timeout = timeout?.hostNanoseconds ?? 0
            unsafe (request.expected_send, request.expected_receive) = (-1, -1)
            unsafe request.resume_data = unsafe lend(resumeData)
            unsafe request.priority = priority
            return unsafe body(&request)
        }
    }
}

extension SessionLink.Known {
    init(_ known: UnsafePointer<taskhost_known_transfer_t>) {
        // An older worker sends less, and nothing may be read beyond that.
        let isNew = unsafe Int(known.pointee.struct_size) >= MemoryLayout<taskhost_known_transfer_t>.size
        let told = unsafe isNew ? URLSessionTask.State(rawValue: Int(known.pointee.state)) : nil
        let request = unsafe known.pointee.request.pointee
        var wish = unsafe TransferWish(url: String(request.url), method: String(request.method))
        wish.headers = unsafe UnsafeBufferPointer(start: request.headers, count: Int(request.header_count)).map {
            unsafe (String($0.name), String($0.value))
        }
        (wish.file, wish.text) = unsafe (String(request.file), String(request.text))
        wish.earliest =
            unsafe request.earliest == .min ? nil : Date(timeIntervalSince1970: Double(request.earliest) / 1e9)
        wish.priority = unsafe request.priority
        unsafe self.init(
            number: Int(known.pointee.number), isDownload: request.kind == TASKHOST_TRANSFER_DOWNLOAD,
            state: told ?? (known.pointee.is_suspended != 0 ? .suspended : .running), wish: wish,
            received: known.pointee.received,
            sent: known.pointee.sent, total: known.pointee.total)
    }
}

/// What resumes a task: the host's own archive, and the request that goes with it.
struct ResumeArchive: Codable {
    var url: String
    var method: String
    var headers: [[String]]
    var host: Data
    /// For an upload: the path of the file; nil: it is a download.
    var file: String?

    /// nil: the host gave none.
    static func data(of host: Data, _ request: URLRequest, file: String?) -> Data? {
        guard !host.isEmpty else { return nil }
        let archive = ResumeArchive(
            url: request.url?.absoluteString ?? "", method: request.httpMethod ?? "GET",
            headers: (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { [$0.key, $0.value] },
            host: host, file: file)
        return try? JSONEncoder().encode(archive)
    }

    /// nil: the data are not ours.
    static func read(_ data: Data) -> (request: URLRequest, host: Data, file: String?)? {
        guard let archive = try? JSONDecoder().decode(ResumeArchive.self, from: data),
            let url = URL(string: archive.url)
        else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = archive.method
        for header in archive.headers where header.count == 2 {
            request.addValue(header[1], forHTTPHeaderField: header[0])
        }
        return (request, archive.host, archive.file)
    }
}
