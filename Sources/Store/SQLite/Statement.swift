import CSQLite
import Linux
import Record

/// A prepared statement and its bindings. Parameters count from 1, columns from 0, as in SQLite.
///
/// Every statement has a fixed number of parameters, and each is bound again before each use, so none is cleared between two.
@safe struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let sql: String
    private let spares: SpareStatements
    private let what: StaticString

    /// Prepared now, or earlier with the same text.
    ///
    /// - Parameter what: its purpose, as the rest of "cannot …".
    init(_ database: Database, _ sql: String, what: StaticString) throws(StoreError) {
        if let spare = unsafe database.spares.take(sql) {
            unsafe handle = unsafe spare
        } else {
            unsafe handle = try unsafe Self.prepare(database, sql, what)
        }
        self.sql = sql
        spares = database.spares
        self.what = what
    }

    deinit { unsafe spares.put(sql, handle) }

    private static func prepare(
        _ database: Database, _ sql: String, _ what: StaticString
    ) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        // It is kept: SQLite then does not use its small fast memory.
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard unsafe sqlite3_prepare_v3(database.handle, sql, -1, flags, &handle, nil) == SQLITE_OK,
            let handle = unsafe handle
        else {
            throw database.error(what: "\(what)")
        }
        return unsafe handle
    }

    // MARK: Binding

    func bind(_ index: Int32, _ value: Int64) { unsafe verify(sqlite3_bind_int64(handle, index, value)) }
    func bind(_ index: Int32, _ value: Double) { unsafe verify(sqlite3_bind_double(handle, index, value)) }
    func bindNull(_ index: Int32) { unsafe verify(sqlite3_bind_null(handle, index)) }

    /// nil binds NULL.
    func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Copies the text; nil binds NULL.
    func bind(_ index: Int32, _ text: String?) {
        guard let text else { return bindNull(index) }
        let size = Int32(text.utf8.count)
        unsafe text.withCString { unsafe verify(sqlite3_bind_text(handle, index, $0, size, Self.copying)) }
    }

    /// Lends the bytes without a copy: they must stay until the statement has been stepped to its end.
    /// A null address or a count of 0 binds an empty blob.
    func bind(_ index: Int32, lending bytes: UnsafeRawBufferPointer) {
        if unsafe bytes.isEmpty {
            unsafe verify(sqlite3_bind_zeroblob(handle, index, 0))
        } else {
            unsafe verify(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil))
        }
    }

    /// Copies the bytes of a blob.
    func bind(_ index: Int32, copying bytes: UnsafeRawBufferPointer) {
        unsafe verify(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.copying))
    }

    /// SQLITE_TRANSIENT, which Swift cannot import: the macro casts -1 to a function pointer.
    private static var copying: sqlite3_destructor_type? { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self) }

    /// Binding fails on a wrong index or a statement in use (our bugs) and when memory has run out.
    private func verify(_ result: Int32) {
        guard result == SQLITE_OK else { preconditionFailure("bind a parameter that the statement has, after a reset") }
    }

    // MARK: Running

    /// Runs a statement that gives no rows, and makes it ready for its next use.
    func run() throws(StoreError) {
        guard unsafe sqlite3_step(handle) == SQLITE_DONE else { throw failure() }
        _ = unsafe sqlite3_reset(handle)  // can only repeat the step's result
    }

    /// Goes to the next row. False after the last one; the statement is then ready for its next use.
    func next() throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            _ = unsafe sqlite3_reset(handle)
            return false
        default: throw failure()
        }
    }

    /// The first row's first column as an integer; nil without a row. The statement is then ready for its next use.
    func first() throws(StoreError) -> Int64? {
        guard try next() else { return nil }
        let value = integer(0)
        reset()
        return value
    }

    /// Leaves rows unread and makes the statement ready for its next use. A statement left in the middle of its rows would
    /// hold its snapshot, and with it the write-ahead log, forever.
    func reset() { _ = unsafe sqlite3_reset(handle) }

    /// How many rows the last `run` changed.
    var changes: Int32 { unsafe sqlite3_changes(sqlite3_db_handle(handle)) }

    private func failure() -> StoreError {
        let last = Errno.last
        let error = unsafe StoreError(
            sqlite3_db_handle(handle), what: "\(what)",
            path: unsafe String(cString: sqlite3_db_filename(sqlite3_db_handle(handle), "main")), last: last)
        _ = unsafe sqlite3_reset(handle)
        return error
    }

    // MARK: Columns of the row at hand

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }
    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }
    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The text, with U+FFFD for what is not UTF-8; nil for NULL.
    func text(_ column: Int32) -> String? {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self
        )
    }

    /// Lends the bytes of a blob; empty for NULL.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = unsafe sqlite3_column_blob(handle, column)
        return unsafe body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
