/// A named set of the system's numbers. Tests shrink it.
package struct LimitsProfile: Sendable, Equatable {
    package var name: String
    package var refreshWallClock = TimeSpan.seconds(30)
    package var processingWallClock = TimeSpan.minutes(5)
    /// Background time of an application after it leaves the foreground.
    package var backgroundTime: TimeSpan
    /// Before the end of the background time the expiration handlers of assertions are called.
    package var assertionWarning = TimeSpan.seconds(5)
    /// Continued processing without progress for this long is warned, unless its manifest says otherwise.
    package var progressStall = TimeSpan.seconds(30)
    /// `will_terminate` and `state_changed` must return within this.
    package var lifecycleCallback = TimeSpan.seconds(5)
    /// A fetch or a remote notification must be answered within this.
    package var eventTime = TimeSpan.seconds(30)
    /// The least pause between two fetches of an application.
    package var fetchInterval = TimeSpan.minutes(15)
    /// Remote notifications of an application that are delivered within an hour.
    package var notificationsPerHour = 3
    /// Assertions of an application at once.
    package var assertions: UInt32 = 1000
    /// After how long without work an application in the background is suspended.
    package var suspendAfter = TimeSpan.seconds(5)
    /// Suspended applications that are kept in all; beyond, the least recently used one ends.
    package var suspendedApplications = 64
    /// Background work keeps the machine awake, for `backgroundTime` at most; otherwise sleep suspends it, and it
    /// continues afterwards.
    package var keepsAwake = false
    /// Share of one core, averaged over `cpuMonitorWindow`, above which a run without external power is killed.
    package var cpuMonitorShare = 0.8
    package var cpuMonitorWindow = TimeSpan.seconds(60)
    /// The disk budget of an application, unless its manifest says otherwise.
    package var disk = ByteCount.mebibytes(256)
    /// From the request to launch a worker until it reports ready: loading, constructors and launch() included.
    package var launch = TimeSpan.seconds(10)
    /// A worker without runs is kept this long.
    package var idleWorker = TimeSpan.seconds(10)

    package static let modern = LimitsProfile(name: "modern", backgroundTime: .seconds(30))
    package static let ios7 = LimitsProfile(name: "ios7", backgroundTime: .seconds(180))
    package static let ios6 = LimitsProfile(name: "ios6", backgroundTime: .seconds(600), keepsAwake: true)
    package static let all = [modern, ios7, ios6]

    /// The wall-clock budget of a task whose manifest has none; also that of a fetch and a remote notification.
    package func wallClock(of kind: TaskKind) -> TimeSpan {
        switch kind {
        case .appRefresh: refreshWallClock
        case .processing, .healthResearch: processingWallClock
        case .backgroundFetch, .remoteNotification: eventTime
        // It continues while it makes progress and its user allows it.
        case .continuedProcessing: .unlimited
        }
    }
}
