package import TaskModel

/// A run that has not been forgotten yet.
package struct RunSlot: Sendable, BitwiseCopyable {
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        case free
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

    package internal(set) var generation: UInt32 = 0
    package internal(set) var phase = Phase.free
    package internal(set) var task: UInt32 = 0
    package internal(set) var id = ULID(high: 0, low: 0)
    /// Number in the store: one more than the run before it.
    package internal(set) var sequence: Int64 = 0
    package internal(set) var attempt: UInt32 = 1
    package internal(set) var requester: UInt32 = 0
    /// Delivered together with the runs of the same number; 0: on its own.
    package internal(set) var launch: UInt32 = 0
    /// Its request asked for external power.
    var isOnPower = false
    /// A request stands behind it.
    var hasRequest = false
    /// The task's numbers when the run got its worker: a reload does not change those of a run that goes on.
    var rules = TaskRules.none

    package internal(set) var submitted = Timestamp(nanoseconds: 0)
    package internal(set) var launched: Timestamp?
    package internal(set) var started: Moment?
    package internal(set) var expired: Timestamp?
    package internal(set) var completed: Timestamp?
    package internal(set) var killed: Timestamp?
    package internal(set) var ended: Timestamp?
    package internal(set) var wallTime: TimeSpan?
    package internal(set) var cpuTime: TimeSpan?
    package internal(set) var peakMemory: ByteCount?
    /// What earlier runs had left in its worker's memory, if that was more than a quarter of a budget: it counts in its own.
    package internal(set) var memoryAtStart: ByteCount?
    package internal(set) var outcome: Outcome?
    package internal(set) var reason: Reason?
    package internal(set) var signal: Int32?
    package internal(set) var exitStatus: Int32?
    package internal(set) var result: ResultValue?
    /// The sibling whose end of the budget was this run's too, for a while or to the end. The last one of several.
    package internal(set) var sharedWith: SharedDeadline?
    /// What the host or the machine lacked, for which it was interrupted.
    package internal(set) var shortage: Shortage?
    /// It was refused because its library did not let its worker be ready in time.
    package internal(set) var isHung = false
    /// End of the budget; the deadline heap holds the warning or the end of the patience with its progress, then this.
    package internal(set) var budgetEnd = Instant.distantFuture
    var warning = Instant.distantFuture
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

    /// Worker that it belongs to, and its neighbours in that worker's list (or in the waiting list).
    var worker: UInt32?
    var previous: UInt32?
    var next: UInt32?

    /// Whether it has a worker that may be working on it.
    package var isActive: Bool { phase == .running || phase == .expiring }

    /// Whether it belongs to the worker in that slot.
    package func worker(is index: UInt32) -> Bool { worker == index }

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
    package var task: UInt32

    package init(id: ULID, task: UInt32) {
        self.id = id
        self.task = task
    }
}
