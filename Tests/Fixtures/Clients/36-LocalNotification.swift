import BackgroundTasks
import UIKit
import UserNotifications

@main
final class AppDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
            if let error { print(error.localizedDescription) }
            print("granted", granted)
        }
        let open = UNNotificationAction(identifier: "open", title: "Open", options: [.foreground])
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "feed", actions: [open], intentIdentifiers: [], options: [])
        ])
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: nil) { task in
            Task {
                await Reminder.remind()
                task.setTaskCompleted(success: true)
            }
        }
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
            print(response.notification.request.content.userInfo["url"] as? String ?? "none")
        }
        completionHandler()
    }
}

enum Reminder {
    static func remind() async {
        let center = UNUserNotificationCenter.current()
        let settings = await center.notificationSettings()
        let status = settings.authorizationStatus
        guard status == .authorized || status == .provisional else { return }
        let content = UNMutableNotificationContent()
        content.title = "New items"
        content.body = "There are 3 of them"
        content.sound = .default
        content.badge = 3
        content.categoryIdentifier = "feed"
        content.userInfo = ["url": "https://example.com"]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
        do {
            try await center.add(request)
            try await center.requestAuthorization(options: [.alert])
        } catch { print(error) }
        var daily = DateComponents()
        daily.hour = 9
        let morning = UNCalendarNotificationTrigger(dateMatching: daily, repeats: true)
        center.add(UNNotificationRequest(identifier: "daily", content: content, trigger: morning)) { error in
            if error != nil { print("not added") }
        }
        notify(content)
        let pending = await center.pendingNotificationRequests().map(\.identifier)
        center.removePendingNotificationRequests(withIdentifiers: pending.filter { $0 != "daily" })
        center.getPendingNotificationRequests { print($0.count) }
        center.getNotificationSettings { print($0.alertSetting == .enabled) }
        center.removeAllPendingNotificationRequests()
        center.removeAllDeliveredNotifications()
    }

    /// Outside of code that waits the form with a completion handler is meant.
    private static func notify(_ content: UNNotificationContent) {
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "now", content: content, trigger: nil))
    }
}
