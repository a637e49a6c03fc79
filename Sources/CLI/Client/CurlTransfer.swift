import CCurl
import Control
import TaskModel

/// One easy handle of libcurl. Thread: the one that made it.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    /// Gets each piece of a body, valid for the call; false ends the transfer.
    var onBytes: (UnsafeRawBufferPointer) -> Bool = { _ in true }
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var body: [UInt8] = []
    /// Lent to libcurl, which may still write to it while the handle is cleaned up.
    private let unconnected = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    /// The transfer failed because there was no connection: nothing of it reached the host.
    var wasUnconnected: Bool { unconnected.pointee != 0 }

    init() {
        guard let handle = curl_easy_init() else { preconditionFailure("libcurl has memory for a handle") }
        self.handle = handle
        unconnected.initialize(to: 0)
    }

    deinit {
        curl_easy_cleanup(handle)
        unconnected.deallocate()
        curl_slist_free_all(headers)
    }

    /// Sets everything of the next request; the connection is used again.
    func prepare(_ request: ControlRequest, socket: String) {
        curl_easy_reset(handle)
        curl_slist_free_all(headers)
        headers = nil
        body = request.body
        // The pointers of texts are copied by libcurl, except that of the body, which `perform` sets.
        set(CURLOPT_UNIX_SOCKET_PATH, socket)
        unconnected.pointee = 0
        taskhost_curl_watch_close(handle, unconnected)
        set(CURLOPT_URL, "http://localhost" + RequestTarget.text(path: request.path, query: request.query))
        set(CURLOPT_PROTOCOLS_STR, "http")
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        // No proxy of the environment has to do with a socket.
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_NOSIGNAL, 1)
        if !body.isEmpty {
            add("Content-Type: application/json")
            // Without this libcurl would wait for a 100 before large bodies.
            add("Expect:")
            set(CURLOPT_POSTFIELDSIZE, body.count)
            // Copied as well, of the size that was set before.
            body.withUnsafeBytes {
                _ = taskhost_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
            }
        }
        if let headers { _ = taskhost_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = taskhost_curl_set_writer(
            handle,
            { bytes, size, count, context in
                guard let context else { return 0 }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return transfer.onBytes(piece) ? piece.count : 0
            }, context)
    }

    func limit(seconds: Int) { set(CURLOPT_TIMEOUT, seconds) }

    /// Asks and waits for the end.
    func perform() -> CURLcode { curl_easy_perform(handle) }

    /// 0 until the reply's first line is there.
    var status: Int { taskhost_curl_status(handle) }
    var contentType: String { taskhost_curl_type(handle).map { String(cString: $0) } ?? "" }
    /// Bytes of the reply's body; 0 when it does not say.
    var length: Int64 { max(0, taskhost_curl_length(handle)) }
    func text(of code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

    private func set(_ option: CURLoption, _ number: Int) { _ = taskhost_curl_set_number(handle, option, number) }
    private func set(_ option: CURLoption, _ text: String) {
        _ = text.withCString { taskhost_curl_set_pointer(handle, option, $0) }
    }
    private func add(_ header: String) { headers = curl_slist_append(headers, header) }
}

/// One transfer beside other things to wait for.
final class CurlMulti {
    enum Wake {
        case transfer
        case inputs([Int32])
        case timeout
    }

    private let multi: UnsafeMutableRawPointer
    private let transfer: CurlTransfer

    init(_ transfer: CurlTransfer) {
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl has memory for a handle") }
        self.multi = multi
        self.transfer = transfer
        curl_multi_add_handle(multi, transfer.handle)
    }

    deinit {
        curl_multi_remove_handle(multi, transfer.handle)
        curl_multi_cleanup(multi)
    }

    /// Goes on with the transfer; how it ended, once it has.
    func perform() -> CURLcode? {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return nil
    }

    /// Waits until the transfer can go on, one of the inputs can be read, or the time is over.
    func wait(_ inputs: [Int32], _ pause: TimeSpan?) -> Wake {
        var others = inputs.map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
        // Without a limit libcurl takes its own deadlines into account; a day stands for "none".
        let milliseconds = pause.map { Int32(clamping: ($0.nanoseconds + 999_999) / 1_000_000) } ?? 86_400_000
        var count: Int32 = 0
        curl_multi_poll(multi, &others, UInt32(others.count), milliseconds, &count)
        let ready = others.filter { $0.revents != 0 }.map(\.fd)
        if !ready.isEmpty { return .inputs(ready) }
        return count == 0 && pause != nil ? .timeout : .transfer
    }
}
