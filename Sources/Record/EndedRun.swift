package import TaskModel

/// A run as it is counted.
package struct EndedRun: Sendable, BitwiseCopyable {
    package var id: ULID
    /// From `RecordNames.task`.
    package var task: Int64
    package var outcome: Outcome
    /// nil: it was forced.
    package var origin: RequestOrigin?
    package var endedAt: Timestamp
    package var cpuTime: TimeSpan?

    package init(
        id: ULID, task: Int64, outcome: Outcome, origin: RequestOrigin?, endedAt: Timestamp, cpuTime: TimeSpan?
    ) {
        self.id = id
        self.task = task
        self.outcome = outcome
        self.origin = origin
        self.endedAt = endedAt
        self.cpuTime = cpuTime
    }
}
