import CMicroHTTPD

/// One client of `/v1/events`: a bounded queue between the host, which never blocks, and a reader, which may. All of them together
/// have a bound as well (`HeldEvents`).
///
/// Thread: the loop's.
final class EventStream: ControlStream {
    var didClose: (() -> Void)?
    let lastEventID: String?
    private(set) var wasDropped = false
    private weak var transaction: Transaction?
    private weak var server: ControlServer?
    private let limit: Int
    /// How long a client waits before it comes back, in milliseconds; until it was passed to libmicrohttpd.
    private var beginning = PendingBytes(Array("retry: 1000\n\n".utf8))
    /// Events that were not yet passed to libmicrohttpd.
    private var waiting: WaitingEvents
    private var isFinished = false
    private var isClosed = false

    init(_ transaction: Transaction, of server: ControlServer, limit: Int) {
        self.transaction = transaction
        lastEventID = transaction.lastEventID
        self.server = server
        self.limit = limit
        waiting = WaitingEvents(server.held)
    }

    /// Bytes that its client has yet to take.
    var lag: Int { waiting.count }

    // MARK: ControlStream

    func send(_ event: StreamedEvent) {
        guard !isFinished, let transaction, let server else { return }
        guard waiting.count + event.bytes.count <= limit else { return drop() }
        waiting.append(event)
        server.resume(transaction)
        server.boundEvents()
    }

    /// It reads too slowly: later events are lost, so the stream must end to show that.
    func drop() {
        wasDropped = true
        abandon()
        if let transaction { server?.cut(transaction.connection) }
    }

    func finish() {
        guard !isFinished else { return }
        isFinished = true
        if let transaction { server?.resume(transaction) }
    }

    // MARK: The server's side

    /// The client has disconnected or is being dropped: nothing more is sent.
    func abandon() {
        waiting.removeAll()
        finish()
    }

    /// The connection is done with it; the last call.
    func close() {
        isFinished = true
        waiting.removeAll()
        guard !isClosed else { return }
        isClosed = true
        let didClose = self.didClose
        self.didClose = nil
        didClose?()
    }

    /// The response that libmicrohttpd fills from here.
    func response() -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(self)
        let response = unsafe MHD_create_response_from_callback(
            .max, 16 << 10,
            { context, _, buffer, room in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
                return unsafe Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue().fill(buffer, room)
            }, unsafe context.toOpaque(),
            { context in
                if let context = unsafe context { unsafe Unmanaged<EventStream>.fromOpaque(context).release() }
            })
        if unsafe response == nil { unsafe context.release() }
        return unsafe response
    }

    /// Bytes for the client, -1 at the end, or 0 after the connection was suspended until there are any.
    private func fill(_ buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
        var count = unsafe beginning.take(into: buffer, room)
        if count == 0 { count = unsafe waiting.take(into: buffer, room) }
        guard count == 0 else { return count }
        guard !isFinished, let transaction else { return -1 }
        // 0 without a suspended connection would be asked again at once, for ever.
        transaction.isSuspended = true
        unsafe MHD_suspend_connection(transaction.handle)
        return 0
    }
}
