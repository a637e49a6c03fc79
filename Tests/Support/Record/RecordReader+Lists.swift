package import Record
package import TaskModel

// Whole lists for tests, page by page.
extension RecordReader {
    /// Runs of these tasks, or of all.
    package func runs(of tasks: Set<Int64>?, before: ULID?, limit: Int) throws(StoreError) -> RunPage {
        try runs(matching: RunFilter(tasks: tasks), before: before, limit: limit)
    }

    /// Runs of a task, of an application, or all, newest first.
    package func runs(
        identifier: String? = nil, application: String? = nil, limit: Int
    ) throws(StoreError) -> [RunRecord] {
        var tasks: Set<Int64>?
        if let identifier { tasks = try taskRows(named: identifier) }
        if let application { tasks = try taskRows(ofApplication: application) }
        var runs: [RunRecord] = []
        var before: ULID?
        repeat {
            let page = try self.runs(of: tasks, before: before, limit: min(limit - runs.count, RecordLimits.rows))
            runs += page.elements
            before = page.next
        } while before != nil && runs.count < limit
        return runs
    }

    /// The newest run of every task, by identifier.
    package func lastRuns() throws(StoreError) -> [String: RunRecord] {
        var last: [String: RunRecord] = [:]
        var after: String?
        repeat {
            let identifiers = try identifiers(after: after, limit: RecordLimits.rows)
            for identifier in identifiers { last[identifier] = try lastRun(of: identifier) }
            after = identifiers.last
        } while after != nil
        return last
    }

    /// The device's log, oldest first.
    package func deviceLog() throws(StoreError) -> [DeviceLogEntry] {
        try deviceLog(before: nil, limit: RecordLimits.rows).elements.reversed()
    }
}
