import CSQLite
import Glibc

/// One connection to a SQLite database. *Thread*: used by one thread at a time.
final class Database {
    private let handle: OpaquePointer

    /// Opens or creates the database at `path`.
    init(path: [UInt8]) throws(Failure) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = (path + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { sqlite3_open_v2($0.baseAddress, &handle, flags, nil) }
        }
        guard let handle, code == SQLITE_OK else {
            sqlite3_close_v2(handle)
            throw Failure(message: "\(display(path)): \(String(cString: sqlite3_errstr(code)))")
        }
        self.handle = handle
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Waits up to two seconds for another connection to let go of the database, or until `run` expires.
    /// `run` must outlive the connection.
    func waitForOthers(watching run: Run) {
        sqlite3_busy_handler(
            handle,
            { task, tries in
                guard let task, tries < 400 else { return 0 }
                guard !Run(task.assumingMemoryBound(to: Run.Task.self)).shouldStop else { return 0 }
                usleep(5000)
                return 1
            }, run.task)
    }

    func execute(_ sql: String) throws(Failure) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func prepare(_ sql: String) throws(Failure) -> Statement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure }
        return Statement(statement, of: self)
    }

    /// What SQLite says of the call that failed last.
    var failure: Failure {
        let name = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
        return Failure(message: "\(name.isEmpty ? "SQLite" : name): \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// One prepared statement; keeps its database open.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database
    /// SQLite copies what is bound with this in place of a destructor (SQLITE_TRANSIENT, a cast that C macros hide).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // A bind fails on a wrong index, our mistake that the next step shows, or for lack of memory, which ends the process.

    /// Binds a text. Paths are bytes: SQLite keeps them as they are, valid UTF-8 or not.
    func bind(_ index: Int32, _ text: [UInt8]) {
        _ = text.withUnsafeBytes { bytes in
            sqlite3_bind_text64(
                handle, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.none, UInt64(bytes.count),
                Self.copied, UInt8(SQLITE_UTF8))
        }
    }

    func bind(_ index: Int32, blob: [UInt8]) {
        _ = blob.withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copied) }
    }

    func bind(_ index: Int32, _ integer: Int64) {
        sqlite3_bind_int64(handle, index, integer)
    }

    /// Moves to the next row; false after the last one.
    func step() throws(Failure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.failure
        }
    }

    /// Runs a statement without rows, and makes it ready for the next time.
    func run() throws(Failure) {
        defer { reset() }
        while try step() {}
    }

    func reset() {
        // It repeats the error of the last step, which was thrown already.
        sqlite3_reset(handle)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func bytes(_ column: Int32) -> [UInt8] {
        // The pointer first: asking for it may convert the value, and with it the length.
        let start = sqlite3_column_blob(handle, column)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// An address for the empty text: a null pointer would bind NULL.
    nonisolated(unsafe) private static let none = UnsafePointer(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}
