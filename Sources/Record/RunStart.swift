package import TaskModel

/// The record of a run's admission: plain numbers, so that recording it allocates nothing.
package struct RunStart: Sendable, BitwiseCopyable, Equatable {
    package var id: ULID
    /// From `RecordNames.task`.
    package var task: Int64
    package var attempt: UInt32
    package var submittedAt: Timestamp
    /// nil while its worker is being launched.
    package var startedAt: Timestamp?
    /// From `RecordNames.setup`; nil while it is unknown.
    package var setup: Int64?
    /// Who submitted its request; nil: it is forced.
    package var origin: RequestOrigin?
    /// nil: unknown.
    package var kind: TaskKind?

    package init(
        id: ULID, task: Int64, attempt: UInt32, submittedAt: Timestamp, startedAt: Timestamp? = nil,
        setup: Int64? = nil, origin: RequestOrigin? = nil, kind: TaskKind? = nil
    ) {
        self.id = id
        self.task = task
        self.attempt = attempt
        self.submittedAt = submittedAt
        self.startedAt = startedAt
        self.setup = setup
        self.origin = origin
        self.kind = kind
    }
}
