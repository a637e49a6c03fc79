/// The result of a fetch or a remote notification: `UIBackgroundFetchResult`. The numbers are those of `TASKHOST_FETCH_…` in
/// taskhost_scheduling.h; they are stored.
package enum FetchResult: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case newData = 0
    case noData = 1
    case failed = 2
}
