/// What Scrub knows of the files of one folder: its part of `$STATE/scrub.sqlite`. Paths are relative to the folder.
///
/// One run has it for itself: SQLite's exclusive locking, which also spares the memory that several connections would
/// share. A second run at the same time waits a little and then fails with a clear sentence.
final class Index {
    /// What a file was found to be, compared with what is known of it.
    enum Verdict: Equatable {
        case new
        case changed
        case intact
        /// Same size and modification time, other content.
        case rotted
    }

    private let database: Database
    private let folder: [UInt8]
    private let known: Statement
    private let store: Statement
    private let noteRot: Statement
    private let clearRot: Statement

    init(of folder: [UInt8], for run: Run) throws(Failure) {
        self.folder = folder
        database = try Database(path: run.stateDirectory + Array("/scrub.sqlite".utf8))
        database.waitForOthers(watching: run)
        try database.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            """)
        try Self.migrate(database)
        known = try database.prepare("SELECT size, modified, checksum FROM files WHERE folder = ?1 AND path = ?2")
        store = try database.prepare(
            """
            INSERT OR REPLACE INTO files(folder, path, size, modified, checksum, pass)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6)
            """)
        noteRot = try database.prepare(
            """
            INSERT INTO rot(folder, path, expected, found, noticed) VALUES(?1, ?2, ?3, ?4, unixepoch())
            ON CONFLICT(folder, path) DO UPDATE SET found = excluded.found
            """)
        clearRot = try database.prepare("DELETE FROM rot WHERE folder = ?1 AND path = ?2")
    }

    private static func migrate(_ database: Database) throws(Failure) {
        let version = try database.prepare("PRAGMA user_version")
        guard try version.step() else { throw database.failure }
        let number = version.integer(0)
        version.reset()
        guard number <= 1 else {
            throw Failure(message: "scrub.sqlite has schema \(number), this Scrub knows 1: use the newer Scrub again")
        }
        guard number == 0 else { return }
        try database.execute(
            """
            BEGIN IMMEDIATE;
            -- Every file read. `pass`: the pass that saw it last.
            CREATE TABLE files(folder TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
                               modified INTEGER NOT NULL, checksum BLOB NOT NULL, pass INTEGER NOT NULL,
                               PRIMARY KEY(folder, path)) WITHOUT ROWID;
            -- Files that rotted and are not whole again.
            CREATE TABLE rot(folder TEXT NOT NULL, path TEXT NOT NULL, expected BLOB NOT NULL, found BLOB NOT NULL,
                             noticed INTEGER NOT NULL, PRIMARY KEY(folder, path)) WITHOUT ROWID;
            -- One row a folder: the pass under way, and where it is.
            CREATE TABLE walks(folder TEXT PRIMARY KEY, pass INTEGER NOT NULL, position TEXT NOT NULL,
                               checked INTEGER NOT NULL, bytes INTEGER NOT NULL, rotted INTEGER NOT NULL,
                               unreadable INTEGER NOT NULL, partial_size INTEGER, partial_modified INTEGER,
                               partial_state BLOB) WITHOUT ROWID;
            PRAGMA user_version = 1;
            COMMIT;
            """)
    }

    func begin() throws(Failure) { try database.execute("BEGIN IMMEDIATE") }
    func commit() throws(Failure) { try database.execute("COMMIT") }

    /// Compares a file with what is known of it, and remembers it. A rotted file keeps the checksum it should have, so
    /// that it is reported by every pass until it is repaired or written anew.
    func judge(
        _ path: [UInt8], _ fingerprint: FileReader.Fingerprint, checksum: [UInt8], pass: Int64
    ) throws(Failure) -> Verdict {
        var verdict = Verdict.new
        var kept = checksum
        known.bind(1, folder)
        known.bind(2, path)
        if try known.step() {
            let expected = known.bytes(2)
            if known.integer(0) != fingerprint.size || known.integer(1) != fingerprint.modified {
                verdict = .changed
            } else if expected == checksum {
                verdict = .intact
            } else {
                verdict = .rotted
                kept = expected
            }
        }
        known.reset()

        store.bind(1, folder)
        store.bind(2, path)
        store.bind(3, fingerprint.size)
        store.bind(4, fingerprint.modified)
        store.bind(5, blob: kept)
        store.bind(6, pass)
        try store.run()
        if verdict == .rotted {
            noteRot.bind(1, folder)
            noteRot.bind(2, path)
            noteRot.bind(3, blob: kept)
            noteRot.bind(4, blob: checksum)
            try noteRot.run()
        } else if verdict != .new {
            clearRot.bind(1, folder)
            clearRot.bind(2, path)
            try clearRot.run()
        }
        return verdict
    }

    /// Keeps what is known of a file or folder that exists but cannot be read now.
    func keep(_ path: [UInt8], pass: Int64) throws(Failure) {
        let update = try database.prepare(
            """
            UPDATE files SET pass = ?3
            WHERE folder = ?1 AND (path = ?2 OR (path >= ?2 || '/' AND path < ?2 || '0')) -- '0' comes after '/'
            """)
        update.bind(1, folder)
        update.bind(2, path)
        update.bind(3, pass)
        try update.run()
    }

    /// How many files are known.
    func count() throws(Failure) -> Int64 {
        let query = try database.prepare("SELECT count(*) FROM files WHERE folder = ?1")
        query.bind(1, folder)
        return try query.step() ? query.integer(0) : 0
    }

    /// Forgets files that pass `pass`, now at its end, did not see: they were removed.
    func forget(unseenBy pass: Int64) throws(Failure) {
        let files = try database.prepare("DELETE FROM files WHERE folder = ?1 AND pass < ?2")
        files.bind(1, folder)
        files.bind(2, pass)
        try files.run()
        let rot = try database.prepare(
            "DELETE FROM rot WHERE folder = ?1 AND path NOT IN (SELECT path FROM files WHERE folder = ?1)")
        rot.bind(1, folder)
        try rot.run()
    }

    /// The pass that is under way, or a new one.
    func pass() throws(Failure) -> Pass {
        let query = try database.prepare(
            """
            SELECT pass, position, checked, bytes, rotted, unreadable, partial_size, partial_modified, partial_state
            FROM walks WHERE folder = ?1
            """)
        query.bind(1, folder)
        guard try query.step() else { return Pass(number: 1) }
        var pass = Pass(number: query.integer(0))
        pass.position = query.bytes(1)
        pass.checked = query.integer(2)
        pass.bytes = query.integer(3)
        pass.rotted = query.integer(4)
        pass.unreadable = query.integer(5)
        if !query.isNull(8) {
            let fingerprint = FileReader.Fingerprint(size: query.integer(6), modified: query.integer(7))
            pass.partial = FileReader.Partial(fingerprint: fingerprint, state: query.bytes(8))
        }
        return pass
    }

    func save(_ pass: Pass) throws(Failure) {
        let statement = try database.prepare(
            "INSERT OR REPLACE INTO walks VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        statement.bind(1, folder)
        statement.bind(2, pass.number)
        statement.bind(3, pass.position)
        statement.bind(4, pass.checked)
        statement.bind(5, pass.bytes)
        statement.bind(6, pass.rotted)
        statement.bind(7, pass.unreadable)
        if let partial = pass.partial {
            statement.bind(8, partial.fingerprint.size)
            statement.bind(9, partial.fingerprint.modified)
            statement.bind(10, blob: partial.state)
        }
        try statement.run()
    }
}
