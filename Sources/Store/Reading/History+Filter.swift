package import Record
package import TaskModel

// Runs chosen by more than their place. The rows that may be wanted come from one or several lanes, each newest first: an index
// gives those of one task, or of one outcome other than success, and the table all others. A page looks at so many rows of its
// lanes at most (`mostRows`), whatever it finds.
extension History {
    /// Where candidates come from.
    private struct Lane {
        /// The table, and the condition with ?4.
        var source: StaticString
        var value: Int64

        static let all = Lane(source: "runs WHERE ?4 = ?4", value: 0)
        static func task(_ row: Int64) -> Lane {
            Lane(source: "runs INDEXED BY runs_task WHERE task = ?4", value: row)
        }
        static func outcome(_ outcome: Outcome) -> Lane {
            Lane(
                source: "runs INDEXED BY runs_failed WHERE outcome = ?4 AND outcome > 1", value: Int64(outcome.rawValue)
            )
        }

        /// With a mark of that number.
        static func marked(_ marks: Int64) -> Lane {
            Lane(source: "runs INDEXED BY runs_marked WHERE marks = ?4 AND marks IS NOT NULL", value: marks)
        }

        var query: String { History.laneQuery(source) }
    }

    /// For tests of the plan.
    package static let laneQueries = [
        Lane.task(0), Lane.outcome(.failed), Lane.all, Lane.marked(1),
    ].map(\.query)

    private static func laneQuery(_ source: StaticString) -> String {
        """
        SELECT seq, task, outcome, kind, submitted FROM \(source) AND seq < ?1 AND seq >= ?2 ORDER BY seq DESC LIMIT ?3
        """
    }

    /// Rows that a page looks at, in all lanes. In a record of a million runs 4,000 of them take SQLite 2 to 5 ms.
    private static let mostRows: Int64 = 2000
    /// Lanes beyond which one walk through all runs is cheaper.
    private static let mostLanes = 16
    /// The time in a run's id and that of its admission are of one turn.
    static let slack = TimeSpan.seconds(1)

    /// Runs recorded before one, newest first. A page may have fewer than `limit` runs, or none, and still not be the last.
    ///
    /// - Parameter before: `next` of the page before, or any run's id; nil: from the newest on.
    package func runs(matching filter: RunFilter, before: ULID?, limit: Int) throws(StoreError) -> RunPage {
        try database.withSnapshot { () throws(StoreError) in
            let end = try before.map { (run) throws(StoreError) in try place(of: run) }
            let page = try rows(matching: filter, before: end, limit: limit)
            guard let next = page.next, let last = try id(at: next) else { return page.continued(at: nil) }
            lastPlace = (last, next)
            return page.continued(at: last)
        }
    }

    private func rows(matching filter: RunFilter, before: Int64?, limit: Int) throws(StoreError) -> RowPage<RunRecord> {
        if filter.tasks == nil, filter.isPlain { return try newestRuns(before: before, limit: limit) }
        let (chosen, next) = try choose(filter, before: before, limit: limit)
        let one = try select("WHERE runs.seq = ?1")
        var found = RowPage<RunRecord>(elements: [], next: next)
        for sequence in chosen {
            one.bind(1, sequence)
            found.append(try page(of: one, "runs", limit: 2, RunRow.read))
        }
        return found.below(before)
    }

    private func newestRuns(before: Int64?, limit: Int) throws(StoreError) -> RowPage<RunRecord> {
        let statement = try select("WHERE runs.seq < ?1 ORDER BY runs.seq DESC LIMIT ?2")
        statement.bind(values: before ?? Int64.max, Int64(limit))
        return try page(of: statement, "runs", limit: limit, RunRow.read).below(before)
    }

    private func choose(
        _ filter: RunFilter, before: Int64?, limit: Int
    ) throws(StoreError) -> (chosen: [Int64], next: Int64?) {
        let lanes = Self.lanes(for: filter)
        guard !lanes.isEmpty else { return ([], nil) }
        let first = try filter.since.map { (since) throws(StoreError) in
            try firstSequence(from: since - Self.slack, orElse: .max)
        }
        let end = try filter.until.map { (until) throws(StoreError) in
            try endSequence(before: until + Self.slack)
        }
        var chosen: [Int64] = []
        // Below it a lane was not looked at.
        var horizon: Int64?
        for lane in lanes {
            let rows = try Statement(database, lane.query, what: "read runs")
            let most = max(1, Self.mostRows / Int64(lanes.count))
            rows.bind(values: min(before ?? .max, end ?? .max), first ?? .min, most, lane.value)
            let (found, next) = try scan(rows, limit: limit, most: most) { filter.fits(Self.candidate($0, filter)) }
            chosen += found
            if let next { horizon = max(horizon ?? .min, next) }
        }
        chosen = chosen.filter { $0 >= horizon ?? .min }.sorted(by: >)
        guard chosen.count > limit else { return (chosen, horizon) }
        chosen.removeLast(chosen.count - limit)
        return (chosen, chosen.last)
    }

    private static func lanes(for filter: RunFilter) -> [Lane] {
        if filter.isUnlikeItself {
            return [MarksPacking.unlikeItself, MarksPacking.unlikeItself | MarksPacking.wroteErrors].map(Lane.marked)
        }
        if let tasks = filter.tasks, tasks.count <= mostLanes { return tasks.map(Lane.task) }
        if !filter.outcomes.isEmpty, !filter.outcomes.contains(.succeeded) { return filter.outcomes.map(Lane.outcome) }
        return [.all]
    }

    /// A row of a lane as the filter asks about it. The marks have chosen the lane.
    private static func candidate(_ row: borrowing Statement, _ filter: RunFilter) -> MeasuredRun {
        var run = MeasuredRun(
            place: row.integer(0), task: row.integer(1),
            outcome: row.optionalInteger(2).flatMap { UInt8(exactly: $0) }.flatMap(Outcome.init), attempt: 1,
            submittedAt: Timestamp(nanoseconds: row.integer(4)))
        run.kind = row.optionalInteger(3).flatMap { UInt8(exactly: $0) }.flatMap(TaskKind.init)
        run.isUnlikeItself = filter.isUnlikeItself
        return run
    }

    /// Tasks whose identifier, or whose application's, contains the text, in upper or lower case.
    package func taskRows(containing text: String) throws(StoreError) -> Set<Int64> {
        let find = try Statement(
            database, "SELECT id FROM tasks WHERE instr(lower(identifier), ?1) OR instr(lower(application), ?1)",
            what: "find a task")
        find.bind(1, text.lowercased())
        return Set(try find.integers())
    }
}
