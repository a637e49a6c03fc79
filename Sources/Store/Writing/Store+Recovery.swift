package import Record
package import TaskModel

// Runs and requests of a dead host. The scheduler decides about them (`Recovery`).
extension Store {
    /// Runs without an outcome, oldest first; takes time for these alone.
    package func unfinishedRuns() throws(StoreError) -> [RunRecord] {
        try history.unfinished().map { run in
            places.remember(run.record.id, at: run.sequence)
            return run.record
        }
    }

    /// Requests that were running, whole, and those that wait under the same identities. Takes time for these alone.
    package func interruptedRequests() throws(StoreError) -> [TaskRequest] { try history.interruptedRequests() }
}
