import CMicroHTTPD

/// A reply's body that comes piece by piece from elsewhere: a bounded buffer between its source and a client that may be slow.
///
/// The source sends no more than there is room for, and goes on when `hasRoom` is called. *Thread*: the loop's alone, which is
/// why a reply may carry it.
package final class ReplyFlow: @unchecked Sendable {
    private enum End {
        case whole
        /// The client is shown that something is missing: its connection ends before the body does.
        case broken
    }

    /// Bytes that wait for the client at most.
    package static let capacity = 64 << 10

    /// Of the whole body; nil: nobody knows, and it lasts until its source or its client ends it.
    package let size: Int64?
    /// Called when at least half of the buffer is free again after there was no room at all.
    package var hasRoom: (() -> Void)?
    /// Called once, when nothing more is sent to the client: it has everything, or has disconnected.
    package var didClose: (() -> Void)?
    private weak var transaction: Transaction?
    private weak var server: ControlServer?
    /// Data that were not yet passed to libmicrohttpd.
    private var pending = PendingBytes()
    private var end: End?
    private var isFull = false
    private var isClosed = false

    package init(size: Int64?) { self.size = size }

    // MARK: The source's side

    /// Bytes that may be sent now.
    package var room: Int {
        let room = Self.capacity - pending.count
        if room <= 0 { isFull = true }
        return room
    }

    /// - Parameter bytes: no more than there is room for.
    package func send(_ bytes: ArraySlice<UInt8>) {
        guard end == nil, !bytes.isEmpty else { return }
        precondition(bytes.count <= room, "a source sends no more than its client's buffer takes")
        pending.append(contentsOf: bytes)
        resume()
    }

    /// That was all.
    package func finish() { end(.whole) }

    /// The rest is lost.
    package func fail() { end(.broken) }

    private func end(_ end: End) {
        guard self.end == nil else { return }
        self.end = end
        // What is left is sent as any other reply.
        if let transaction, let server { server.setDeadline(server.limits.sending, of: transaction.connection) }
        resume()
    }

    private func resume() {
        if let transaction { server?.resume(transaction) }
    }

    // MARK: The server's side

    func begin(_ transaction: Transaction, of server: ControlServer) {
        self.transaction = transaction
        self.server = server
    }

    /// The client has disconnected or is being dropped.
    func abandon() {
        pending.removeAll()
        fail()
    }

    /// The connection is done with it; the last call.
    func close() {
        abandon()
        guard !isClosed else { return }
        isClosed = true
        let didClose = self.didClose
        (self.didClose, hasRoom) = (nil, nil)
        didClose?()
    }

    /// The response that libmicrohttpd fills from here.
    func response() -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(self)
        let response = unsafe MHD_create_response_from_callback(
            size.map { UInt64($0) } ?? .max, 16 << 10,
            { context, _, buffer, room in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
                return unsafe Unmanaged<ReplyFlow>.fromOpaque(context).takeUnretainedValue().fill(buffer, room)
            }, unsafe context.toOpaque(),
            { context in
                if let context = unsafe context { unsafe Unmanaged<ReplyFlow>.fromOpaque(context).release() }
            })
        if unsafe response == nil { unsafe context.release() }
        return unsafe response
    }

    /// Bytes for the client, -1 at the end, -2 where the rest is lost (MHD_CONTENT_READER_END_WITH_ERROR), or 0 after the
    /// connection was suspended until there are any.
    private func fill(_ buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
        let count = unsafe pending.take(into: buffer, room)
        if count > 0 {
            if isFull, self.room >= Self.capacity / 2 {
                isFull = false
                hasRoom?()
            }
            return count
        }
        if let end { return end == .whole ? -1 : -2 }
        guard let transaction else { return -2 }
        // 0 without a suspended connection would be asked again at once, for ever.
        transaction.isSuspended = true
        unsafe MHD_suspend_connection(transaction.handle)
        return 0
    }
}
