package import TaskModel

/// A run as it is compared with others: its numbers alone.
package struct MeasuredRun: Sendable, BitwiseCopyable {
    /// A figure by which runs are sorted.
    package enum Figure: UInt8, NamedCases, Sendable {
        case wallTime = 1
        case cpuTime = 2
        case peakMemory = 3
    }

    /// The number of its row: `RecordReader.runs(at:)`.
    package var place: Int64
    /// From `RecordNames.task`.
    package var task: Int64
    /// nil: it is in progress.
    package var outcome: Outcome?
    package var attempt: UInt32
    package var submittedAt: Timestamp
    package var startedAt: Timestamp?
    package var endedAt: Timestamp?
    /// nil: it was forced.
    package var origin: RequestOrigin?
    /// nil: a host of an earlier version ran it.
    package var kind: TaskKind?
    package var isUnlikeItself = false
    package var wallTime: TimeSpan?
    package var cpuTime: TimeSpan?
    package var peakMemory: ByteCount?

    package init(place: Int64, task: Int64, outcome: Outcome?, attempt: UInt32, submittedAt: Timestamp) {
        self.place = place
        self.task = task
        self.outcome = outcome
        self.attempt = attempt
        self.submittedAt = submittedAt
    }

    /// Nanoseconds or bytes; nil: it has no such figure.
    package func value(of figure: Figure) -> Int64? {
        switch figure {
        case .wallTime: wallTime?.nanoseconds
        case .cpuTime: cpuTime?.nanoseconds
        case .peakMemory: peakMemory.map { Int64(clamping: $0.bytes) }
        }
    }
}
