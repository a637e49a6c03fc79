internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// A session of the host that this process has open. Every call but `open` is a message without an answer.
@safe final class SessionLink: Sendable {
    /// Why a session could not be opened.
    struct Fault: Error {
        /// In `NSURLErrorDomain`.
        let code: Int
        let sentence: String
    }
    /// A transfer of an earlier process of the application.
    struct Known: Sendable {
        var number: Int
        var isDownload: Bool
        var state: URLSessionTask.State
        var wish: TransferWish
        var received: Int64
        var sent: Int64
        var total: Int64
    }

    // Valid, and never changed, until the process ends.
    nonisolated(unsafe) private let table: UnsafePointer<taskhost_transfer_t>
    private let session: UInt32
    /// The receivers of the host's events, by the number that is their context: unlike an object's address, a late number is
    /// harmless.
    private static let listeners = Mutex<(last: Int, open: [Int: @Sendable (TransferNews) -> Void])>((0, [:]))
    private let listener: Int

    private init(_ table: UnsafePointer<taskhost_transfer_t>, _ session: UInt32, listener: Int) {
        unsafe self.table = unsafe table
        self.session = session
        self.listener = listener
    }

    /// Opens a session, and waits for the host's answer.
    ///
    /// - Parameters:
    ///   - hear: called on a thread of the worker, in order, after `replay`.
    /// - Returns: the session, and the transfers of earlier processes.
    static func open(
        _ configuration: BackgroundConfiguration, hear: @escaping @Sendable (TransferNews) -> Void
    ) throws(Fault) -> (SessionLink, [Known]) {
        guard let host = ConnectedHost.current else {
            throw Fault(code: NSURLErrorBackgroundSessionWasDisconnected, sentence: ConnectedHost.missing)
        }
        guard let table = unsafe host.transfers else {
            throw Fault(
                code: NSURLErrorBackgroundSessionWasDisconnected,
                sentence: "this host has no background transfers; update it")
        }
        let listener = listeners.withLock { listeners in
            listeners.last += 1
            listeners.open[listeners.last] = hear
            return listeners.last
        }
        opening.withLock { $0[listener] = [] }
        var (session, next): (UInt32, UInt32) = (0, 0)
        var reason = [CChar](repeating: 0, count: 1024)
        let status = unsafe configuration.withOptions { options in
            unsafe table.pointee.open(
                configuration.identifier ?? "", options,
                { context, known in
                    let known = unsafe Known(known)
                    SessionLink.opening.withLock { $0[Int(bitPattern: context), default: []].append(known) }
                },
                { context, event in
                    let hear = SessionLink.listeners.withLock { $0.open[Int(bitPattern: context)] }
                    unsafe hear?(TransferNews(event.pointee))
                },
                unsafe UnsafeMutableRawPointer(bitPattern: listener), &session, &next, &reason, UInt64(reason.count))
        }
        let known = opening.withLock { $0.removeValue(forKey: listener) } ?? []
        guard status == TASKHOST_OK else {
            _ = listeners.withLock { $0.open.removeValue(forKey: listener) }
            let sentence = unsafe reason.withUnsafeBufferPointer {
                unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
            }
            throw Fault(code: status < 0 ? Int(status) : NSURLErrorUnknown, sentence: sentence)
        }
        return unsafe (SessionLink(table, session, listener: listener), known)
    }
    /// Transfers that were listed while their session is being opened.
    private static let opening = Mutex<[Int: [Known]]>([:])

    /// Lets events come.
    func replay() { _ = unsafe table.pointee.replay(session) }

    /// Closes the session: no events follow.
    func close() {
        _ = Self.listeners.withLock { $0.open.removeValue(forKey: listener) }
        _ = unsafe table.pointee.invalidate(session)
    }

    /// Makes a transfer.
    /// - Returns: its number, and a fault if it was not sent to the host; nil when the session is closed.
    func create(_ wish: TransferWish, isDownload: Bool) -> (number: Int, fault: String?)? {
        var number: UInt32 = 0
        var reason = [CChar](repeating: 0, count: 1024)
        let status = unsafe wish.withC(isDownload: isDownload) {
            unsafe table.pointee.create(session, $0, &number, &reason, UInt64(reason.count))
        }
        guard status == TASKHOST_OK || status == TASKHOST_INVALID else { return nil }
        let sentence = unsafe reason.withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
        return (Int(number), status == TASKHOST_OK ? nil : sentence)
    }

    func resume(_ number: Int) { _ = unsafe table.pointee.resume(session, UInt32(number)) }
    func suspend(_ number: Int) { _ = unsafe table.pointee.suspend(session, UInt32(number)) }
    func cancel(_ number: Int, resumeData: Bool) {
        _ = unsafe table.pointee.cancel(session, UInt32(number), resumeData ? 1 : 0)
    }
    func setPriority(_ number: Int, _ priority: Float) {
        _ = unsafe table.pointee.set_priority(session, UInt32(number), min(max(priority, 0), 1))
    }
    func setText(_ number: Int, _ text: String) { _ = unsafe table.pointee.set_text(session, UInt32(number), text) }
    func setEarliest(_ number: Int, _ date: Date?) {
        _ = unsafe table.pointee.set_earliest(session, UInt32(number), date?.hostNanoseconds ?? .min)
    }
    func setExpected(_ number: Int, send: Int64, receive: Int64) {
        _ = unsafe table.pointee.set_expected(session, UInt32(number), send, receive)
    }
    func acknowledge(_ sequence: UInt64) { _ = unsafe table.pointee.acknowledge(session, sequence) }

    /// Answers a challenge, or a delayed request.
    /// - Parameters:
    ///   - answer: TASKHOST_ANSWER_….
    ///   - wish: with TASKHOST_ANSWER_PROCEED: the new request.
    func answer(
        _ number: Int, _ answer: UInt32, user: String = "", password: String = "", wish: TransferWish? = nil,
        isDownload: Bool = true
    ) {
        unsafe user.withTaskHostBytes { user in
            unsafe password.withTaskHostBytes { password in
                func send(_ request: UnsafePointer<taskhost_transfer_request_t>?) -> Int32 {
                    var values = unsafe taskhost_transfer_answer_t()
                    unsafe values.struct_size = unsafe UInt32(MemoryLayout<taskhost_transfer_answer_t>.size)
                    unsafe values.abi_version = TASKHOST_ABI_VERSION
                    unsafe (values.kind, values.user, values.password) = unsafe (answer, user, password)
                    unsafe values.request = unsafe request
                    return unsafe table.pointee.answer(session, UInt32(number), &values)
                }
                let status = wish.map { unsafe $0.withC(isDownload: isDownload) { unsafe send($0) } } ?? send(nil)
                guard status == TASKHOST_INVALID else { return }
                Diagnostic.write(
                    "the answer to a question about a background transfer is too long; the default is done instead")
                self.answer(number, TASKHOST_ANSWER_USE_DEFAULT)
            }
        }
    }
}

extension BackgroundConfiguration {
    /// Lends the options in the host's form.
    fileprivate func withOptions(_ body: (UnsafePointer<taskhost_session_options_t>) -> Int32) -> Int32 {
        var options = unsafe taskhost_session_options_t()
        unsafe options.struct_size = unsafe UInt32(MemoryLayout<taskhost_session_options_t>.size)
        unsafe options.abi_version = TASKHOST_ABI_VERSION
        if isDiscretionary { unsafe options.flags |= TASKHOST_SESSION_DISCRETIONARY }
        if sendsLaunchEvents { unsafe options.flags |= TASKHOST_SESSION_SENDS_LAUNCH_EVENTS }
        if allowsExpensive && allowsCellularAccess { unsafe options.flags |= TASKHOST_SESSION_ALLOWS_EXPENSIVE }
        if allowsConstrained { unsafe options.flags |= TASKHOST_SESSION_ALLOWS_CONSTRAINED }
        // Delegates that do not answer such a challenge have the default done.
        unsafe options.flags |= TASKHOST_SESSION_ASKS_SERVER_TRUST
        unsafe options.connections_per_host = UInt32(min(max(httpMaximumConnectionsPerHost, 0), 65_535))
        unsafe options.request_timeout = timeoutIntervalForRequest.hostNanoseconds
        unsafe options.resource_timeout = timeoutIntervalForResource.hostNanoseconds
        return unsafe proxy.withTaskHostBytes {
            unsafe options.proxy = unsafe $0
            return unsafe body(&options)
        }
    }

    /// As `connectionProxyDictionary` names it; empty: the host's own.
    private var proxy: String {
        guard let values = connectionProxyDictionary, (values["HTTPEnable"] as? Int) != 0,
            let host = values["HTTPProxy"] as? String
        else { return "" }
        return "http://\(host):\(values["HTTPPort"] as? Int ?? 80)"
    }
}

extension Double {
    /// Seconds as nanoseconds; an invalid or larger number counts as the maximum.
    var hostNanoseconds: Int64 {
        let nanoseconds = self * 1e9
        guard nanoseconds < 9e18 else { return 9_000_000_000_000_000_000 }
        return nanoseconds > 0 ? Int64(nanoseconds) : 0
    }
}

extension Date {
    var hostNanoseconds: Int64 { timeIntervalSince1970.hostNanoseconds }
}
