package import TaskModel

/// A run that has not been forgotten yet. Its worker, or its application while it waits, has it in a list.
package struct RunSlot: Sendable, BitwiseCopyable {
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        /// Waits for a place, or for a worker that is leaving to be gone.
        case pending
        case launching
        case running
        /// The warning was given.
        case expiring
        /// Its worker is being killed; the outcome is known, the figures are not.
        case ending
        case ended
    }

    package internal(set) var phase = Phase.pending
    package let task: TaskIndex
    package let id: ULID
    /// Number in the store: one more than the run before it.
    package let sequence: Int64
    package let attempt: UInt32
    package let requester: UInt32
    /// Delivered together with the runs of the same number; 0: on its own.
    package let launch: UInt32
    /// Its request asked for external power.
    let isOnPower: Bool
    /// A request stands behind it.
    let hasRequest: Bool
    /// The task's numbers when the run got its worker: a reload does not change those of a run that goes on.
    var rules = TaskRules.none

    package let submitted: Timestamp
    package internal(set) var launched: Timestamp?
    package internal(set) var started: ClockReading?
    package internal(set) var expired: Timestamp?
    package internal(set) var completed: Timestamp?
    package internal(set) var killed: Timestamp?
    package internal(set) var ended: Timestamp?
    /// For how long its tree stood still while it went on, by the monotonic clock.
    package internal(set) var frozenTime = TimeSpan.zero
    /// All but the time for which it stood still by the calendar.
    package internal(set) var figures = RunFigures()
    package internal(set) var outcome: Outcome?
    package internal(set) var reason: Reason?
    /// What its handler asked for; nil unless it is `deferred`, or would be were its folders not too heavy.
    package internal(set) var deferral: Deferral?
    /// The sibling whose end of the budget was this run's too, for a while or to the end. The last one of several.
    package internal(set) var sharedWith: SharedDeadline?
    /// What the host or the machine lacked, for which it was interrupted.
    package internal(set) var shortage: Shortage?
    /// It was refused because its library did not let its worker be ready in time.
    package internal(set) var isHung = false
    /// End of the budget; the deadline heap holds the warning or the end of the patience with its progress, then this.
    package internal(set) var budgetEnd = Instant.distantFuture
    var warning = Instant.distantFuture
    /// Its deadline, while its tree stands still.
    var heldDeadline = Instant.distantFuture
    /// How far it said it is, and when that changed.
    var progress: Int64 = 0
    var progressed = Instant(nanoseconds: 0)
    /// The CPU monitor's window begins with the next reading: its application was in the foreground.
    var awaitsWindow = false
    /// The next reading is the one that it begins with.
    var awaitsReading = false
    /// What the tree had used when it started, and when the CPU monitor's present window began.
    var cpuAtStart = TimeSpan.zero
    /// The tree's highest memory before it started.
    var peakAtStart = ByteCount(bytes: 0)
    var windowStart = Instant(nanoseconds: 0)
    /// What the application's folders held before it started; nil: they are being weighed for the first time.
    var weightAtStart: ByteCount?
    /// It has completed, and gets this outcome unless its folders turn out to hold too much. Its phase is `ending`.
    var awaitsWeight = false
    var cpuAtWindow = TimeSpan.zero

    /// Worker that it belongs to.
    var worker: WorkerIndex?

    init(_ submission: Submission, sequence: Int64, at now: Timestamp) {
        task = submission.task
        id = submission.id
        self.sequence = sequence
        attempt = submission.attempt
        requester = submission.requester
        launch = submission.launch
        isOnPower = submission.isOnPower
        hasRequest = submission.hasRequest
        submitted = now
    }

    /// Whether it has a worker that may be working on it.
    package var isActive: Bool { phase == .running || phase == .expiring }

    /// Whether it belongs to the worker in that slot.
    package func worker(is index: UInt32) -> Bool { worker?.number == index }

    /// The steps of its life, in order, for the record.
    package var events: RunEvents {
        var list = RunEvents()
        list.append(.submitted, at: submitted)
        if let launched { list.append(.launched, at: launched) }
        if let started { list.append(.started, at: started.time) }
        if let expired { list.append(.expired, at: expired, detail: reason?.rawValue ?? 0) }
        if let completed { list.append(.completed, at: completed) }
        if let killed { list.append(.killed, at: killed, detail: outcome?.rawValue ?? 0) }
        if let ended { list.append(.ended, at: ended, detail: outcome?.rawValue ?? 0) }
        return list
    }
}

/// Whose deadline a run had in place of its own.
package struct SharedDeadline: Sendable, BitwiseCopyable, Equatable {
    package var id: ULID
    package var task: TaskIndex

    package init(id: ULID, task: TaskIndex) {
        self.id = id
        self.task = task
    }
}
