import CSQLite
package import Foundation
import Synchronization

/// The feeds and items that are kept, in one SQLite file. Any thread may call; one at a time is served.
package final class FeedDatabase: Sendable {
    /// What a feed's server said last, to ask for news only.
    package struct Memory: Sendable, Equatable {
        package var etag: String?
        package var lastModified: String?

        package init(etag: String? = nil, lastModified: String? = nil) {
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    private let connection: Mutex<Connection>

    private static let schema = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        CREATE TABLE IF NOT EXISTS feeds (
            id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, title TEXT NOT NULL DEFAULT '', etag TEXT,
            lastModified TEXT, checked INTEGER, problem TEXT) STRICT;
        CREATE TABLE IF NOT EXISTS items (
            feed INTEGER NOT NULL REFERENCES feeds, key TEXT NOT NULL, title TEXT NOT NULL, link TEXT NOT NULL,
            author TEXT NOT NULL, summary TEXT NOT NULL, published INTEGER, found INTEGER NOT NULL,
            PRIMARY KEY (feed, key)) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS itemsByFound ON items (found);
        """

    /// Opens or creates the file.
    package init(file: URL) throws(FeedProblem) {
        let opened = try Connection(path: file.path)
        try opened.execute(Self.schema)
        connection = Mutex(opened)
    }

    /// What is remembered of a feed; nothing for one that is new.
    package func memory(of address: URL) throws(FeedProblem) -> Memory {
        try use { (connection) throws(FeedProblem) in
            let row = try connection.statement("SELECT etag, lastModified FROM feeds WHERE address = ?1")
            row.bind(1, address.absoluteString)
            guard try row.step() else { return Memory() }
            return Memory(etag: row.text(0), lastModified: row.text(1))
        }
    }

    /// Stores what is new of a feed, and what its server said, in one transaction: a run that is killed loses no item.
    /// - Returns: how many items are new.
    package func store(_ feed: Feed, of address: URL, memory: Memory, at now: Int64) throws(FeedProblem) -> Int {
        try transaction { (connection) throws(FeedProblem) in
            let id = try Self.touch(address, at: now, problem: nil, connection)
            let row = try connection.statement(
                "UPDATE feeds SET title = ?2, etag = ?3, lastModified = ?4 WHERE id = ?1")
            row.bind(1, id)
            row.bind(2, feed.title)
            row.bind(3, memory.etag)
            row.bind(4, memory.lastModified)
            try row.run()
            let insert = try connection.statement(
                """
                INSERT INTO items (feed, key, title, link, author, summary, published, found)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING
                """)
            var new = 0
            for item in feed.items {
                insert.bind(1, id)
                insert.bind(2, item.key)
                insert.bind(3, item.title)
                insert.bind(4, item.link)
                insert.bind(5, item.author)
                insert.bind(6, item.summary)
                insert.bind(7, item.published)
                insert.bind(8, now)
                try insert.run()
                new += connection.changes
            }
            return new
        }
    }

    /// Notes that a feed was asked for: nothing new, or why it could not be refreshed.
    package func note(_ problem: FeedProblem?, of address: URL, at now: Int64) throws(FeedProblem) {
        try transaction { (connection) throws(FeedProblem) in
            _ = try Self.touch(address, at: now, problem: problem?.description, connection)
        }
    }

    /// The feed's number, made if need be.
    private static func touch(
        _ address: URL, at now: Int64, problem: String?, _ connection: Connection
    ) throws(FeedProblem) -> Int64 {
        let row = try connection.statement(
            """
            INSERT INTO feeds (address, checked, problem) VALUES (?1, ?2, ?3)
            ON CONFLICT (address) DO UPDATE SET checked = excluded.checked, problem = excluded.problem RETURNING id
            """)
        row.bind(1, address.absoluteString)
        row.bind(2, now)
        row.bind(3, problem)
        guard try row.step() else { throw .database("the feed could not be stored") }
        return row.integer(0)
    }

    private func use<Result: Sendable>(
        _ body: (Connection) throws(FeedProblem) -> Result
    ) throws(FeedProblem) -> Result {
        try connection.withLock { (connection) throws(FeedProblem) in try body(connection) }
    }

    private func transaction<Result: Sendable>(
        _ body: (Connection) throws(FeedProblem) -> Result
    ) throws(FeedProblem) -> Result {
        try use { (connection) throws(FeedProblem) in
            try connection.execute("BEGIN IMMEDIATE")
            do throws(FeedProblem) {
                let result = try body(connection)
                try connection.execute("COMMIT")
                return result
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }
}

/// One connection. *Thread*: under the lock of its database.
private final class Connection: @unchecked Sendable {  // only ever used under that lock
    private let handle: OpaquePointer

    init(path: String) throws(FeedProblem) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle, code == SQLITE_OK else {
            sqlite3_close_v2(handle)
            throw .database("\(path): \(String(cString: sqlite3_errstr(code)))")
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 2000)
    }

    deinit { sqlite3_close_v2(handle) }

    var changes: Int { Int(sqlite3_changes(handle)) }

    func execute(_ sql: String) throws(FeedProblem) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func statement(_ sql: String) throws(FeedProblem) -> Statement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure }
        return Statement(statement, of: self)
    }

    var failure: FeedProblem { .database("feeds.sqlite: \(String(cString: sqlite3_errmsg(handle)))") }
}

private final class Statement {
    private let handle: OpaquePointer
    private let connection: Connection
    /// SQLite copies what is bound with this in place of a destructor (SQLITE_TRANSIENT, a cast that C macros hide).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ handle: OpaquePointer, of connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    // A bind fails on a wrong index, our mistake that the next step shows, or for lack of memory, which ends the process.
    func bind(_ index: Int32, _ text: String?) {
        if let text {
            sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), Self.copied)
        } else {
            sqlite3_bind_null(handle, index)
        }
    }
    func bind(_ index: Int32, _ number: Int64?) {
        if let number { sqlite3_bind_int64(handle, index, number) } else { sqlite3_bind_null(handle, index) }
    }

    func step() throws(FeedProblem) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.failure
        }
    }

    func run() throws(FeedProblem) {
        // It repeats the error of the last step, which was thrown already.
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func text(_ column: Int32) -> String? { sqlite3_column_text(handle, column).map { String(cString: $0) } }
}
