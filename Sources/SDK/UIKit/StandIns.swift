/// Types that application code mentions and that do nothing in a worker, which has no screen.

/// An activity of the user.
open class NSUserActivity: NSObject, @unchecked Sendable {  // as on iOS, used on the main thread
    /// Names the kind of activity.
    public let activityType: String
    /// Its title.
    open var title: String?
    /// The data for continuing it.
    open var userInfo: [AnyHashable: Any]?
    /// The page that shows the same.
    open var webpageURL: URL?
    /// - Parameter activityType: names the kind of activity.
    public init(activityType: String) { self.activityType = activityType }
}

/// Continues an activity of the user.
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Restores the state of an activity.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// The type of an activity that continues a page of the web.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
