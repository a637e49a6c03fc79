/// Types that application code mentions and that a worker, which has no screen, gives no life to.

/// What a user is doing.
open class NSUserActivity: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Names the kind of activity.
    public let activityType: String
    /// What it is called.
    open var title: String?
    /// What is needed to continue it.
    open var userInfo: [AnyHashable: Any]?
    /// The page that shows the same.
    open var webpageURL: URL?
    /// - Parameter activityType: names the kind of activity.
    public init(activityType: String) { self.activityType = activityType }
}

/// Continues what a user was doing.
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Restores the state of an activity.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// A quick action of an application's icon.
open class UIApplicationShortcutItem: NSObject, @unchecked Sendable {  // immutable
    /// Names the action.
    public let type: String
    /// What it is called.
    public let localizedTitle: String
    /// What the application wants to be told of it: nothing.
    open var userInfo: [String: any NSSecureCoding]? { nil }
    /// - Parameters:
    ///   - type: names the action.
    ///   - localizedTitle: what it is called.
    public init(type: String, localizedTitle: String) {
        self.type = type
        self.localizedTitle = localizedTitle
    }
}

/// The type of an activity that continues a page of the web.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
