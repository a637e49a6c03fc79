import Record

/// The statements that find what may be forgotten, and forget it: kept, because they are used in many turns.
struct PruneStatements: ~Copyable {
    let findRuns: Statement
    let findLines: Statement
    let findDevice: Statement
    let forgetOutput: Statement
    let forgetDropped: Statement
    let forgetInputs: Statement
    let forgetRun: Statement
    let settleDisorder: Statement
    let forgetLine: Statement
    let forgetDevice: Statement

    /// Memberwise, because an initializer that throws half-way cannot release its non-copyable parts.
    static func prepared(for database: Database) throws(StoreError) -> PruneStatements {
        return PruneStatements(
            // Runs in progress are skipped: any number of them among the oldest delays nothing.
            findRuns: try database.prepare(
                "forget old runs",
                """
                SELECT seq FROM (SELECT seq, ended FROM runs WHERE outcome IS NOT NULL ORDER BY seq LIMIT ?1)
                WHERE ended < ?2 OR seq < ?3
                """),
            findLines: try database.prepare(
                "forget old lines",
                """
                SELECT seq FROM (SELECT seq, at FROM journal ORDER BY seq LIMIT ?1)
                WHERE at < ?2 OR seq <= (SELECT max(seq) FROM journal) - ?3
                """),
            // The last deleted value of each condition stays: it applies when the rest of the log begins.
            findDevice: try database.prepare(
                "forget old lines",
                """
                WITH newest AS (SELECT max(seq) AS seq FROM device_log)
                SELECT old.seq FROM (SELECT seq, at, condition FROM device_log ORDER BY seq LIMIT ?1) AS old, newest
                WHERE (old.at < ?2 OR old.seq <= newest.seq - ?3) AND EXISTS (SELECT 1 FROM device_log AS later
                    WHERE later.condition = old.condition AND later.seq > old.seq
                    AND (later.at < ?2 OR later.seq <= newest.seq - ?3))
                """),
            forgetOutput: try database.prepare("forget old runs", "DELETE FROM output WHERE seq = ?1"),
            forgetDropped: try database.prepare("forget old runs", "DELETE FROM output_dropped WHERE seq = ?1"),
            forgetInputs: try database.prepare("forget old runs", "DELETE FROM inputs WHERE seq = ?1"),
            forgetRun: try database.prepare("forget old runs", "DELETE FROM runs WHERE seq = ?1"),
            // Two runs are out of order; without the earlier one the rest is in order again.
            settleDisorder: try database.prepare(
                "forget old runs", "DELETE FROM disorder WHERE seq <= coalesce((SELECT min(seq) FROM runs), seq)"),
            forgetLine: try database.prepare(
                "forget old lines", "DELETE FROM journal WHERE seq = ?1 RETURNING \(History.journalLineBytes)"),
            forgetDevice: try database.prepare("forget old lines", "DELETE FROM device_log WHERE seq = ?1"))
    }
}
