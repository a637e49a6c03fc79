import Record

/// The host's statements, prepared once for the life of the connection.
struct WriteStatements: ~Copyable {
    let begin: Statement
    let commit: Statement
    let insert: Statement
    let finish: Statement
    let expire: Statement
    let diagnose: Statement
    let mark: Statement
    let markDisorder: Statement
    let nextPart: Statement
    let addPart: Statement
    let addDropped: Statement
    let addInputs: Statement
    let addApplication: Statement
    let addTask: Statement
    let addSetup: Statement

    /// Memberwise, because an initializer that throws half-way cannot release its non-copyable parts.
    static func prepared(for database: Database, of host: Int64) throws(StoreError) -> WriteStatements {
        return WriteStatements(
            begin: try database.prepare("begin to record", "BEGIN IMMEDIATE"),
            commit: try database.prepare("commit what was recorded", "COMMIT"),
            insert: try database.prepare(
                "record a run",
                """
                INSERT INTO runs (seq, ulid, task, attempt, submitted, started, setup, waited, origin, kind)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """),
            // A run has one outcome: a second one finds no row.
            finish: try database.prepare(
                "record the end of a run",
                """
                UPDATE runs SET outcome = ?2, reason = ?3, started = ?4, expired = ?5, ended = ?6, wall = ?7, cpu = ?8,
                peak = ?9, signal = ?10, status = ?11, result_kind = ?12, result = ?13, setup = coalesce(?14, setup),
                events = ?15, kept = ?16, frozen = coalesce(?17, frozen) WHERE seq = ?1 AND outcome IS NULL
                """),
            expire: try database.prepare(
                "record an expiration", "UPDATE runs SET expired = ?2, reason = ?3 WHERE seq = ?1 AND outcome IS NULL"),
            diagnose: try database.prepare(
                "record a diagnostic",
                """
                UPDATE runs SET diagnostics = CASE WHEN diagnostics IS NULL THEN ?2
                WHEN length(CAST(diagnostics AS BLOB)) < \(TextList.maximumSize) THEN diagnostics || char(30) || ?2
                ELSE diagnostics END WHERE seq = ?1
                """),
            mark: try database.prepare(
                "record a mark", "UPDATE runs SET marks = ?2, differences = ?3 WHERE seq = ?1"),
            markDisorder: try database.prepare("record a run", "INSERT OR IGNORE INTO disorder (seq) VALUES (?1)"),
            nextPart: try database.prepare(
                "record output", "SELECT coalesce(max(part), 0) + 1 FROM output WHERE seq = ?1"),
            addPart: try database.prepare(
                "record output", "INSERT INTO output (seq, part, bytes, at, stream) VALUES (?1, ?2, ?3, ?4, ?5)"),
            addDropped: try database.prepare(
                "record output",
                """
                INSERT INTO output_dropped (seq, bytes) VALUES (?1, ?2)
                ON CONFLICT (seq) DO UPDATE SET bytes = bytes + excluded.bytes
                """),
            addInputs: try database.prepare(
                "record a run's payload", "INSERT INTO inputs (seq, payload, settings) VALUES (?1, ?2, ?3)"),
            addApplication: try database.prepare(
                "record an application", "INSERT INTO applications (id, identifier) VALUES (?1, ?2)"),
            addTask: try database.prepare(
                "record a task", "INSERT INTO tasks (id, identifier, application, host) VALUES (?1, ?2, ?3, \(host))"),
            addSetup: try database.prepare(
                "record a set-up", "INSERT INTO setups (id, confinement, degraded) VALUES (?1, ?2, ?3)"))
    }
}
