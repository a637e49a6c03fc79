import CTaskHost
import TaskModel
import Wire

/// A plugin's argument is out of range.
struct MalformedTransfer: Error {
    /// For display: what; what to do.
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

extension TransferRequest {
    /// Reads the application's request, no further than its size.
    init(reading found: UnsafePointer<taskhost_transfer_request>) throws(MalformedTransfer) {
        let request = unsafe readStruct(found, taskhost_transfer_request())
        guard let kind = unsafe UInt8(exactly: request.kind).flatMap({ TransferKind(rawValue: $0) }) else {
            throw MalformedTransfer(
                unsafe "a transfer is of kind \(request.kind), and its struct_size is \(request.struct_size); set struct_size to "
                    + "sizeof(taskhost_transfer_request_t) and kind to TASKHOST_TRANSFER_DOWNLOAD or _UPLOAD")
        }
        func text(_ bytes: taskhost_bytes, _ name: String, most: Int) throws(MalformedTransfer) -> String {
            guard let text = unsafe bytes.text(most: most) else {
                throw MalformedTransfer(unsafe "\(name) of a transfer has \(bytes.length) bytes; use at most \(most)")
            }
            return text
        }
        let method = try unsafe text(request.method, "the method", most: 32)
        unsafe self.init(
            kind: kind, url: try text(request.url, "the URL", most: TransferLimit.url),
            method: method.isEmpty ? (kind == .download ? "GET" : "POST") : method)
        headers = try unsafe Self.headers(request.headers, request.header_count)
        file = try unsafe text(request.file, "the file's path", most: TransferLimit.url)
        unsafe self.text = Self.beginning(of: request.text)
        earliest =
            unsafe request.earliest == .min ? nil : Timestamp(nanoseconds: request.earliest)
        timeout = unsafe request.timeout > 0 ? TimeSpan(nanoseconds: request.timeout) : nil
        guard unsafe request.priority >= 0, unsafe request.priority <= 1 else {
            throw MalformedTransfer(
                unsafe "the priority of a transfer is \(request.priority); use a number from 0 to 1")
        }
        priority = unsafe request.priority
        allowsExpensive = unsafe request.flags & TASKHOST_TRANSFER_ALLOWS_EXPENSIVE != 0
        allowsConstrained = unsafe request.flags & TASKHOST_TRANSFER_ALLOWS_CONSTRAINED != 0
        expectedSend = unsafe request.expected_send < 0 ? nil : request.expected_send
        expectedReceive = unsafe request.expected_receive < 0 ? nil : request.expected_receive
        guard let digest = unsafe request.sha256.copied(most: 32), digest.isEmpty || digest.count == 32 else {
            throw MalformedTransfer(
                unsafe "the digest of a transfer has \(request.sha256.length) bytes; use 32, or none")
        }
        sha256 = digest.isEmpty ? nil : digest
        guard let data = unsafe request.resume_data.copied(most: TransferLimit.resumeData) else {
            throw MalformedTransfer(
                unsafe "the resume data of a transfer have \(request.resume_data.length) bytes; pass what a cancellation gave"
            )
        }
        resumeData = data
    }

    /// Some bytes more than are kept, so that the cut falls between two characters.
    private static func beginning(of bytes: taskhost_bytes) -> String {
        guard let start = unsafe bytes.bytes else { return "" }
        let count = unsafe min(Int(clamping: bytes.length), TransferLimit.text + 3)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func headers(
        _ start: UnsafePointer<taskhost_header>?, _ count: UInt64
    ) throws(MalformedTransfer) -> [HTTPHeader] {
        guard let start = unsafe start, count > 0 else { return [] }
        var (headers, size) = ([HTTPHeader](), 0)
        for index in 0..<Int(clamping: count) {
            let (name, value) = unsafe (start[index].name, start[index].value)
            let rest = TransferLimit.headers - size
            guard let nameText = unsafe name.text(most: rest),
                let valueText = unsafe value.text(most: rest - Int(name.length)),
                index < TransferLimit.headers
            else {
                throw MalformedTransfer(
                    "the headers of a transfer are too long; use at most \(TransferLimit.headers) bytes")
            }
            size += nameText.utf8.count + valueText.utf8.count
            headers.append(HTTPHeader(nameText, valueText))
        }
        return headers
    }

    /// Lends the request as the application sees it.
    func withC(_ body: (UnsafePointer<taskhost_transfer_request>) -> Void) {
        var loan = Loan()
        var flags: UInt32 = 0
        if allowsExpensive { flags |= TASKHOST_TRANSFER_ALLOWS_EXPENSIVE }
        if allowsConstrained { flags |= TASKHOST_TRANSFER_ALLOWS_CONSTRAINED }
        var request = unsafe taskhost_transfer_request(
            struct_size: UInt32(MemoryLayout<taskhost_transfer_request>.size), abi_version: TASKHOST_ABI_VERSION,
            kind: UInt32(kind.rawValue), flags: flags, url: loan.bytes(url), method: loan.bytes(method),
            headers: loan.headers(headers), header_count: UInt64(headers.count), file: loan.bytes(file),
            text: loan.bytes(text), earliest: earliest?.nanoseconds ?? .min,
            timeout: timeout?.nanoseconds ?? 0, expected_send: expectedSend ?? -1,
            expected_receive: expectedReceive ?? -1, sha256: loan.bytes(sha256 ?? []),
            resume_data: loan.bytes(resumeData), priority: priority, reserved: 0)
        unsafe body(&request)
    }
}

extension BackgroundTransfer {
    /// Lends the transfer as the application may know it.
    func withC(_ body: (UnsafePointer<taskhost_known_transfer>) -> Void) {
        unsafe request.withC { request in
            var known = unsafe taskhost_known_transfer(
                struct_size: UInt32(MemoryLayout<taskhost_known_transfer>.size), abi_version: TASKHOST_ABI_VERSION,
                number: number, is_suspended: standing == .suspended ? 1 : 0, received: progress.received,
                sent: progress.sent, total: progress.total ?? -1, request: request, state: UInt32(standing.rawValue),
                reserved: 0)
            unsafe body(&known)
        }
    }
}

extension OpenSession {
    /// Reads the application's options.
    init(
        _ identifier: UnsafePointer<CChar>, _ found: UnsafePointer<taskhost_session_options>?
    ) throws(MalformedTransfer) {
        guard let text = unsafe readText(identifier, most: TransferLimit.identifier), !text.isEmpty else {
            throw MalformedTransfer(
                "a session's identifier is empty or too long; use 1 to \(TransferLimit.identifier) bytes")
        }
        self.init(identifier: text, options: SessionOptions())
        guard let found = unsafe found else { return }
        let values = unsafe readStruct(found, taskhost_session_options())
        options.isDiscretionary = unsafe values.flags & TASKHOST_SESSION_DISCRETIONARY != 0
        options.sendsLaunchEvents = unsafe values.flags & TASKHOST_SESSION_SENDS_LAUNCH_EVENTS != 0
        options.allowsExpensive = unsafe values.flags & TASKHOST_SESSION_ALLOWS_EXPENSIVE != 0
        options.allowsConstrained = unsafe values.flags & TASKHOST_SESSION_ALLOWS_CONSTRAINED != 0
        asksServerTrust = unsafe values.flags & TASKHOST_SESSION_ASKS_SERVER_TRUST != 0
        guard let connections = unsafe UInt16(exactly: values.connections_per_host), unsafe values.request_timeout >= 0,
            unsafe values.resource_timeout >= 0, let proxy = unsafe values.proxy.text(most: TransferLimit.url)
        else {
            throw MalformedTransfer(
                "the options of session \(text) are out of their range; use at most 65535 connections a host, no negative "
                    + "times, and a proxy of at most \(TransferLimit.url) bytes")
        }
        if connections > 0 { options.connectionsPerHost = connections }
        if unsafe values.request_timeout > 0 {
            options.requestTimeout = unsafe TimeSpan(nanoseconds: values.request_timeout)
        }
        if unsafe values.resource_timeout > 0 {
            options.resourceTimeout = unsafe TimeSpan(nanoseconds: values.resource_timeout)
        }
        guard ProxyAddress.isSound(proxy) else {
            throw MalformedTransfer(
                "the proxy of session \(text) is no URL of a proxy; write http://host:port, with user:password@ before the "
                    + "host if it wants them")
        }
        options.proxy = proxy
    }
}
