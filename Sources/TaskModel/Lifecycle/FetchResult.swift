/// The result of a fetch or a remote notification: `UIBackgroundFetchResult`. The numbers are those of `TASKHOST_FETCH_…` in
/// taskhost_scheduling.h; they are stored.
package enum FetchResult: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case newData = 0
    case noData = 1
    case failed = 2

    /// The word used in JSON and on screens.
    package var name: String { String(describing: self) }

    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
