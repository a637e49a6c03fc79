/// What the application answered to a fetch or a remote notification, by the names of `UIBackgroundFetchResult`.
public enum FetchAnswer: String, Sendable, CaseIterable {
    /// There was something new.
    case newData
    /// There was nothing new.
    case noData
    /// It could not find out.
    case failed
}
