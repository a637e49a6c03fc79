import Record

/// The shape of the file, as the steps that lead from an empty one to today's. Step n takes version n to version n + 1;
/// a released step never changes. The version is kept in `user_version`.
///
/// Every number in it, such as an outcome's, is the raw value of a type in TaskModel; every time is in nanoseconds, since 1970
/// for moments.
package struct RecordSchema: Sendable {
    package var steps: [String]

    /// Its times are those of a virtual clock: no host with the machine's clock may continue them.
    package var isVirtual = false

    package init(steps: [String]) { self.steps = steps }

    package var version: Int { steps.count }

    /// "TKHS": marks the file as ours (`application_id`).
    package static let applicationID: Int64 = 0x544B_4853
    /// "TKHV": the same of a record with a virtual clock.
    package static let virtualID: Int64 = 0x544B_4856

    var ownID: Int64 { isVirtual ? Self.virtualID : Self.applicationID }

    /// The number of runs from which a step may take longer than a second.
    static let manyRuns: Int64 = 1_000_000

    package static let current = RecordSchema(steps: [
        first, second, runsByTask, tries, keptMemory, fileMarks, deferrals, terminations, events,
        transfers, uploadSources, logMarks, runsByOutcome,
        inputs, pausedWork, hosts, marks, manifests, fleet,
    ])

    /// The same for a record with a virtual clock.
    package static let virtual = {
        var schema = current
        schema.isVirtual = true
        return schema
    }()

    private static let first = """
        CREATE TABLE tasks (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL,
            application TEXT NOT NULL,
            UNIQUE (identifier, application)
        );
        CREATE TABLE setups (
            id INTEGER PRIMARY KEY,
            confinement TEXT NOT NULL,
            degraded TEXT NOT NULL,
            UNIQUE (confinement, degraded)
        );
        CREATE TABLE runs (
            seq INTEGER PRIMARY KEY,
            ulid BLOB NOT NULL,
            task INTEGER NOT NULL REFERENCES tasks,
            attempt INTEGER NOT NULL,
            submitted INTEGER NOT NULL,
            started INTEGER,
            expired INTEGER,
            ended INTEGER,
            outcome INTEGER,
            reason INTEGER,
            wall INTEGER,
            cpu INTEGER,
            peak INTEGER,
            signal INTEGER,
            status INTEGER,
            result_kind INTEGER,
            result,
            setup INTEGER REFERENCES setups,
            diagnostics TEXT,
            events BLOB
        );
        CREATE INDEX runs_unfinished ON runs (outcome) WHERE outcome IS NULL;
        CREATE TABLE disorder (seq INTEGER PRIMARY KEY);
        CREATE TABLE output (
            seq INTEGER NOT NULL,
            part INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (seq, part)
        ) WITHOUT ROWID;
        CREATE TABLE output_dropped (seq INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
        """

    /// Requests, and the scheduler's other data.
    ///
    /// A request's `id` is the row of its task while it waits, and the negative of that while it runs. So both the running
    /// submission and the one that waits behind it have a row, at most one of each; a start moves one row within one
    /// B-tree of integers; and after a crash the running ones are a range at its beginning. Measured against a table with the
    /// key (task, submitted) and against a second table for running ones, it takes the least processor time over submission,
    /// start and end together at a thousand rows, and as little as the second table at a million.
    private static let second = """
        CREATE TABLE requests (
            id INTEGER PRIMARY KEY,
            submitted INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            origin INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            earliest INTEGER,
            power INTEGER NOT NULL,
            network INTEGER NOT NULL,
            strategy INTEGER NOT NULL,
            resources INTEGER NOT NULL,
            not_before INTEGER,
            scheduled INTEGER,
            run INTEGER,
            title TEXT,
            subtitle TEXT,
            payload BLOB
        );
        CREATE TABLE applications (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            force_quit INTEGER NOT NULL DEFAULT 0,
            refresh_denied INTEGER NOT NULL DEFAULT 0,
            crashes INTEGER NOT NULL DEFAULT 0,
            quarantined_until INTEGER,
            usage REAL NOT NULL DEFAULT 0,
            quota_used INTEGER NOT NULL DEFAULT 0,
            quota_end INTEGER
        );
        CREATE TABLE journal (
            seq INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL
        );
        CREATE TABLE device_log (
            seq INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            condition TEXT NOT NULL,
            value TEXT NOT NULL
        );
        CREATE INDEX device_log_condition ON device_log (condition);
        CREATE TABLE overrides (condition TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        ALTER TABLE runs ADD COLUMN waited BLOB;
        ALTER TABLE runs ADD COLUMN origin INTEGER;
        """
}

extension Database {
    /// Checks that the file is ours and of a version that this program can use.
    ///
    /// - Parameter anyClock: a reader takes the times as they are.
    /// - Returns: the version found; 0 for a file that is still empty.
    func checkVersion(_ schema: RecordSchema, anyClock: Bool = false) throws(StoreError) -> Int {
        let version = Int(try integer("PRAGMA user_version") ?? 0)
        let owner = try integer("PRAGMA application_id") ?? 0
        let isOurs = owner == RecordSchema.applicationID || owner == RecordSchema.virtualID
        if isOurs && !anyClock && owner != schema.ownID {
            throw StoreError(.otherClock(isVirtual: !schema.isVirtual), what: Self.opening, path: path)
        }
        if !isOurs {
            guard owner == 0, version == 0, try integer("SELECT 1 FROM sqlite_schema LIMIT 1") == nil else {
                throw StoreError(.foreign, what: Self.opening, path: path)
            }
            return 0
        }
        guard version >= 0 else {
            throw StoreError(.corrupt, what: Self.opening, path: path, message: "its version is \(version)")
        }
        guard version <= schema.version else {
            throw StoreError(.newerSchema(found: version, known: schema.version), what: Self.opening, path: path)
        }
        return version
    }

    /// The message before a file with very many runs is migrated; nil: that takes less than a second.
    func migrationNotice() throws(StoreError) -> String? {
        // Both ends of the table, not a count: rows are numbered without large gaps. An index of a million takes 0.4 s.
        let runs = try integer("SELECT max(seq) - min(seq) + 1 FROM runs") ?? 0
        guard runs >= RecordSchema.manyRuns else { return nil }
        return "bringing the record forward for this version; \(path): about \(runs) runs; wait, it is done once"
    }

    /// Migrates the file to `schema`, in one transaction: after a failure it is unchanged.
    func migrate(to schema: RecordSchema) throws(StoreError) {
        guard try checkVersion(schema) < schema.version else { return }
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            // Once more under the lock: another process may have done it in between.
            for step in schema.steps[try checkVersion(schema)...] { try execute(step) }
            try execute(
                "PRAGMA application_id = \(schema.ownID); PRAGMA user_version = \(schema.version); COMMIT")
        } catch {
            try? execute("ROLLBACK")  // the error to report is the first one
            throw error
        }
    }
}
