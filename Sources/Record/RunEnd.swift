package import TaskModel

/// The record of a run's end: plain numbers, so that recording it allocates nothing.
package struct RunEnd: Sendable, BitwiseCopyable, Equatable {
    package var id: ULID
    package var outcome: Outcome
    package var reason: Reason?
    package var startedAt: Timestamp?
    package var expiredAt: Timestamp?
    package var endedAt: Timestamp
    package var figures: RunFigures
    /// From `RecordNames.setup`; nil keeps the number from the start.
    package var setup: Int64?

    package init(
        id: ULID, outcome: Outcome, reason: Reason? = nil, startedAt: Timestamp? = nil,
        expiredAt: Timestamp? = nil, endedAt: Timestamp, figures: RunFigures = RunFigures(), setup: Int64? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.reason = reason
        self.startedAt = startedAt
        self.expiredAt = expiredAt
        self.endedAt = endedAt
        self.figures = figures
        self.setup = setup
    }
}
