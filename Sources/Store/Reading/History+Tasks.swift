package import Record
package import TaskModel

// Queries by task: the index on runs' task answers them, without reading the runs of others.
extension History {
    /// The newest run of the tasks of that identifier, whichever application had them; nil when there is none.
    package func lastRun(of identifier: String) throws(StoreError) -> RunRecord? {
        lastRun.bind(1, identifier)
        defer { lastRun.reset() }
        return try records(of: lastRun).first?.record
    }

    /// Whether there is a run of any task that the application has or had.
    package func hasRuns(ofApplication application: String) throws(StoreError) -> Bool {
        findApplicationRun.bind(1, application)
        return try findApplicationRun.first() != nil
    }

    /// How many runs a task's median duration includes.
    private static let lengthRuns = 25

    /// The median of how long a task's newest runs took; nil when none has ended.
    package func medianLength(of identifier: String) throws(StoreError) -> TimeSpan? {
        let lengths = try runLengths(of: identifier, limit: Self.lengthRuns).sorted()
        return lengths.isEmpty ? nil : lengths[lengths.count / 2]
    }

    /// The durations of a task's newest runs, newest first; runs that never started, or that the end of a host interrupted,
    /// are excluded.
    package func runLengths(of identifier: String, limit: Int) throws(StoreError) -> [TimeSpan] {
        let count = min(max(0, limit), RecordLimits.rows)
        let statement = try Statement(
            database,
            """
            SELECT seq, wall FROM runs WHERE task = ?1 AND wall IS NOT NULL
            AND outcome <> \(Outcome.interrupted.rawValue) ORDER BY seq DESC LIMIT ?2
            """, what: "read runs")
        var lengths: [(sequence: Int64, length: TimeSpan)] = []
        for row in try taskRows(where: "identifier", is: identifier) {
            statement.bind(values: row, Int64(count))
            lengths += try statement.rows { ($0.integer(0), TimeSpan(nanoseconds: $0.integer(1))) }
        }
        return lengths.sorted { $0.sequence > $1.sequence }.prefix(count).map { $0.length }
    }

    // MARK: Queries

    package static let lastRunQuery = query(
        "WHERE tasks.identifier = ?1 AND runs.seq = \(lastSequence) ORDER BY runs.seq DESC LIMIT 1", from: tasksFirst)
    package static let applicationRunQuery =
        "SELECT 1 FROM tasks WHERE application = ?1 AND EXISTS (SELECT 1 FROM runs WHERE task = tasks.id) LIMIT 1"

    private static let tasksFirst = "tasks CROSS JOIN runs ON runs.task = tasks.id"
    /// The last entry of the index for the task.
    private static let lastSequence = "(SELECT max(seq) FROM runs WHERE task = tasks.id)"
}
