import Record

/// The statements that keep applications, the journal and the device.
struct WorldStatements: ~Copyable {
    let putApplication: Statement
    let addEntry: Statement
    /// The bytes of the oldest line; and away with it.
    let oldestEntry: Statement
    let forgetEntry: Statement
    let addValue: Statement
    let setOverride: Statement
    let clearOverrides: Statement
    let putFileMarks: Statement
    let putPause: Statement
    let endPause: Statement
    let addManifest: Statement
    let forgetManifests: Statement

    /// Memberwise, because an initializer that throws half-way cannot release its non-copyable parts.
    static func prepared(for database: Database) throws(StoreError) -> WorldStatements {
        return WorldStatements(
            putApplication: try database.prepare(
                "record an application",
                """
                UPDATE applications SET force_quit = ?2, refresh_denied = ?3, crashes = ?4, quarantined_until = ?5,
                usage = ?6, quota_used = ?7, quota_end = ?8, fetch_interval = ?9, fetches_unanswered = ?10, notified = ?11
                WHERE id = ?1
                """),
            addEntry: try database.prepare(
                "write the journal", "INSERT INTO journal (at, kind, subject, text) VALUES (?1, ?2, ?3, ?4)"),
            oldestEntry: try database.prepare(
                "bound the journal", "SELECT \(History.journalLineBytes) FROM journal ORDER BY seq LIMIT 1"),
            forgetEntry: try database.prepare(
                "bound the journal", "DELETE FROM journal WHERE seq = (SELECT min(seq) FROM journal)"),
            addValue: try database.prepare(
                "log the device", "INSERT INTO device_log (at, condition, value) VALUES (?1, ?2, ?3)"),
            setOverride: try database.prepare(
                "override a condition", "REPLACE INTO overrides (condition, value) VALUES (?1, ?2)"),
            clearOverrides: try database.prepare("reset the device", "DELETE FROM overrides"),
            putFileMarks: try database.prepare("remember files", "UPDATE tasks SET marks = ?2 WHERE id = ?1"),
            putPause: try database.prepare(
                "record a pause", "REPLACE INTO paused_work (level, name, since, until) VALUES (?1, ?2, ?3, ?4)"),
            endPause: try database.prepare(
                "record the end of a pause", "DELETE FROM paused_work WHERE level = ?1 AND name = ?2"),
            addManifest: try database.prepare(
                "record a manifest", "INSERT INTO manifests (host, path, at, mark, text) VALUES (?1, ?2, ?3, ?4, ?5)"),
            forgetManifests: try database.prepare(
                "record a manifest",
                """
                DELETE FROM manifests WHERE host = ?1 AND path = ?2 AND seq < (SELECT seq FROM manifests
                WHERE host = ?1 AND path = ?2 ORDER BY seq DESC LIMIT 1 OFFSET \(ManifestVersion.most - 1))
                """))
    }
}
