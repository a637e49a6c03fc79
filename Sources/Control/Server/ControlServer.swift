import CMicroHTTPD
package import Linux
package import TaskModel

/// Serves the control API over stream sockets: HTTP/1.1 by libmicrohttpd in the host's own loop, without a thread.
///
/// Requests reach the handler while descriptors are served, or in `afterCommit`. An answer may come at once or later; it
/// leaves in `afterCommit` of the turn in which it was given. Thread: the loop's.
@safe package final class ControlServer: EventSource {
    /// Decides by a request's head whether it comes in.
    package typealias Judge = (RequestHead) throws(Problem) -> Void
    /// Tells by its socket who a client is.
    package typealias Identify = (borrowing Descriptor) -> SocketPeer?

    enum Tag {
        static let http: UInt32 = 0
        /// Listeners and hang-ups, in an epoll set of the server's own.
        static let own: UInt32 = 1
    }
    /// `GET` of this path is answered with a stream of events.
    package static let eventsPath = "/v1/events"

    let listeners: [ControlSocket]
    private(set) weak var handler: (any ControlHandler)?
    let limits: ServerLimits
    /// What each request has to carry; nil: nothing.
    let token: BearerToken?
    /// Decides in place of the server's own rules which requests come in.
    let judge: Judge?
    /// Fields of every reply, in addition to its own.
    let fields: [(name: String, value: String)]
    /// Whether `eventsPath` is a stream of events; else it is a path like any other.
    let hasEvents: Bool
    let identify: Identify
    let access: (_ user: UInt32, _ group: UInt32) -> Peer.Access
    /// The answer for a client without access.
    let stranger: Problem
    /// nil before `attach` and after `close`.
    var daemon: OpaquePointer?
    var own: OwnPoller?
    private weak var registry: (any SourceRegistry)?

    var connections: [Int32: Connection] = [:]
    /// Clients without access that have their answer, and until when their connections are kept.
    var refused: [Int32: Refused] = [:]
    /// Events that clients have yet to take.
    let held = HeldEvents()
    /// Requests with large bodies, which the handler gets one a turn.
    var heavy: [Transaction] = []
    /// Requests that wait for an answer since this turn.
    var waiting: [Transaction] = []
    /// Places that are taken, by those that may do everything and by readers.
    var places = Places()
    /// libmicrohttpd has work that no descriptor announces, such as a connection that was resumed.
    var mustRun = false
    /// A request reached the handler since the last turn's commit.
    private var hasDispatched = false
    /// The earliest deadline of all connections; may be too early.
    var armed = Instant.distantFuture
    /// The listeners rest until `listen()`, a connection is closed, or this.
    var resting: Bool
    var restsUntil = Instant.distantFuture
    var now = ClockReading(instant: Instant(nanoseconds: 0), time: Timestamp(nanoseconds: 0))

    /// - Parameters:
    ///   - listeners: sockets that listen; the server closes them.
    ///   - handler: not retained; without it every request is answered with 503.
    ///   - token: what each request has to carry; nil: nothing. With one, requests may name this server as they like: who has
    ///     the token is no page of another site.
    ///   - judge: asked of each request before its body is read, in place of the server's own rules about `Host` and
    ///     `Origin`; throws the refusal.
    ///   - fields: of every reply that is not the library's own, in addition to those of the reply.
    ///   - hasEvents: false: a `GET` of `eventsPath` is for the handler, like any other request.
    ///   - acceptsAtOnce: false: clients wait in the listeners' queues until `listen()`.
    ///   - identify: who a new client is; nil: nobody who could be answered.
    ///   - access: the access of a peer; called once for each connection.
    ///   - stranger: the answer for a client without access.
    package init(
        listeners: [ControlSocket], handler: any ControlHandler, limits: ServerLimits = ServerLimits(),
        token: BearerToken? = nil, judge: Judge? = nil, fields: [(name: String, value: String)] = [],
        hasEvents: Bool = true, acceptsAtOnce: Bool = true,
        identify: @escaping Identify = { try? SocketPeer(of: $0) },
        access: @escaping (_ user: UInt32, _ group: UInt32) -> Peer.Access, stranger: Problem = .noAccess
    ) {
        self.listeners = listeners
        self.handler = handler
        self.limits = limits
        self.token = token
        self.judge = judge
        self.fields = fields
        self.hasEvents = hasEvents
        resting = !acceptsAtOnce
        self.identify = identify
        self.access = access
        self.stranger = stranger
    }

    struct Places {
        var connections = 0
        var readerConnections = 0
        var streams = 0
        var readerStreams = 0
    }

    /// Clients at present.
    package var connectionCount: Int { connections.count }
    /// Bytes of events that clients have yet to take; what several have yet to take counts once.
    package var heldEventBytes: Int { held.bytes }

    // MARK: EventSource

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        now = Clock.moment()
        let own = try OwnPoller()
        for (index, listener) in listeners.enumerated() { try own.add(listener.number, .listener(index)) }
        let daemon = try unsafe startDaemon()
        unsafe self.daemon = unsafe daemon
        self.own = own
        if resting { setListening(false) }
        self.registry = registry
        try unsafe registry.add(taskhost_mhd_epoll(daemon), tag: Tag.http, urgent: false)
        try registry.add(own.number, tag: Tag.own, urgent: false)
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        self.now = now
        if tag == Tag.own { serveOwn() } else { mustRun = true }
        if mustRun { run() }
    }

    package var nextDeadline: Instant {
        mustRun || !heavy.isEmpty ? Instant(nanoseconds: 0) : min(armed, restsUntil)
    }

    package func advance(to now: ClockReading) {
        self.now = now
        if now.instant >= restsUntil { listen() }
        guard now.instant >= armed else { return }
        armed = .distantFuture
        for (descriptor, client) in refused {
            if client.end <= now.instant { closeRefused(descriptor) } else { armed = min(armed, client.end) }
        }
        for connection in connections.values {
            if connection.deadline <= now.instant {
                cut(connection)
            } else {
                armed = min(armed, connection.deadline)
            }
        }
    }

    package func afterCommit(at now: ClockReading) -> Bool {
        self.now = now
        // A request that is still unanswered may wait long: from now on its hang-up is watched.
        for transaction in waiting where transaction.phase == .waiting {
            watch(transaction.connection, halfClosed: false)
        }
        waiting.removeAll(keepingCapacity: true)
        hasDispatched = false
        handHeavy()
        if mustRun { run() }
        return mustRun || hasDispatched || !heavy.isEmpty
    }

    package func close() {
        guard let daemon = unsafe daemon else { return }
        for listener in listeners { listener.close() }
        for descriptor in refused.keys { closeRefused(descriptor) }
        for connection in connections.values {
            guard let transaction = connection.transaction else { continue }
            if transaction.phase == .waiting { answer(transaction, .problem(.stopping)) }
            transaction.stream?.finish()
            transaction.flow?.fail()
        }
        // Each run takes replies and the ends of streams a step further; none waits.
        for _ in 0..<4 { run() }
        // libmicrohttpd ends the process when it is stopped with a connection suspended.
        for connection in connections.values {
            if let transaction = connection.transaction { abandon(transaction) }
        }
        run()
        unsafe registry?.remove(taskhost_mhd_epoll(daemon))
        if let own { registry?.remove(own.number) }
        unsafe MHD_stop_daemon(daemon)
        unsafe self.daemon = nil
        own = nil
        connections = [:]
    }

    // MARK: Turns of libmicrohttpd

    /// Lets it read, call and write. Only where requests may reach the handler.
    private func run() {
        guard let daemon = unsafe daemon else { return }
        mustRun = false
        unsafe MHD_run(daemon)
        var milliseconds: UInt64 = 0
        if unsafe MHD_get_timeout(daemon, &milliseconds) == .YES, milliseconds == 0 { mustRun = true }
    }

    func noteDispatch() { hasDispatched = true }

    func setDeadline(_ span: TimeSpan?, of connection: Connection) {
        connection.deadline = span.map { now.instant + $0 } ?? .distantFuture
        armed = min(armed, connection.deadline)
    }

    /// Ends a connection; libmicrohttpd sees the end of its stream.
    func cut(_ connection: Connection) {
        connection.deadline = .distantFuture
        Descriptor.shutDown(connection.descriptor)
        if let transaction = connection.transaction { abandon(transaction) }
    }

    /// The client no longer waits for the answer.
    func abandon(_ transaction: Transaction) {
        transaction.stream?.abandon()
        transaction.flow?.abandon()
        guard transaction.phase == .waiting else { return }
        transaction.phase = .over
        resume(transaction)
    }

    func resume(_ transaction: Transaction) {
        guard transaction.isSuspended else { return }
        transaction.isSuspended = false
        unsafe MHD_resume_connection(transaction.handle)
        mustRun = true
    }
}
