import CCurl
import Linux
import TaskModel

/// libcurl's multi interface in the process's epoll loop.
// Its handles are its own from init to deinit; one thread.
@safe final class CurlMulti {
    private let multi: UnsafeMutableRawPointer
    private let poller: Poller
    /// Ready handles for further exchanges: their memory is kept.
    private var spare: [UnsafeMutableRawPointer] = unsafe []
    /// When curl has to be called.
    private(set) var deadline = Instant.distantFuture

    /// Idle connections that are kept for further transfers.
    private static let mostConnections = 128
    private static let mostSpare = 64

    /// - Parameter poller: sockets are its sources under their own numbers.
    init(poller: Poller) throws(SystemError) {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = unsafe curl_multi_init() else {
            throw SystemError("curl_multi_init", code: .ENOMEM)
        }
        unsafe self.multi = multi
        self.poller = poller
        unsafe taskhost_multi_set_callbacks(
            multi, Self.socketChanged, Self.timerChanged, Unmanaged.passUnretained(self).toOpaque())
        _ = unsafe taskhost_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Self.mostConnections)
    }

    deinit {
        unsafe spare.forEach { unsafe curl_easy_cleanup($0) }
        unsafe curl_multi_cleanup(multi)
    }

    private static let socketChanged: curl_socket_callback = { _, socket, what, context, _ in
        guard let context = unsafe context else { return 0 }
        let curl = unsafe Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
        if what == CURL_POLL_REMOVE {
            curl.poller.remove(lent: socket)
        } else {
            do {
                try curl.poller.setInterest(
                    socket, reads: what & CURL_POLL_IN != 0, writes: what & CURL_POLL_OUT != 0, key: UInt64(socket))
            } catch {
                // A socket that is not waited for would hold its transfer for ever. The host has every order, and gives them
                // to another process.
                ThisProcess.exitAtOnce(71)
            }
        }
        return 0
    }

    private static let timerChanged: curl_multi_timer_callback = { _, milliseconds, context in
        guard let context = unsafe context else { return 0 }
        let curl = unsafe Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
        curl.deadline =
            milliseconds < 0
            ? .distantFuture
            : Instant(nanoseconds: Clock.monotonic()) + .milliseconds(Int64(milliseconds))
        return 0
    }

    /// A handle without options, for one exchange; return it with `release`.
    func handle() -> UnsafeMutableRawPointer? { unsafe spare.popLast() ?? curl_easy_init() }

    /// Takes a handle back.
    ///
    /// - Parameter isFailed: it is not to be used again.
    func release(_ easy: UnsafeMutableRawPointer, isFailed: Bool) {
        guard !isFailed, unsafe spare.count < Self.mostSpare else { return unsafe curl_easy_cleanup(easy) }
        unsafe curl_easy_reset(easy)
        unsafe spare.append(easy)
    }

    func start(_ easy: UnsafeMutableRawPointer) -> Bool { unsafe curl_multi_add_handle(multi, easy) == CURLM_OK }

    /// Not from within curl's callbacks.
    func remove(_ easy: UnsafeMutableRawPointer) { _ = unsafe curl_multi_remove_handle(multi, easy) }

    /// A socket is ready.
    func act(on socket: Int32, _ ready: ReadySource) {
        var mask: Int32 = 0
        if ready.isReadable { mask |= Int32(CURL_CSELECT_IN) }
        if ready.isWritable { mask |= Int32(CURL_CSELECT_OUT) }
        if ready.hasError { mask |= Int32(CURL_CSELECT_ERR) }
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, socket, mask, &running)
    }

    /// Calls curl when its time has come.
    func advance(to now: Instant) {
        guard deadline <= now else { return }
        deadline = .distantFuture
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, -1, 0, &running)
    }

    /// What its sinks were given.
    func context(of easy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { unsafe taskhost_curl_private(easy) }

    /// The next handle whose exchange has ended, with its result.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var code = CURLE_OK
        guard let easy = unsafe taskhost_multi_ended(multi, &code) else { return nil }
        return unsafe (easy, code)
    }
}
