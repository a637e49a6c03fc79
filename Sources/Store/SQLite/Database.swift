import CSQLite
import Linux
package import Record
package import TaskModel

/// One connection to the file. Thread: its creator's; SQLite's own locks are off (SQLITE_OPEN_NOMUTEX).
///
/// The host uses `Store`, verbs that only read use `History`; a plain connection is for them and for tests.
@safe package final class Database {
    package enum Access: Sendable {
        /// For this connection alone, for its lifetime: no other process reads at the same time or delays it. It costs no
        /// lock and no shared memory at each commit.
        case exclusive
        /// Others may read and write at the same time.
        case readWrite
        case readOnly

        var isWriting: Bool { self != .readOnly }
    }

    let handle: OpaquePointer
    package let path: String
    /// nil: its file system keeps no sums of pages.
    let sums: PageSums.File?
    /// How long the write-ahead log is, once `prepareForWriting` watches it.
    let log = LogWatch()
    let spares = SpareStatements()

    /// Opens the file; for writing it creates it, readable by its owner alone (SQLite gives the -wal and -shm files the mode
    /// of the database).
    ///
    /// - Parameter patience: how long to wait for another process's lock, here and later; nil: long enough for a statement
    ///   of a user's `sqlite3`, or for the recovery of a writer.
    package convenience init(path: String, access: Access, patience: TimeSpan? = nil) throws(StoreError) {
        try self.init(path: path, access: access, patience: patience, room: nil)
    }

    /// - Parameter room: finds space when a full disk refuses a write.
    init(path: String, access: Access, patience: TimeSpan?, room: RoomKeeper?) throws(StoreError) {
        _ = Self.isConfigured
        self.path = path
        let writing = access.isWriting
        if writing { try Self.create(path) }
        try Self.refuseOthers(path, isWriting: writing)
        var handle: OpaquePointer?
        let flags =
            (writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            | SQLITE_OPEN_NOFOLLOW
        let result = unsafe sqlite3_open_v2(path, &handle, flags, room?.systemName ?? PageSums.systemName)
        guard let handle = unsafe handle else {
            throw StoreError(.broken, what: Self.opening, path: path, extendedCode: result, message: "out of memory")
        }
        guard result == SQLITE_OK else {
            var error = unsafe StoreError(handle, what: Self.opening, path: path, last: .last)
            _ = unsafe sqlite3_close_v2(handle)
            if error.systemError == Errno.ENOENT.rawValue && !writing { error.kind = .missing }
            throw error
        }
        unsafe self.handle = unsafe handle
        unsafe sums = PageSums.File(of: handle)
        // SQLite falls back to reading when it may not write, and reports that only here.
        if unsafe writing && sqlite3_db_readonly(handle, "main") == 1 {
            throw StoreError(.notWritable, what: Self.opening, path: path)
        }
        let milliseconds = patience.map { $0.nanoseconds / 1_000_000 } ?? (writing ? 1_000 : 5_000)
        _ = unsafe sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
        // Before the file is read: then the log's index is in this process's own memory (sqlite.org/wal.html).
        if access == .exclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    }

    /// Once for the process, before its first connection. A refusal costs a little speed and nothing else.
    private static let isConfigured = csqlite_disable_memory_statistics() == SQLITE_OK

    static let opening = "open the record of runs"

    /// Close even with live statements: SQLite then closes with the last of them, in any order of the owner's
    /// properties. The last connection to close copies the log into the file.
    deinit {
        spares.close()
        unsafe log.end(on: handle)
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Creates an empty file of mode 0600, if there is none. An existing one is not opened here: closing any descriptor of a
    /// file drops all the locks that this process holds on it (fcntl(2), "Advisory record locking").
    private static func create(_ path: String) throws(StoreError) {
        do throws(SystemError) {
            _ = try Descriptor.open(path, [.O_CREAT, .O_EXCL, .O_NOFOLLOW, .O_RDWR], mode: 0o600)
        } catch {
            if error.code != .EEXIST { throw StoreError(.cannotOpen, what: opening, path: path, error.code) }
        }
    }

    /// Opening a FIFO would wait for its other end, and a device is not ours. What a host writes has to be its own user's or
    /// root's, and nobody else's to write: whoever can change the log changes the record. Checked without opening, as above.
    private static func refuseOthers(_ path: String, isWriting: Bool) throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] {
            guard let facts = try? FileSystem.facts(ofPath: path + suffix) else { continue }
            let name = suffix.isEmpty ? "it" : "its \(suffix) file"
            let fault: String
            if !facts.isFile {
                fault = "\(name) is no regular file"
            } else if isWriting && facts.user != 0 && facts.user != ThisProcess.user {
                fault = "\(name) belongs to another user (\(facts.user))"
            } else if isWriting && facts.isWritableByOthers {
                fault = "\(name) may be written by other users"
            } else {
                continue
            }
            throw StoreError(.cannotOpen, what: opening, path: path, message: fault)
        }
    }

    /// Sets how a writer keeps the file: write-ahead log, synced at each commit, and not shortened below `LogWatch.limit`:
    /// overwriting a log takes half the time of growing one. A new file can give pages back (`Store.shrink`); that is decided
    /// before anything is in it.
    func prepareForWriting() throws(StoreError) {
        // Of a file that has something in it this would write to it, or do nothing.
        if try integer("PRAGMA page_count") == 0 {
            sums?.begin()
            try execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        guard try text("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreError(
                .cannotOpen, what: Self.opening, path: path,
                message: "its file system cannot hold a write-ahead log, which needs shared memory mappings")
        }
        try execute(
            "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = \(LogWatch.limit); PRAGMA temp_store = MEMORY")
        var keep: Int32 = 1
        guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep) == SQLITE_OK else {
            throw error(what: Self.opening)
        }
        let pageSize = Int(try integer("PRAGMA page_size") ?? 0)
        unsafe log.begin(on: handle, pageSize: pageSize)
    }

    /// Keeps a connection that could write from writing, also when it is closed.
    func leaveAsItIs() throws(StoreError) {
        var keep: Int32 = 1
        guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep) == SQLITE_OK,
            unsafe csqlite_leave_log(handle) == SQLITE_OK
        else { throw error(what: Self.opening) }
        try execute("PRAGMA query_only = ON")
    }

    /// Runs statements one after another; rows are thrown away. For set-up and tests, never with text from outside.
    package func execute(_ sql: String, what: String = Database.opening) throws(StoreError) {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(what: what) }
    }

    /// The first column of the first row as an integer; nil without a row, or for NULL.
    package func integer(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try Statement(self, sql, what: "read the record of runs")
        return try statement.next() ? statement.optionalInteger(0) : nil
    }

    /// The first column of the first row as text; nil without a row, or for NULL.
    package func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try Statement(self, sql, what: "read the record of runs")
        return try statement.next() ? statement.text(0) : nil
    }

    /// A statement that is kept for the life of the connection.
    func prepare(_ what: StaticString, _ sql: String) throws(StoreError) -> Statement {
        try Statement(self, sql, what: what)
    }

    /// Pages that did not have their sum when they were read.
    var damage: PageDamage { sums?.damage ?? PageDamage() }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Lets several statements of `body` see one state of the file. Within a transaction they do so anyway.
    func withSnapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        if isInTransaction { return try body() }
        try execute("BEGIN", what: "read the record of runs")
        defer { _ = unsafe sqlite3_exec(handle, "COMMIT", nil, nil, nil) }  // it ends a transaction that wrote nothing
        return try body()
    }

    func error(what: String) -> StoreError {
        unsafe StoreError(handle, what: what, path: path, last: .last)
    }
}
