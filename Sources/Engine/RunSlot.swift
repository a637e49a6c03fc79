package import TaskModel

/// A run that has not been forgotten yet. Its worker, or its application while it waits, has it in a list.
package struct RunSlot: Sendable, BitwiseCopyable {
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        /// Waits for a place, or for a leaving worker to end.
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
    /// Its request required external power.
    let isOnPower: Bool
    /// It belongs to a request.
    let hasRequest: Bool
    /// The task's numbers at the time when the run got its worker: a reload does not change those of a run in progress.
    var rules = TaskRules.none

    package let submitted: Timestamp
    package internal(set) var launched: Timestamp?
    package internal(set) var started: ClockReading?
    package internal(set) var expired: Timestamp?
    package internal(set) var completed: Timestamp?
    package internal(set) var killed: Timestamp?
    package internal(set) var ended: Timestamp?
    /// How long its tree was frozen during the run, by the monotonic clock.
    package internal(set) var frozenTime = TimeSpan.zero
    /// All figures except the calendar time for which it was frozen.
    package internal(set) var figures = RunFigures()
    package internal(set) var outcome: Outcome?
    package internal(set) var reason: Reason?
    /// The deferral that its handler asked for; nil unless it is `deferred`, or would be if its folders were not over
    /// budget.
    package internal(set) var deferral: Deferral?
    /// The sibling whose deadline this run shared, for a while or to its end. The last of several.
    package internal(set) var sharedWith: SharedDeadline?
    /// The resource that the host or the machine lacked, which interrupted it.
    package internal(set) var shortage: Shortage?
    /// It was refused because its library did not let its worker be ready in time.
    package internal(set) var isHung = false
    /// End of the budget; the deadline heap holds the warning or the stall limit, then this.
    package internal(set) var budgetEnd = Instant.distantFuture
    var warning = Instant.distantFuture
    /// Its deadline, while its tree is frozen.
    var heldDeadline = Instant.distantFuture
    /// Its reported progress, and when that changed.
    var progress: Int64 = 0
    var progressed = Instant(nanoseconds: 0)
    /// Its lease is lost, for whatever reason it was warned.
    var isFenced = false
    /// The CPU monitor's window begins with the next reading: its application was in the foreground.
    var awaitsWindow = false
    /// The next reading is the one that it begins with.
    var awaitsReading = false
    /// CPU time of the tree when it started, and when the CPU monitor's present window began.
    var cpuAtStart = TimeSpan.zero
    /// The tree's highest memory before it started.
    var peakAtStart = ByteCount(bytes: 0)
    var windowStart = Instant(nanoseconds: 0)
    /// The size of the application's folders before it started; nil: they are being measured for the first time.
    var weightAtStart: ByteCount?
    /// It has completed, and gets this outcome unless its folders turn out to hold too much. Its phase is `ending`.
    var awaitsWeight = false
    var cpuAtWindow = TimeSpan.zero

    /// Worker that it belongs to.
    @usableFromInline var worker: WorkerIndex?

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
    package var isActive: Bool {
        // A call would copy the slot.
        @inline(__always) get { phase == .running || phase == .expiring }
    }

    /// Whether it belongs to the worker in that slot.
    @inlinable @inline(__always) package func worker(is index: UInt32) -> Bool { worker?.number == index }

    /// The events of the run, in order, for the record.
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

/// The run whose deadline a run shared.
package struct SharedDeadline: Sendable, BitwiseCopyable, Equatable {
    package var id: ULID
    package var task: TaskIndex

    package init(id: ULID, task: TaskIndex) {
        self.id = id
        self.task = task
    }
}
