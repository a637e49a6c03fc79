import Linux
import TaskModel

/// A connection that comes back by itself: it asks for addresses, connects, gives answers to those who asked, and begins anew with
/// growing pauses when it breaks. *Thread*: the loop's.
final class PostgresLink {
    typealias Resolve = ([String], @escaping ([String: [NetworkAddress]]) -> Void) -> Void
    typealias Then = (StatementAnswer) -> Void

    /// From the start of an attempt until it is given up, and from a statement until its answer.
    private static let patience = TimeSpan.seconds(10)
    private static let firstPause = TimeSpan.milliseconds(250)
    private static let longestPause = TimeSpan.seconds(20)
    /// A connection that has answered for longer was a good one: the next pause is a short one again.
    private static let goodLife = TimeSpan.seconds(1)

    /// The connection is open: nothing has been asked yet.
    var opened: () -> Void = {}
    /// It broke, and what was asked has no answer; or an attempt failed. With a reason for people.
    var broke: (String) -> Void = { _ in }
    var notified: () -> Void = {}

    private let options: ConnectionOptions
    private let library: LibPQ
    private let tag: UInt32
    private let resolve: Resolve
    /// The clock of the loop's deadlines.
    private let clock: () -> Instant
    private weak var registry: (any SourceRegistry)?
    private var connection: PostgresConnection?
    /// A copy of the connection's socket, for the loop: libpq closes its own when it likes.
    private var watched: Descriptor?
    /// It is the socket of the open connection, which has no other any more.
    private var isOpenWatched = false
    private var waiting: [(since: Instant, then: Then)] = []
    /// Of the next attempt, or of the patience with this one.
    private var deadline = Instant.distantFuture
    private var pause = PostgresLink.firstPause
    /// When the connection was opened.
    private var begun = Instant(nanoseconds: 0)
    /// It waits for the next attempt.
    private var isPaused = true
    /// An answer to an earlier one says nothing.
    private var attempt = 0
    private var random = SystemRandomNumberGenerator()

    init(
        _ options: ConnectionOptions, _ library: LibPQ, tag: UInt32, clock: @escaping () -> Instant,
        resolve: @escaping Resolve
    ) {
        (self.options, self.library, self.tag) = (options, library, tag)
        (self.clock, self.resolve) = (clock, resolve)
    }

    var isOpen: Bool { connection?.state == .open }
    /// Nothing is under way.
    var isQuiet: Bool { isOpen && waiting.isEmpty }

    // MARK: Statements

    /// Only while it is open. `then` is called once, unless `broke` is.
    func ask(_ statement: ServerStatement, then: @escaping Then) {
        guard let connection, isOpen else { return }
        connection.send(statement)
        waiting.append((clock(), then))
        connection.flush()
        settle()
    }

    // MARK: The loop

    /// It connects in the first turn.
    func attach(to registry: any SourceRegistry) {
        self.registry = registry
        deadline = Instant(nanoseconds: 0)
    }

    func serve(_ ready: ReadySource) {
        guard let connection else { return }
        if case .connecting(let isWriting) = connection.state {
            guard isWriting ? ready.isWritable || ready.hasError : ready.isReadable else { return }
            connection.connectFurther()
            settle()
            guard isOpen else { return }
            begun = clock()
            return opened()
        }
        if ready.isWritable { connection.flush() }
        if ready.isReadable {
            let (answers, hasNews) = connection.read()
            for answer in answers where self.connection === connection { take(answer) }
            if hasNews { notified() }
        }
        if self.connection === connection { settle() }
    }

    private func take(_ answer: StatementAnswer) {
        let then = waiting.removeFirst().then
        if case .rows = answer, clock() - begun > Self.goodLife { pause = Self.firstPause }
        if case .refused(let fault) = answer, fault.endsConnection { return close(fault.message) }
        then(answer)
    }

    var nextDeadline: Instant {
        guard isOpen else { return deadline }
        return waiting.first.map { $0.since + Self.patience } ?? .distantFuture
    }

    func advance(to now: Instant) {
        guard nextDeadline <= now else { return }
        if isPaused { return connect() }
        close(
            isOpen
                ? "the server has not answered for \(Self.patience)"
                : "the server could not be reached in \(Self.patience)")
    }

    /// The answers that are still to come, as the last thing before `close`. A socket that is closed with something unread takes
    /// with it what the server has not read yet.
    ///
    /// - Parameter span: it waits so long at most.
    func finish(within span: TimeSpan) {
        let end = clock() + span
        while let connection, isOpen, !waiting.isEmpty {
            let rest = end - clock()
            guard rest > .zero,
                Descriptor.isReady(
                    connection.socket, connection.isFull ? .writable : .readable,
                    within: Int32(clamping: rest.nanoseconds / 1_000_000 + 1))
            else { return }
            connection.flush()
            for answer in connection.read().answers where self.connection === connection { take(answer) }
        }
    }

    func close() {
        unwatch()
        connection = nil
        waiting = []
        isPaused = true
        attempt += 1
    }

    // MARK: Connecting

    private func connect() {
        deadline = clock() + Self.patience
        isPaused = false
        let attempt = attempt
        guard !options.names.isEmpty else { return connect(options) }
        resolve(options.names) { [weak self] addresses in
            guard let self, self.attempt == attempt else { return }
            guard let resolved = options.resolved(addresses) else {
                return close("no address is known for \(options.names.joined(separator: ", "))")
            }
            connect(resolved)
        }
    }

    private func connect(_ options: ConnectionOptions) {
        connection = PostgresConnection(options, library)
        settle()
    }

    /// Tells the loop what the connection waits for now.
    private func settle() {
        guard let connection else { return }
        switch connection.state {
        case .broken(let words): close(words)
        case .connecting(let isWriting): watch(connection.socket, isWriting: isWriting)
        case .open: watch(connection.socket, isWriting: connection.isFull)
        }
    }

    private func watch(_ socket: Int32, isWriting: Bool) {
        do throws(SystemError) {
            if !isOpenWatched { try watch(socket) }
        } catch {
            return close("\(error)")
        }
        if let number = watched.number { registry?.setWritable(number, isWriting, tag: tag) }
    }

    /// libpq closes the socket of a server that does not answer, and the next one may have its number: until it is open, each
    /// step is watched anew.
    private func watch(_ socket: Int32) throws(SystemError) {
        unwatch()
        let copy = try Descriptor.copy(of: socket)
        try registry?.add(copy.number, tag: tag, urgent: false)
        watched = .some(copy)
        isOpenWatched = isOpen
    }

    private func unwatch() {
        if let number = watched.number { registry?.remove(number) }
        watched = nil
        isOpenWatched = false
    }

    /// Begins anew after a pause, which differs between hosts that lost the same server.
    func close(_ words: String) {
        close()
        deadline =
            clock() + TimeSpan(nanoseconds: Int64.random(in: pause.nanoseconds / 2...pause.nanoseconds, using: &random))
        pause = min(TimeSpan(nanoseconds: pause.nanoseconds * 2), Self.longestPause)
        broke(words)
    }
}
