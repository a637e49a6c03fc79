// Runs in ClientNames.
import UserNotifications
import os

private let logger = Logger(subsystem: Bundle.main.bundleIdentifier ?? "com.example.reminders", category: "Reminders")

/// Asks for permission, plans reminders, and answers what the user does with them.
@MainActor
final class ReminderCenter: NSObject {
    enum Category: String {
        case habit
        enum Action: String, CaseIterable { case done, later }
    }

    static let shared = ReminderCenter()
    private let center: UNUserNotificationCenter
    private(set) var opened: [String] = []

    private override init() {
        center = UNUserNotificationCenter.current()
        super.init()
        center.delegate = self
        registerCategories()
    }

    private func registerCategories() {
        let actions = Category.Action.allCases.map {
            UNNotificationAction(
                identifier: $0.rawValue, title: $0.rawValue.capitalized,
                options: $0 == .done ? [.foreground] : UNNotificationActionOptions(rawValue: 0))
        }
        let reply = UNTextInputNotificationAction(
            identifier: "note", title: "Note", options: [], textInputButtonTitle: "Save", textInputPlaceholder: "…")
        let category = UNNotificationCategory(
            identifier: Category.habit.rawValue, actions: actions + [reply], intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "", options: .customDismissAction)
        center.setNotificationCategories([category])
    }

    func requestPermission() async -> Bool {
        do {
            return try await center.requestAuthorization(options: [.alert, .badge, .sound])
        } catch {
            logger.error("no permission: \(error.localizedDescription)")
            return false
        }
    }

    func schedule(_ title: String, at time: DateComponents?, completion: ((Error?) -> Void)? = nil) {
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: title, arguments: nil)
        content.sound = UNNotificationSound.default
        content.categoryIdentifier = Category.habit.rawValue
        content.userInfo = ["title": title]
        let trigger = time.map { UNCalendarNotificationTrigger(dateMatching: $0, repeats: true) }
        let request = UNNotificationRequest(identifier: "habit.\(title)", content: content, trigger: trigger)
        center.add(request, withCompletionHandler: completion)
        logger.info("planned \(title, privacy: .public)")
    }

    func cancelAll() {
        center.removeAllPendingNotificationRequests()
        center.removeAllDeliveredNotifications()
        center.setBadgeCount(0)
    }
}

extension ReminderCenter: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let isRemote = notification.request.trigger is UNPushNotificationTrigger
        completionHandler(isRemote ? [] : [.banner, .list, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        defer { completionHandler() }
        let content = response.notification.request.content
        guard let title = content.userInfo["title"] as? String else { return }
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier, Category.Action.done.rawValue: opened.append(title)
        case UNNotificationDismissActionIdentifier: break
        default:
            if let response = response as? UNTextInputNotificationResponse { opened.append(response.userText) }
        }
    }
}

@MainActor
func tryReminderCenter() async {
    let reminders = ReminderCenter.shared
    let center = UNUserNotificationCenter.current()
    precondition(center.delegate === reminders)
    let isAllowed = await reminders.requestPermission()
    precondition(isAllowed)
    let status = await center.notificationSettings().authorizationStatus
    precondition(status == .authorized)

    reminders.schedule("walk", at: DateComponents(hour: 9))
    await withCheckedContinuation { continuation in
        reminders.schedule("read", at: nil) { error in
            precondition(error == nil)
            continuation.resume()
        }
    }
    let pending = await center.pendingNotificationRequests()
    precondition(pending.map(\.identifier) == ["habit.walk"])
    precondition((pending[0].trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate() != nil)
    let delivered = await center.deliveredNotifications()
    precondition(delivered.map(\.request.content.title) == ["read"])
    var options: UNNotificationPresentationOptions?
    reminders.userNotificationCenter(center, willPresent: delivered[0]) { options = $0 }
    precondition(options == [.banner, .list, .sound])

    let category = await center.notificationCategories().first
    precondition(category?.actions.map(\.identifier) == ["done", "later", "note"])
    precondition(category?.options == .customDismissAction && category?.actions[0].options == .foreground)
    reminders.cancelAll()
    let left = await center.pendingNotificationRequests().count
    precondition(left == 0 && reminders.opened.isEmpty)
}
