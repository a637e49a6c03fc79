import Record

/// The statements that keep requests. A row's id is the identity while the request waits, its negative while it runs.
struct RequestStatements: ~Copyable {
    let put: Statement
    /// The same for a request that has nothing but its terms, as nearly all that are submitted.
    let putPlain: Statement
    let start: Statement
    let forget: Statement

    /// Memberwise, because an initializer that throws half-way cannot release its non-copyable parts.
    static func prepared(for database: Database) throws(StoreError) -> RequestStatements {
        return RequestStatements(
            put: try database.prepare(
                "record a request",
                """
                REPLACE INTO requests (id, submitted, kind, origin, attempt, earliest, power, network, strategy, resources,
                not_before, scheduled, run, title, subtitle, payload, failures, left_out,
                deferrals, settings)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
                """),
            putPlain: try database.prepare(
                "record a request",
                """
                REPLACE INTO requests (id, submitted, kind, origin, attempt, earliest, power, network, strategy, resources)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """),
            start: try database.prepare(
                "record the start of a request",
                "UPDATE OR REPLACE requests SET id = -id, run = ?3 WHERE id = ?1 AND submitted = ?2"),
            forget: try database.prepare("forget a request", "DELETE FROM requests WHERE id = ?1 AND submitted = ?2"))
    }
}
