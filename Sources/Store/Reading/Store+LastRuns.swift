package import Record
package import TaskModel

// What the host asks about tasks and applications while it serves: one look-up each.
extension Store {
    /// The newest run of the tasks of that identifier; nil when there is none.
    package func lastRun(of identifier: String) throws(StoreError) -> RunRecord? {
        try history.lastRun(of: identifier, with: statements.lastRun)
    }

    /// Whether the record has a run of any task that the application has or had.
    package func hasRuns(ofApplication application: String) throws(StoreError) -> Bool {
        statements.findApplicationRun.bind(1, application)
        return try statements.findApplicationRun.first() != nil
    }

    /// The number that stands for a task, as `taskRow` gives it, when the record knows the task; nothing is written.
    package func knownTaskRow(identifier: String, application: String) throws(StoreError) -> Int64? {
        if let row = taskRows[TaskKey(identifier: identifier, application: application)] { return row }
        statements.findTask.bind(1, identifier)
        statements.findTask.bind(2, application)
        return try statements.findTask.first()
    }

    package static let applicationRunQuery =
        "SELECT 1 FROM tasks WHERE application = ?1 AND EXISTS (SELECT 1 FROM runs WHERE task = tasks.id) LIMIT 1"
}
