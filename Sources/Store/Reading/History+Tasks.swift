package import TaskModel

extension History {
    /// The newest run of every task, by identifier; one pass over the record. A run that goes on counts.
    package func lastRuns() throws(StoreError) -> [String: RunRecord] {
        let statement = try select("WHERE runs.seq IN (SELECT max(seq) FROM runs GROUP BY task) ORDER BY runs.seq")
        var last: [String: RunRecord] = [:]
        for (_, record) in try records(of: statement) { last[record.identifier] = record }
        return last
    }

    /// How long a task's newest runs took, newest first; runs that never started, or that the end of a host cut short, say
    /// nothing.
    package func runLengths(of identifier: String, limit: Int) throws(StoreError) -> [TimeSpan] {
        let statement = try Statement(
            database,
            """
            SELECT wall FROM runs WHERE task IN (SELECT id FROM tasks WHERE identifier = ?1) AND wall IS NOT NULL
            AND outcome <> \(Outcome.interrupted.rawValue) ORDER BY seq DESC LIMIT ?2
            """, what: "read runs")
        statement.bind(1, identifier)
        statement.bind(2, Int64(min(max(0, limit), Self.maximumCount)))
        var lengths: [TimeSpan] = []
        while try statement.next() { lengths.append(TimeSpan(nanoseconds: statement.integer(0))) }
        return lengths
    }
}
