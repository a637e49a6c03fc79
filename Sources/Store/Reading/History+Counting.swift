package import Record
package import TaskModel

// Runs as they are counted: in the order of the record, without what belongs to single ones.
extension History {
    package func newestRun() throws(StoreError) -> ULID? { try newest()?.id }

    package func endedRuns(after run: ULID?, upTo newest: ULID, limit: Int) throws(StoreError) -> [EndedRun] {
        try database.withSnapshot { () throws(StoreError) in
            let first = try run.map { (run) throws(StoreError) in try placeAfter(run) } ?? .min
            return try endedRuns(from: first, before: try placeAfter(newest), limit: limit)
        }
    }

    /// The sequence after the run's; of one that was forgotten, that of the first run after it.
    private func placeAfter(_ run: ULID) throws(StoreError) -> Int64 {
        if let sequence = try sequence(of: run) { return sequence + 1 }
        return try place(of: run)
    }

    private func endedRuns(from first: Int64, before end: Int64, limit: Int) throws(StoreError) -> [EndedRun] {
        let statement = try Statement(
            database,
            """
            SELECT seq, task, outcome, origin, ended, cpu, ulid FROM runs
            WHERE seq >= ?1 AND seq < ?2 AND outcome IS NOT NULL AND ended IS NOT NULL ORDER BY seq LIMIT ?3
            """, what: "count runs")
        statement.bind(values: first, end, Int64(min(limit, RecordLimits.rows)))
        return try statement.rows { (row) throws(StoreError) in
            guard let outcome = UInt8(exactly: row.integer(2)).flatMap(Outcome.init(rawValue:)) else {
                throw unreadable("runs", row.integer(0))
            }
            return EndedRun(
                id: try readID(row, 6), task: row.integer(1), outcome: outcome,
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
