import CPQ
import Linux

/// One connection to a PostgreSQL server that never waits: pipelined statements, in transactions of one or more. It knows neither
/// time nor a loop. *Thread*: the one that made it.
@safe final class PostgresConnection {
    enum State: Equatable {
        /// `isWriting`: it waits until its socket takes more, else until there is something to read.
        case connecting(isWriting: Bool)
        case open
        /// With libpq's words.
        case broken(String)
    }

    private let library: LibPQ
    private let connection: LibPQ.Connection?
    private(set) var state: State
    /// Something has to be written that the socket did not take yet.
    private(set) var isFull = false
    /// Transactions without an answer.
    private(set) var unanswered = 0
    /// Of the transaction whose results come now.
    private var rows: [[[String?]]] = []
    private var fault: StatementFault?

    /// Begins to connect. Host names that have no address beside them are asked for by getaddrinfo(3), which waits.
    init(_ options: ConnectionOptions, _ library: LibPQ) {
        self.library = library
        unsafe connection = unsafe Self.start(options.values, library)
        state = .connecting(isWriting: true)
        if unsafe connection == nil || library.status(connection) == CONNECTION_BAD { state = .broken(words) }
    }

    deinit { unsafe library.finish(connection) }

    static func start(_ options: [String: String], _ library: LibPQ) -> LibPQ.Connection? {
        unsafe withOptions(options) { keywords, values in unsafe library.connectStart(keywords, values, 0) }
    }

    /// Of the connection now; it may be another one after each step of connecting. Below 0: none.
    var socket: Int32 { unsafe library.socket(connection) }

    /// The last error in libpq's words, on one line.
    private var words: String {
        let text = unsafe library.errorMessage(connection).map { unsafe String(cString: $0) } ?? "no memory"
        return ConnectionOptions.line(text)
    }

    private func breakDown() { state = .broken(words) }

    // MARK: Connecting

    /// The socket is ready for what it waits for.
    func connectFurther() {
        guard case .connecting = state else { return }
        switch unsafe library.connectPoll(connection) {
        case PGRES_POLLING_READING: state = .connecting(isWriting: false)
        case PGRES_POLLING_WRITING: state = .connecting(isWriting: true)
        case PGRES_POLLING_OK:
            guard unsafe library.setNonblocking(connection, 1) == 0, unsafe library.enterPipelineMode(connection) == 1
            else { return breakDown() }
            state = .open
        default: breakDown()
        }
    }

    // MARK: Statements

    /// Queues a transaction; `flush` sends it. Statements up to a synchronization are one (PostgreSQL, "Pipelining").
    func send(_ transaction: some Sequence<ServerStatement>) {
        guard state == .open else { return }
        for statement in transaction {
            let sent = unsafe Self.withParameters(statement.parameters) { values, lengths, formats in
                unsafe library.sendQuery(
                    connection, statement.sql, Int32(statement.parameters.count), nil, values, lengths, formats, 0)
            }
            guard sent == 1 else { return breakDown() }
        }
        guard unsafe library.pipelineSync(connection) == 1 else { return breakDown() }
        unanswered += 1
    }

    func flush() {
        guard state == .open else { return }
        switch unsafe library.flush(connection) {
        case 0: isFull = false
        case 1: isFull = true
        default: breakDown()
        }
    }

    /// The socket is readable.
    ///
    /// - Returns: answers in the order of their transactions, and whether somebody has notified a channel that it listens to.
    func read() -> (answers: [TransactionAnswer], isNotified: Bool) {
        var answers: [TransactionAnswer] = []
        guard state == .open else { return (answers, false) }
        if unsafe library.consumeInput(connection) != 1 { breakDown() }
        while unanswered > 0, state == .open, unsafe library.isBusy(connection) == 0 {
            guard let result = unsafe library.getResult(connection) else {
                // Between the parts of an answer there is one nil; a connection that broke has nothing else.
                if unsafe library.status(connection) == CONNECTION_BAD { breakDown() }
                continue
            }
            defer { unsafe library.clear(result) }
            if let whole = unsafe take(result) { answers.append(whole) }
        }
        var isNotified = false
        while let note = unsafe library.notifies(connection) {
            isNotified = true
            unsafe library.freeMemory(note)
        }
        return (answers, isNotified)
    }

    /// - Returns: the answer, once its transaction is done with.
    private func take(_ result: LibPQ.Result) -> TransactionAnswer? {
        guard unsafe library.resultStatus(result) != PGRES_PIPELINE_SYNC else {
            defer { (rows, fault) = ([], nil) }
            unanswered -= 1
            return fault.map(TransactionAnswer.refused) ?? .done(rows)
        }
        switch unsafe Self.answer(result, library) {
        case .refused(let first): fault = fault ?? first
        case .rows(let some): rows.append(some)
        case nil: rows.append([])
        }
        return nil
    }

    // MARK: Results

    /// What a result says; nil: it has no rows and is no refusal.
    static func answer(_ result: LibPQ.Result?, _ library: LibPQ) -> StatementAnswer? {
        switch unsafe library.resultStatus(result) {
        case PGRES_TUPLES_OK: return unsafe .rows(rows(result, library))
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return nil
        default:
            func field(_ code: Int32) -> String? {
                unsafe library.resultErrorField(result, code).map { unsafe String(cString: $0) }
            }
            let message = field(messageField) ?? "the connection broke"
            return .refused(StatementFault(code: field(stateField) ?? "", message: message))
        }
    }

    // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY are characters.
    private static let stateField = Int32(UInt8(ascii: "C"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    private static func rows(_ result: LibPQ.Result?, _ library: LibPQ) -> [[String?]] {
        let columns = unsafe library.columnCount(result)
        return (0..<(unsafe library.rowCount(result))).map { row in
            (0..<columns).map { column in
                guard unsafe library.getIsNull(result, row, column) == 0 else { return nil }
                return unsafe library.getValue(result, row, column).map { unsafe String(cString: $0) }
            }
        }
    }

    // MARK: C texts

    /// Keywords and values, each with nil after the last one.
    static func withOptions<R>(_ options: [String: String], _ body: (LibPQ.Texts, LibPQ.Texts) -> R) -> R {
        let pairs = options.sorted { $0.key < $1.key }
        return unsafe withValues(pairs.map { Array($0.key.utf8) }) { keywords in
            unsafe withValues(pairs.map { Array($0.value.utf8) }) { values in unsafe body(keywords, values) }
        }
    }

    /// Values, lengths and formats.
    static func withParameters<R>(
        _ parameters: [ServerStatement.Parameter], _ body: (LibPQ.Texts, [Int32], [Int32]) -> R
    ) -> R {
        let values: [[UInt8]?] = parameters.map { parameter in
            switch parameter {
            case .null: nil
            // A text of PostgreSQL has no byte 0.
            case .text(let text): text.utf8.filter { $0 != 0 }
            case .bytes(let bytes): bytes
            }
        }
        let formats = parameters.map { parameter in
            guard case .bytes = parameter else { return Int32(0) }
            return Int32(1)
        }
        return unsafe withValues(values) { texts in
            unsafe body(texts, values.map { Int32($0?.count ?? 0) }, formats)
        }
    }

    private static func withValues<R>(_ values: [[UInt8]?], _ body: (LibPQ.Texts) -> R) -> R {
        var bytes: [CChar] = []
        let starts = values.map { value in
            guard let value else { return -1 }
            defer { bytes += value.map(CChar.init(bitPattern:)) + [0] }
            return bytes.count
        }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = unsafe starts.map { start in
                start < 0 ? nil : unsafe buffer.baseAddress.map { unsafe $0 + start }
            }
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { list in
                guard let first = list.baseAddress else { preconditionFailure("an array with an element has one") }
                return unsafe body(first)
            }
        }
    }
}
