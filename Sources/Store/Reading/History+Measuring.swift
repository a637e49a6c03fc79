package import Record
package import TaskModel

// Runs by their numbers: for answers about many of them, which are put together in portions.
extension History {
    /// The runs that fit the filter, newest first, of the next `most` rows.
    ///
    /// - Parameter before: `next` of the portion before, or the number of a row; nil: from the newest on.
    package func measuredRuns(
        matching filter: RunFilter, before: Int64?, most: Int
    ) throws(StoreError) -> (runs: [MeasuredRun], next: Int64?) {
        try database.withSnapshot { () throws(StoreError) in
            let first = try filter.since.map { (since) throws(StoreError) in
                try firstSequence(from: since - Self.slack, orElse: .max)
            }
            let end =
                before == nil
                ? try filter.until.map { (until) throws(StoreError) in
                    try endSequence(before: until + Self.slack)
                } : nil
            let rows = try measuring(filter.tasks.flatMap { $0.count == 1 ? $0.first : nil })
            rows.bind(values: before ?? end ?? .max, first ?? .min, Int64(most))
            var (runs, looked, last) = ([MeasuredRun](), 0, Int64?.none)
            while try rows.next() {
                looked += 1
                last = rows.integer(MeasuredColumn.seq)
                let run = Self.measured(rows)
                if filter.fits(run) { runs.append(run) }
            }
            return (runs, looked < most ? nil : last)
        }
    }

    private func measuring(_ task: Int64?) throws(StoreError) -> Statement {
        let source = task.map { "runs INDEXED BY runs_task WHERE task = \($0) AND" } ?? "runs WHERE"
        return try Statement(
            database,
            "SELECT \(MeasuredColumn.list) FROM \(source) seq < ?1 AND seq >= ?2 ORDER BY seq DESC LIMIT ?3",
            what: "read runs")
    }

    /// The task's newest runs that have ended, newest first.
    package func endedRuns(ofTask task: Int64, before place: Int64?, limit: Int) throws(StoreError) -> [MeasuredRun] {
        let rows = try Statement(
            database,
            """
            SELECT \(MeasuredColumn.list) FROM runs INDEXED BY runs_task WHERE task = ?1 AND seq < ?2
            AND outcome IS NOT NULL ORDER BY seq DESC LIMIT ?3
            """, what: "read runs")
        rows.bind(values: task, place ?? .max, Int64(limit))
        return try rows.rows { Self.measured($0) }
    }

    package func endedRun(at place: Int64) throws(StoreError) -> MeasuredRun? {
        let row = try Statement(
            database, "SELECT \(MeasuredColumn.list) FROM runs WHERE seq = ?1 AND outcome IS NOT NULL",
            what: "read runs")
        row.bind(1, place)
        return try row.rows { Self.measured($0) }.first
    }

    /// The runs of those rows, in that order; one that was forgotten is left out.
    package func runs(at places: some Sequence<Int64>) throws(StoreError) -> RowPage<RunRecord> {
        let one = try select("WHERE runs.seq = ?1")
        var found = RowPage<RunRecord>(elements: [], next: nil)
        for place in places {
            one.bind(1, place)
            found.append(try page(of: one, "runs", limit: 2, RunRow.read))
        }
        return found
    }

    package func taskName(row: Int64) throws(StoreError) -> TaskName? {
        let statement = try Statement(
            database, "SELECT identifier, application FROM tasks WHERE id = ?1", what: "read tasks")
        statement.bind(values: row)
        return try statement.rows { TaskName($0.text(0) ?? "", of: $0.text(1) ?? "") }.first
    }

    private static func measured(_ row: borrowing Statement) -> MeasuredRun {
        typealias C = MeasuredColumn
        var run = MeasuredRun(
            place: row.integer(C.seq), task: row.integer(C.task),
            outcome: row.optionalInteger(C.outcome).flatMap { UInt8(exactly: $0) }.flatMap(Outcome.init),
            attempt: UInt32(clamping: row.integer(C.attempt)),
            submittedAt: Timestamp(nanoseconds: row.integer(C.submitted)))
        run.kind = row.optionalInteger(C.kind).flatMap { UInt8(exactly: $0) }.flatMap(TaskKind.init)
        run.origin = row.optionalInteger(C.origin).flatMap { UInt8(exactly: $0) }.flatMap(RequestOrigin.init)
        run.startedAt = row.optionalInteger(C.started).map(Timestamp.init(nanoseconds:))
        run.endedAt = row.optionalInteger(C.ended).map(Timestamp.init(nanoseconds:))
        run.wallTime = row.optionalInteger(C.wall).map(TimeSpan.init(nanoseconds:))
        run.cpuTime = row.optionalInteger(C.cpu).map(TimeSpan.init(nanoseconds:))
        run.peakMemory = row.optionalInteger(C.peak).map { ByteCount(bytes: UInt64(clamping: $0)) }
        run.isUnlikeItself = (row.optionalInteger(C.marks) ?? 0) & MarksPacking.unlikeItself != 0
        return run
    }
}

/// Columns of a run as it is compared.
private enum MeasuredColumn: Int32, RowColumn {
    case seq, task, outcome, attempt, submitted, started, ended, kind, origin, wall, cpu, peak, marks
}
