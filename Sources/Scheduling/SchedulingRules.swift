package import TaskModel

/// The scheduler's data about a task: numbers only. Its index is that of the engine's table.
package struct TaskSchedulingRules: Sendable, BitwiseCopyable {
    package var application: ApplicationIndex
    package var kind: TaskKind
    /// The manifest's requirements, in addition to those of requests.
    package var requires = Requirements()
    /// Its own conditions; none is met until `setMet` says so.
    package var awaits = ConditionSet()
    /// Tries in all after failures, and the pause before the second one (it doubles). 1: no retry.
    package var attempts: UInt32 = 1
    package var backoff = TimeSpan.seconds(30)
    /// Each pause is longer by a part of it; whole milliseconds.
    package var retryJitter = TimeSpan.zero
    package var priority = WorkPriority.normal
    /// The manifest's `backgroundModes` lacks the kind's mode.
    package var lacksMode = false
    /// Index from `Scheduler.addSchedule`; nil: only requests start it.
    package var schedule: ScheduleIndex?
    /// The number in the store of the task's identifier: that of the requests which its schedule submits.
    package var identity: Int64 = 0
    /// The manifest's identifier ends in `.*`: each request names a concrete one.
    package var isWildcard = false

    package init(application: ApplicationIndex, kind: TaskKind) {
        self.application = application
        self.kind = kind
    }
}

/// The numbers that hold for the whole host.
package struct SchedulerLimits: Sendable, Equatable {
    /// Scheduled runs at once, in all and of each kind.
    package var concurrency = 16
    package var refreshes = 4
    package var processings = 2
    package var continued = 2
    /// Pending requests of one application.
    package var pendingRefreshes = 1
    package var pendingProcessings = 10
    package var pendingContinued = 16
    /// A refresh waits below this charge, unless on external power.
    package var lowBattery: UInt8 = 20
    /// After this many crashes in a row an application is quarantined, first for `quarantine`, then doubling to a day.
    package var crashesAllowed: UInt32 = 3
    package var quarantine = TimeSpan.minutes(5)
    /// A request of an application starts no sooner than this after the last run of its identifier has ended: a handler that
    /// resubmits itself without a date would occupy the machine for ever.
    package var pace = TimeSpan.minutes(1)
    /// Longest pause between attempts.
    package var longestBackoff = TimeSpan.seconds(5 * 3600)
    /// Processor time an application may use in `quotaWindow`; nil: any.
    package var quota: TimeSpan?
    package var quotaWindow = TimeSpan.seconds(86_400)
    /// After this the processor time that an application used counts half in the fair order.
    package var usageHalfLife = TimeSpan.seconds(4 * 3600)
    /// The least pause between two fetches of an application.
    package var fetchInterval = LimitsProfile.modern.fetchInterval
    /// Notifications of an application that are delivered within an hour, `NotificationTimes.most` at most.
    package var notificationsPerHour = LimitsProfile.modern.notificationsPerHour
    /// The limit that staggers runs that are due when the host starts: how many of them start in one turn.
    package var startsPerTurn = 8

    package init() {}
}
