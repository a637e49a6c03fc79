package import Record
import TaskModel

// Runs as they are counted: in the order of the record, without what belongs to single ones.
extension History {
    package func newestRun() throws(StoreError) -> Int64? {
        try database.integer("SELECT max(seq) FROM runs")
    }

    package func endedRuns(after sequence: Int64, upTo newest: Int64, limit: Int) throws(StoreError) -> [EndedRun] {
        let statement = try Statement(
            database,
            """
            SELECT seq, task, outcome, origin, ended, cpu FROM runs
            WHERE seq > ?1 AND seq <= ?2 AND outcome IS NOT NULL AND ended IS NOT NULL ORDER BY seq LIMIT ?3
            """, what: "count runs")
        statement.bind(values: sequence, newest, Int64(min(limit, RecordLimits.rows)))
        return try statement.rows { (row) throws(StoreError) in
            guard let outcome = UInt8(exactly: row.integer(2)).flatMap(Outcome.init(rawValue:)) else {
                throw unreadable("runs", row.integer(0))
            }
            return EndedRun(
                sequence: row.integer(0), task: row.integer(1), outcome: outcome,
                origin: row.optionalInteger(3).flatMap { UInt8(exactly: $0) }.flatMap(RequestOrigin.init(rawValue:)),
                endedAt: Timestamp(nanoseconds: row.integer(4)),
                cpuTime: row.optionalInteger(5).map { TimeSpan(nanoseconds: $0) })
        }
    }

    package func taskIdentifier(row: Int64) throws(StoreError) -> String? {
        let statement = try Statement(database, "SELECT identifier FROM tasks WHERE id = ?1", what: "read tasks")
        statement.bind(values: row)
        return try statement.rows { $0.text(0) ?? "" }.first
    }
}
