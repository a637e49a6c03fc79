internal import TaskHostRuntime

/// Accepts the notifications of the application. Nothing is displayed: requests are kept in the application's state folder
/// and written to the host's journal (`taskhost journal`).
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {  // `book` has a lock; the delegate is never called
    private static let single = UNUserNotificationCenter()
    /// The only one.
    open class func current() -> UNUserNotificationCenter { single }

    private let book = NotificationBook()
    private override init() { super.init() }

    /// Stored, and never called: no notification is shown.
    open weak var delegate: (any UNUserNotificationCenterDelegate)?
    /// False.
    open var supportsContentExtensions: Bool { false }

    // MARK: Authorization

    /// Always granted, on an arbitrary queue; the journal has the request.
    @preconcurrency open func requestAuthorization(
        options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        book.allow(options)
        answer { completionHandler(true, nil) }
    }
    /// Always true; the journal has the request.
    @discardableResult
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        book.allow(options)
        return true
    }
    /// The requested settings.
    @preconcurrency open func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        let settings = book.settings
        answer { completionHandler(settings) }
    }
    /// The requested settings.
    open func notificationSettings() async -> UNNotificationSettings { book.settings }

    // MARK: Requests

    /// Keeps a request, in the place of one of the same name, and writes it into the journal.
    @preconcurrency open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        book.add(request)
        if let completionHandler { answer { completionHandler(nil) } }
    }
    /// Keeps a request, in the place of one of the same name, and writes it into the journal.
    /// - Throws: never here.
    open func add(_ request: UNNotificationRequest) async throws { book.add(request) }
    /// Requests that are not due yet.
    @preconcurrency open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        let pending = book.pending
        answer { completionHandler(pending) }
    }
    /// Requests that are not due yet.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] { book.pending }
    /// Takes requests back.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        book.remove { $0.isPending && identifiers.contains($0.identifier) }
    }
    /// Takes all requests back.
    open func removeAllPendingNotificationRequests() { book.remove { $0.isPending } }
    /// Notifications that were due; none was shown.
    @preconcurrency open func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        let delivered = book.delivered
        answer { completionHandler(delivered) }
    }
    /// Notifications that were due; none was shown.
    open func deliveredNotifications() async -> [UNNotification] { book.delivered }
    /// Forgets notifications that were due.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        book.remove { !$0.isPending && identifiers.contains($0.identifier) }
    }
    /// Forgets all notifications that were due.
    open func removeAllDeliveredNotifications() { book.remove { !$0.isPending } }

    // MARK: Kept in the process

    /// Keeps categories.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { book.categories = categories }
    /// The categories that were set.
    @preconcurrency open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        let categories = book.categories
        answer { completionHandler(categories) }
    }
    /// The categories that were set.
    open func notificationCategories() async -> Set<UNNotificationCategory> { book.categories }
    /// Does nothing: there is no icon.
    @preconcurrency open func setBadgeCount(
        _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        if let completionHandler { answer { completionHandler(nil) } }
    }
    /// Does nothing: there is no icon.
    /// - Throws: never here.
    open func setBadgeCount(_ newBadgeCount: Int) async throws {}

    private func answer(_ body: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: body) }
}
