import BackgroundTasks
import UIKit
import UserNotifications

/// Asks for notifications, and prints what it knows of those of the process before.
@main struct App {
    static func main() {
        register()
        let alert = UIAlertController(title: "Hello", message: nil, preferredStyle: .alert)
        UIViewController().present(alert, animated: true) { print("presented", UITableView().subviews.count) }
    }

    static func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.r1", using: nil) { task in
            Task {
                await ask()
                task.setTaskCompleted(success: true)
            }
        }
    }

    static func ask() async {
        let center = UNUserNotificationCenter.current()
        let before = await center.notificationSettings()
        let known = await center.pendingNotificationRequests().map { "\($0.identifier) \($0.content.title)" }
        print("before", before.authorizationStatus.rawValue, before.alertSetting.rawValue, known)
        _ = try? await center.requestAuthorization(options: [.alert, .sound])
        let content = UNMutableNotificationContent()
        content.title = "New items"
        content.body = "There are 3"
        for (identifier, seconds) in [("later", 3600.0), ("much later", 7200), ("gone", 60)] {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
            try? await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
        }
        content.title = "changed after it was added"
        try? await center.add(UNNotificationRequest(identifier: "now", content: content, trigger: nil))
        center.removePendingNotificationRequests(withIdentifiers: ["gone", "now"])
        let pending = await center.pendingNotificationRequests().map { "\($0.identifier) \($0.content.title)" }
        let delivered = await center.deliveredNotifications().map(\.request.identifier)
        print("after", pending, delivered)
        fflush(nil)
    }
}
