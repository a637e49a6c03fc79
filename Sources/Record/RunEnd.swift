package import TaskModel

/// What is recorded when a run has ended: plain numbers, so that recording it allocates nothing.
package struct RunEnd: Sendable, BitwiseCopyable, Equatable {
    package var id: ULID
    package var outcome: Outcome
    package var reason: Reason?
    package var startedAt: Timestamp?
    package var expiredAt: Timestamp?
    package var endedAt: Timestamp
    /// From start to end, by the monotonic clock.
    package var wallTime: TimeSpan?
    /// Between start and end, but not part of `wallTime`: how long it stood still; nil: it never did.
    package var frozenTime: TimeSpan?
    package var cpuTime: TimeSpan?
    package var peakMemory: ByteCount?
    /// What earlier runs had left in its process; nil: little, or nothing is known.
    package var memoryAtStart: ByteCount?
    package var signal: Int32?
    package var exitStatus: Int32?
    package var result: ResultValue?
    /// From `RecordStore.setupRow`; nil leaves what the start recorded.
    package var setup: Int64?

    package init(
        id: ULID, outcome: Outcome, reason: Reason? = nil, startedAt: Timestamp? = nil,
        expiredAt: Timestamp? = nil, endedAt: Timestamp, wallTime: TimeSpan? = nil, cpuTime: TimeSpan? = nil,
        peakMemory: ByteCount? = nil, memoryAtStart: ByteCount? = nil, signal: Int32? = nil, exitStatus: Int32? = nil,
        result: ResultValue? = nil, setup: Int64? = nil, frozenTime: TimeSpan? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.reason = reason
        self.startedAt = startedAt
        self.expiredAt = expiredAt
        self.endedAt = endedAt
        self.wallTime = wallTime
        self.frozenTime = frozenTime
        self.cpuTime = cpuTime
        self.peakMemory = peakMemory
        self.memoryAtStart = memoryAtStart
        self.signal = signal
        self.exitStatus = exitStatus
        self.result = result
        self.setup = setup
    }
}
