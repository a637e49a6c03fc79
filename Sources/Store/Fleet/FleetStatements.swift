import Record

/// What a host in a fleet writes with each end of a claim.
final class FleetStatements {
    let addEnd: Statement
    let forgetEnd: Statement
    let putTime: Statement

    private init(addEnd: consuming Statement, forgetEnd: consuming Statement, putTime: consuming Statement) {
        self.addEnd = addEnd
        self.forgetEnd = forgetEnd
        self.putTime = putTime
    }

    static func prepared(for database: Database) throws(StoreError) -> FleetStatements {
        FleetStatements(
            addEnd: try database.prepare(
                "record the end of a claim",
                """
                REPLACE INTO untold_ends (host, request, number, run, outcome, attempt, failures, deferrals, free)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """),
            forgetEnd: try database.prepare(
                "forget the end of a claim",
                "DELETE FROM untold_ends WHERE host = ?1 AND request = ?2 AND number = ?3"),
            putTime: try database.prepare(
                "record a time of the fleet", "UPDATE tasks SET shared_time = ?2 WHERE id = ?1"))
    }
}
