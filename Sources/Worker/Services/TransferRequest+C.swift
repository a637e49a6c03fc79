import CTaskHost
import TaskModel
import Wire

/// What a plugin asked for is out of its range.
struct TransferFault: Error {
    /// For people: what; what to do.
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

extension TransferRequest {
    /// Reads what the application passed, no further than its size says.
    init(reading found: UnsafePointer<taskhost_transfer_request>) throws(TransferFault) {
        let request = readStruct(found, taskhost_transfer_request())
        guard let kind = UInt8(exactly: request.kind).flatMap({ TransferKind(rawValue: $0) }) else {
            throw TransferFault(
                "a transfer is of kind \(request.kind), and its struct_size is \(request.struct_size); set struct_size to "
                    + "sizeof(taskhost_transfer_request_t) and kind to TASKHOST_TRANSFER_DOWNLOAD or _UPLOAD")
        }
        func text(_ bytes: taskhost_bytes, _ name: String, most: Int) throws(TransferFault) -> String {
            guard let text = bytes.text(most: most) else {
                throw TransferFault("\(name) of a transfer has \(bytes.length) bytes; use at most \(most)")
            }
            return text
        }
        let method = try text(request.method, "the method", most: 32)
        self.init(
            kind: kind, url: try text(request.url, "the URL", most: TransferLimit.url),
            method: method.isEmpty ? (kind == .download ? "GET" : "POST") : method)
        headers = try Self.headers(request.headers, request.header_count)
        file = try text(request.file, "the file's path", most: TransferLimit.url)
        self.text = Self.beginning(of: request.text)
        earliest =
            request.earliest == .min ? nil : Timestamp(nanoseconds: request.earliest)
        timeout = request.timeout > 0 ? TimeSpan(nanoseconds: request.timeout) : nil
        guard request.priority >= 0, request.priority <= 1 else {
            throw TransferFault("the priority of a transfer is \(request.priority); use a number from 0 to 1")
        }
        priority = request.priority
        allowsExpensive = request.flags & TASKHOST_TRANSFER_ALLOWS_EXPENSIVE != 0
        allowsConstrained = request.flags & TASKHOST_TRANSFER_ALLOWS_CONSTRAINED != 0
        expectedSend = request.expected_send < 0 ? nil : request.expected_send
        expectedReceive = request.expected_receive < 0 ? nil : request.expected_receive
        guard let digest = request.sha256.copied(most: 32), digest.isEmpty || digest.count == 32 else {
            throw TransferFault("the digest of a transfer has \(request.sha256.length) bytes; use 32, or none")
        }
        sha256 = digest.isEmpty ? nil : digest
        guard let data = request.resume_data.copied(most: TransferLimit.resumeData) else {
            throw TransferFault(
                "the resume data of a transfer have \(request.resume_data.length) bytes; pass what a cancellation gave")
        }
        resumeData = data
    }

    /// Some bytes more than are kept, so that the cut falls between two characters.
    private static func beginning(of bytes: taskhost_bytes) -> String {
        guard let start = bytes.bytes else { return "" }
        let count = min(Int(clamping: bytes.length), TransferLimit.text + 3)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func headers(
        _ start: UnsafePointer<taskhost_header>?, _ count: UInt64
    ) throws(TransferFault) -> [HTTPHeader] {
        guard let start, count > 0 else { return [] }
        var (headers, size) = ([HTTPHeader](), 0)
        for index in 0..<Int(clamping: count) {
            let (name, value) = (start[index].name, start[index].value)
            let rest = TransferLimit.headers - size
            guard let nameText = name.text(most: rest), let valueText = value.text(most: rest - Int(name.length)),
                index < TransferLimit.headers
            else {
                throw TransferFault(
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
        var request = taskhost_transfer_request(
            struct_size: UInt32(MemoryLayout<taskhost_transfer_request>.size), abi_version: TASKHOST_ABI_VERSION,
            kind: UInt32(kind.rawValue), flags: flags, url: loan.bytes(url), method: loan.bytes(method),
            headers: loan.headers(headers), header_count: UInt64(headers.count), file: loan.bytes(file),
            text: loan.bytes(text), earliest: earliest?.nanoseconds ?? .min,
            timeout: timeout?.nanoseconds ?? 0, expected_send: expectedSend ?? -1,
            expected_receive: expectedReceive ?? -1, sha256: loan.bytes(sha256 ?? []),
            resume_data: loan.bytes(resumeData), priority: priority, reserved: 0)
        body(&request)
    }
}

extension KnownTransfer {
    /// Lends the transfer as the application sees it.
    func withC(_ body: (UnsafePointer<taskhost_known_transfer>) -> Void) {
        request.withC { request in
            var known = taskhost_known_transfer(
                struct_size: UInt32(MemoryLayout<taskhost_known_transfer>.size), abi_version: TASKHOST_ABI_VERSION,
                number: number, is_suspended: standing == .suspended ? 1 : 0, received: received, sent: sent,
                total: total ?? -1, request: request, state: UInt32(standing.rawValue), reserved: 0)
            body(&known)
        }
    }
}

extension OpenSession {
    /// Reads what the application passed.
    init(
        _ identifier: UnsafePointer<CChar>, _ found: UnsafePointer<taskhost_session_options>?
    ) throws(TransferFault) {
        guard let text = readText(identifier, most: TransferLimit.identifier), !text.isEmpty else {
            throw TransferFault(
                "a session's identifier is empty or too long; use 1 to \(TransferLimit.identifier) bytes")
        }
        self.init(identifier: text, options: SessionOptions())
        guard let found else { return }
        let values = readStruct(found, taskhost_session_options())
        options.isDiscretionary = values.flags & TASKHOST_SESSION_DISCRETIONARY != 0
        options.sendsLaunchEvents = values.flags & TASKHOST_SESSION_SENDS_LAUNCH_EVENTS != 0
        options.allowsExpensive = values.flags & TASKHOST_SESSION_ALLOWS_EXPENSIVE != 0
        options.allowsConstrained = values.flags & TASKHOST_SESSION_ALLOWS_CONSTRAINED != 0
        asksServerTrust = values.flags & TASKHOST_SESSION_ASKS_SERVER_TRUST != 0
        guard let connections = UInt16(exactly: values.connections_per_host), values.request_timeout >= 0,
            values.resource_timeout >= 0, let proxy = values.proxy.text(most: TransferLimit.url)
        else {
            throw TransferFault(
                "the options of session \(text) are out of their range; use at most 65535 connections a host, no negative "
                    + "times, and a proxy of at most \(TransferLimit.url) bytes")
        }
        if connections > 0 { options.connectionsPerHost = connections }
        if values.request_timeout > 0 { options.requestTimeout = TimeSpan(nanoseconds: values.request_timeout) }
        if values.resource_timeout > 0 { options.resourceTimeout = TimeSpan(nanoseconds: values.resource_timeout) }
        options.proxy = proxy
    }
}
