package import TaskModel

/// A request as it comes to the scheduler, new or from the store.
package struct NewRequest: Sendable, BitwiseCopyable, Equatable {
    package var task: TaskIndex
    /// The number in the store of the concrete identifier: that of the task, unless the task is a wildcard.
    package var identity: Int64
    package var kind: TaskKind
    package var terms: RequestTerms
    package var submitted: Timestamp
    /// 1 for the first try.
    package var attempt: UInt32 = 1
    /// When the schedule wanted it; nil: it did not come from the schedule.
    package var scheduledFor: Timestamp?

    package init(task: TaskIndex, identity: Int64, kind: TaskKind, terms: RequestTerms, submitted: Timestamp) {
        self.task = task
        self.identity = identity
        self.kind = kind
        self.terms = terms
        self.submitted = submitted
    }
}

/// What became of the run of a request, as the engine tells it.
package struct RequestEnd: Sendable, BitwiseCopyable {
    package var outcome: Outcome
    package var reason: Reason?
    /// nil: unknown, or it never started.
    package var cpuTime: TimeSpan?
    /// What the host or the machine lacked: it was interrupted for that, and its application did nothing.
    package var shortage: Shortage?
    /// Its handler was invoked.
    package var hasStarted: Bool
    /// It was refused because its library did not let its worker be ready in time, which counts as a crash.
    package var isHung: Bool
    /// What its handler asked for; counts when it is `deferred`.
    package var deferral: Deferral?

    package init(
        outcome: Outcome, reason: Reason?, cpuTime: TimeSpan?, shortage: Shortage? = nil, hasStarted: Bool = true,
        isHung: Bool = false, deferral: Deferral? = nil
    ) {
        self.outcome = outcome
        self.reason = reason
        self.cpuTime = cpuTime
        self.shortage = shortage
        self.hasStarted = hasStarted
        self.isHung = isHung
        self.deferral = deferral
    }
}

/// What the scheduler decided. The host first stores what must be remembered, then acts, as with the engine's actions.
package enum Decision: Sendable, BitwiseCopyable, Equatable {
    /// Store the request as it stands now: new, replaced, or waiting for another attempt.
    case remember(RequestHandle)
    /// It is no more: remove it from the store. `identity` and `submitted` name the row; the handle is free afterwards.
    case forget(identity: Int64, submitted: Timestamp)
    /// Make a run of it now. It stays in the store, marked as running, until `forget` or `remember`.
    /// `launch` is the same for requests that are delivered in one launch of their application; they share its deadline.
    case start(RequestHandle, launch: UInt32)
    /// Its run has lost a condition, or the user cancelled it.
    case expire(RequestHandle, Reason)
    /// Kill the application's worker (the application was removed from the switcher).
    case terminate(application: ApplicationIndex, Reason)
    /// Store what is remembered of the application.
    case rememberApplication(ApplicationIndex)
    /// Something a person should find in the journal; the host writes the words.
    case quarantined(application: ApplicationIndex, until: Timestamp)
    /// The same: what its launches lack has lasted for so many tries that they are made once an hour now.
    case starved(RequestHandle)
}
