/// One task of a manifest.
package struct TaskDefinition: Sendable, Equatable {
    package var identifier: String
    package var kind: TaskKind
    package var handler: Handler
    package var budget: Budget
    /// Free-form JSON for the handler, as one line of JSON text; `{}` when the manifest has none.
    package var settings: String
    package var schedule: Schedule?
    package var retry: Retry?
    package var requires: Requirements
    /// The task of the same manifest after whose successful runs it runs.
    package var after: String?
    /// The task of the same manifest that runs after `answeredEnds`.
    package var onFailure: String?
    /// What gets the run's record then: a URL of HTTP.
    package var webhook: String?
    /// After which ends `onFailure` and `webhook` are due.
    package var answeredEnds: [FailureTrigger] = [.failed]
    /// The task of the same manifest that gets what a run has printed.
    package var onOutput: String?
    /// What each run is given, in the manifest's order.
    package var secrets: [TaskSecret] = []
    /// Its permissions were learned; nil: somebody wrote them.
    package var learned: LearnedMark?
    /// Among what is due of its kind.
    package var priority = WorkPriority.normal
    /// Its own conditions: paths whose last part may contain `*` and `?`.
    package var patterns: [ConditionName: [String]] = [:]

    package init(
        identifier: String, kind: TaskKind, handler: Handler, budget: Budget, settings: String = "{}",
        schedule: Schedule? = nil, retry: Retry? = nil, requires: Requirements = Requirements()
    ) {
        self.identifier = identifier
        self.kind = kind
        self.handler = handler
        self.budget = budget
        self.settings = settings
        self.schedule = schedule
        self.retry = retry
        self.requires = requires
    }

    /// It serves every identifier that matches its own: `com.example.job.*`.
    package var isWildcard: Bool { IdentifierPattern.isOne(identifier) }
}

/// The code that does a task.
package enum Handler: Sendable, Equatable {
    /// `void f(taskhost_task_t *)`, exported by the application's library.
    case symbol(String)
    /// Any C function, called through libffi.
    case foreign(ForeignFunction)
    case command(ProgramCommand)
    /// Registered by the application at launch.
    case registered
    /// The application's event callback: a fetch, or a remote notification.
    case event

    package var isProgram: Bool { if case .command = self { true } else { false } }
}

/// When the host submits a request for the task.
package struct Schedule: Sendable, Equatable {
    /// Distance between runs; nil when another form is given.
    package var every: TimeSpan?
    /// Five cron fields; nil when another form is given.
    package var calendar: CalendarExpression?
    /// Once a boot of the machine, instead of both.
    package var isAtBoot = false
    /// IANA time zone of `calendar`; nil: the machine's own.
    package var timeZone: String?
    /// Largest random delay, stable for one host and task.
    package var jitter: TimeSpan
    package var catchUp: CatchUp
    package var overlap: Overlap
    /// The payload of a scheduled run; empty: none.
    package var payload: String
    package var scope = ScheduleScope.host

    package init(
        every: TimeSpan? = nil, calendar: CalendarExpression? = nil, timeZone: String? = nil,
        jitter: TimeSpan = .zero, catchUp: CatchUp = .latest, overlap: Overlap = .queue,
        payload: String = ""
    ) {
        self.every = every
        self.calendar = calendar
        self.timeZone = timeZone
        self.jitter = jitter
        self.catchUp = catchUp
        self.overlap = overlap
        self.payload = payload
    }
}

/// Whose the times of a schedule are.
package enum ScheduleScope: String, CaseIterable, Sendable {
    /// Each host has its own.
    case host
    /// All hosts of a fleet have one together: whichever takes it.
    case fleet
}

/// What happens to times that passed while the host was down.
package enum CatchUp: String, CaseIterable, Sendable {
    case none
    case latest
}

/// What happens to a time that comes while a run of the task is in progress.
package enum Overlap: String, CaseIterable, Sendable {
    /// It waits for the end of that run, one at most.
    case queue
    /// It is left out.
    case skip
    /// That run expires, and the new one starts when it has ended.
    case replace
    /// It starts another run beside it, `Limit.overlaps` at most at once, as under cron.
    case allow
}

/// How often and how soon a failed run is tried again.
package struct Retry: Sendable, Equatable {
    /// Tries in all, the first included.
    package var attempts: UInt32
    /// Before the second try; doubles with every further one.
    package var backoff: TimeSpan
    /// Each pause is longer by a part of it, so that many tasks and machines do not try again at once.
    package var jitter: TimeSpan

    package init(attempts: UInt32, backoff: TimeSpan, jitter: TimeSpan = .zero) {
        self.attempts = attempts
        self.backoff = backoff
        self.jitter = jitter
    }
}
