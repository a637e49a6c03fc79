import Linux
import TaskModel

/// A connection that comes back by itself: it asks for addresses, connects, gives answers to those who asked, and begins anew with
/// growing pauses when it breaks. *Thread*: the loop's.
final class PostgresLink {
    typealias Resolve = ([String], @escaping ([String: [NetworkAddress]]) -> Void) -> Void
    typealias Then = (StatementAnswer) -> Void

    private struct Question {
        var statement: ServerStatement
        var then: Then
    }

    private struct Transaction {
        var questions: [Question]
        /// Others may come to the next one while it is under way.
        var isShared: Bool
        var since: Instant
    }

    /// So many share a transaction at most: their rows are locked until it ends.
    private static let mostShared = 64
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
    /// Transactions without an answer, in their order.
    private var waiting: [Transaction] = []
    /// What shares the next transaction.
    private var gathered: [Question] = []
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
    var isQuiet: Bool { isOpen && waiting.isEmpty && gathered.isEmpty }

    // MARK: Statements

    /// Asks in a transaction of its own, only while it is open. `then` is called once, unless `broke` is.
    func ask(_ statement: ServerStatement, then: @escaping Then) {
        sendGathered()
        send([Question(statement: statement, then: then)])
    }

    /// Asks as `ask` does, in a transaction with others that come until the next turn of the loop, or until the answer to those
    /// before: a commit waits for a disk. When one of them is refused, each is asked once more by itself.
    func share(_ statement: ServerStatement, then: @escaping Then) {
        if isOpen { gathered.append(Question(statement: statement, then: then)) }
    }

    /// Whether what was gathered can go now.
    private var canShare: Bool { isOpen && !gathered.isEmpty && !waiting.contains(where: \.isShared) }

    private func sendGathered() {
        while !gathered.isEmpty {
            let some = Array(gathered.prefix(Self.mostShared))
            gathered.removeFirst(some.count)
            send(some, isShared: true)
        }
    }

    private func send(_ questions: [Question], isShared: Bool = false) {
        guard let connection, isOpen else { return }
        connection.send(questions.lazy.map(\.statement))
        waiting.append(Transaction(questions: questions, isShared: isShared, since: clock()))
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

    private func take(_ answer: TransactionAnswer) {
        let questions = waiting.removeFirst().questions
        switch answer {
        case .done(let rows):
            if clock() - begun > Self.goodLife { pause = Self.firstPause }
            for (question, rows) in zip(questions, rows) where isOpen { question.then(.rows(rows)) }
        case .refused(let fault) where fault.endsConnection: close(fault.message)
        case .refused(let fault) where questions.count == 1: questions[0].then(.refused(fault))
        case .refused: for question in questions { send([question]) }
        }
    }

    var nextDeadline: Instant {
        guard isOpen else { return deadline }
        if canShare { return Instant(nanoseconds: 0) }
        return waiting.first.map { $0.since + Self.patience } ?? .distantFuture
    }

    func advance(to now: Instant) {
        guard nextDeadline <= now else { return }
        if canShare { return sendGathered() }
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
        sendGathered()
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
        (waiting, gathered) = ([], [])
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
