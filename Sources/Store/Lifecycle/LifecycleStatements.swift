import Record
import TaskModel

/// The statements for terminations of applications' processes, and for suspensions of runs.
struct LifecycleStatements: ~Copyable {
    let addTermination: Statement
    let boundTerminations: Statement
    let findTerminations: Statement
    let forgetTermination: Statement
    let pause: Statement
    let markFrozen: Statement
    let resume: Statement
    let forgetPauses: Statement

    /// Memberwise, because an initializer that throws half-way cannot release its non-copyable parts.
    static func prepared(for database: Database) throws(StoreError) -> LifecycleStatements {
        return LifecycleStatements(
            addTermination: try database.prepare(
                "record a termination",
                """
                INSERT INTO terminations (application, at, reason, callback, took, suspended, assertion_count, assertions)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """),
            // Rows are numbered without gaps among the newest.
            boundTerminations: try database.prepare(
                "record a termination",
                """
                DELETE FROM terminations WHERE seq IN (SELECT seq FROM terminations
                WHERE seq <= (SELECT max(seq) FROM terminations) - \(Store.maximumTerminations) ORDER BY seq LIMIT 64)
                """),
            findTerminations: try database.prepare(
                "forget old terminations",
                """
                SELECT seq FROM (SELECT seq, at FROM terminations ORDER BY seq LIMIT ?1)
                WHERE at < ?2 OR seq <= (SELECT max(seq) FROM terminations) - ?3
                """),
            forgetTermination: try database.prepare(
                "forget old terminations", "DELETE FROM terminations WHERE seq = ?1"),
            // A run that is suspended already, or is beyond the limit, is unchanged.
            pause: try database.prepare(
                "record a pause",
                """
                INSERT OR IGNORE INTO pauses (run, start) SELECT ?1, ?2
                WHERE (SELECT count(*) < \(RunPause.most) AND count(stop) = count(*) FROM pauses WHERE run = ?1)
                """),
            markFrozen: try database.prepare(
                "record a pause", "UPDATE runs SET frozen = coalesce(frozen, 0) WHERE seq = ?1"),
            resume: try database.prepare(
                "record a pause", "UPDATE pauses SET stop = max(start, ?2) WHERE run = ?1 AND stop IS NULL"),
            forgetPauses: try database.prepare("forget old runs", "DELETE FROM pauses WHERE run = ?1"))
    }
}
