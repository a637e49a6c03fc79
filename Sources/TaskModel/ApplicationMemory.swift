/// The scheduler's data about an application between its runs; the host stores it.
package struct ApplicationMemory: Sendable, BitwiseCopyable, Equatable {
    /// The user quit it and has not opened it since.
    package var isForceQuit = false
    /// The user turned background refresh off for it.
    package var isRefreshDenied = false
    /// Crashes since its last good run; quarantine comes from the third on.
    package var crashes: UInt32 = 0
    /// Until when it is in quarantine.
    package var quarantinedUntil: Timestamp?
    /// Processor time that it used, decayed with the half-life of `SchedulerLimits`, as the scheduler's own measure.
    package var usage = 0.0
    /// Processor time used in the present quota window, and when that ends.
    package var quotaUsed = TimeSpan.zero
    package var quotaEnd: Timestamp?
    /// The requested interval between its fetches; nil: it wants none.
    package var fetchInterval: TimeSpan?
    /// Fetches in a row that it did not answer.
    package var unansweredFetches: UInt32 = 0
    /// When it was notified last.
    package var notifications = NotificationTimes()

    package init() {}
}
