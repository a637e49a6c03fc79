/// The callbacks of an application. The numbers are those of `TASKHOST_EVENT_…` in taskhost.h; they are stored.
package enum ApplicationCallback: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// `willFinishLaunching` and `didFinishLaunching`: `launch` of taskhost.h.
    case launch = 1
    case didBecomeActive = 2
    case willResignActive = 3
    case didEnterBackground = 4
    case willEnterForeground = 5
    case willTerminate = 6
    case performFetch = 7
    case didReceiveRemoteNotification = 8
    /// `handleEventsForBackgroundURLSession`.
    case handleSessionEvents = 9
    /// The expiration handler of an assertion.
    case expirationHandler = 10
}
