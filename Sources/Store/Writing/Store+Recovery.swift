package import Record
package import TaskModel

// What an earlier process of the host left. The scheduler decides about them (`Recovery`).
extension Store {
    /// The host's runs without an outcome, oldest first; takes time for these alone.
    package func unfinishedRuns() throws(StoreError) -> [RunRecord] {
        try history.unfinished().map { run in
            places.remember(run.record.id, at: run.sequence)
            return run.record
        }
    }

    /// The host's requests that were running, whole, and those that wait under the same identities. Takes time for these alone.
    package func interruptedRequests() throws(StoreError) -> [TaskRequest] { try history.interruptedRequests() }
}
