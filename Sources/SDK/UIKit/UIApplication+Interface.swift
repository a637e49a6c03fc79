/// What of an application is about its interface.
extension UIApplication {
    /// The direction of the interface: as English is written. A worker has no interface in another language.
    public var userInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
    /// The size of text that the user prefers: that of a new device.
    public var preferredContentSizeCategory: UIContentSizeCategory { .large }
    /// The orientation of the bar with the clock: none.
    public var statusBarOrientation: UIInterfaceOrientation { .unknown }
}

/// `UIApplication.LaunchOptionsKey`, as code of Swift 4.0 and before calls it.
@available(*, deprecated, renamed: "UIApplication.LaunchOptionsKey")
public typealias UIApplicationLaunchOptionsKey = UIApplication.LaunchOptionsKey
/// `UIApplication.OpenURLOptionsKey`, as code of Swift 4.0 and before calls it.
@available(*, deprecated, renamed: "UIApplication.OpenURLOptionsKey")
public typealias UIApplicationOpenURLOptionsKey = UIApplication.OpenURLOptionsKey
/// `UIApplication.State`, as code of Swift 4.0 and before calls it.
@available(*, deprecated, renamed: "UIApplication.State")
public typealias UIApplicationState = UIApplication.State
/// `UIApplication.backgroundFetchIntervalMinimum`, as code of Swift 4.0 and before calls it.
@available(*, deprecated, renamed: "UIApplication.backgroundFetchIntervalMinimum")
public let UIApplicationBackgroundFetchIntervalMinimum: TimeInterval = 0
/// `UIApplication.backgroundFetchIntervalNever`, as code of Swift 4.0 and before calls it.
@available(*, deprecated, renamed: "UIApplication.backgroundFetchIntervalNever")
public let UIApplicationBackgroundFetchIntervalNever: TimeInterval = .greatestFiniteMagnitude
/// `UIBackgroundTaskIdentifier.invalid`, as code of Swift 4.0 and before calls it.
@available(*, deprecated, renamed: "UIBackgroundTaskIdentifier.invalid")
public let UIBackgroundTaskInvalid = UIBackgroundTaskIdentifier.invalid
