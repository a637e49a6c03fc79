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
            SELECT \(CountedColumn.list) FROM runs
            WHERE seq >= ?1 AND seq < ?2 AND outcome IS NOT NULL AND ended IS NOT NULL ORDER BY seq LIMIT ?3
            """, what: "count runs")
        statement.bind(values: first, end, Int64(min(limit, RecordLimits.rows)))
        return try statement.rows { (row) throws(StoreError) in
            typealias Column = CountedColumn
            do throws(Unreadable) {
                guard let id = row.id(Column.ulid), let outcome = try RunRow.value(row, Column.outcome, Outcome.self)
                else { throw Unreadable() }
                let origin = row.optionalInteger(Column.origin).flatMap { UInt8(exactly: $0) }
                return EndedRun(
                    id: id, task: row.integer(Column.task), outcome: outcome,
                    origin: origin.flatMap(RequestOrigin.init(rawValue:)),
                    endedAt: Timestamp(nanoseconds: row.integer(Column.ended)),
                    cpuTime: row.optionalInteger(Column.cpu).map { TimeSpan(nanoseconds: $0) })
            } catch {
                throw unreadable("runs", row.integer(Column.seq))
            }
        }
    }

    package func taskIdentifier(row: Int64) throws(StoreError) -> String? {
        let statement = try Statement(database, "SELECT identifier FROM tasks WHERE id = ?1", what: "read tasks")
        statement.bind(values: row)
        return try statement.rows { $0.text(0) ?? "" }.first
    }
}

/// Columns of a run as it is counted.
enum CountedColumn: Int32, RowColumn {
    case seq, task, outcome, origin, ended, cpu, ulid
}
