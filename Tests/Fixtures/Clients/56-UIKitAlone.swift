import UIKit

/// What UIKit brings along on iOS: notifications, and Combine's two names by Foundation.
final class Reminders: ObservableObject {
    @Published var isAllowed = false
    @Published private(set) var titles: [String]

    init(titles: [String]) { _titles = Published(initialValue: titles) }

    func ask() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound]) { granted, _ in
            print(granted)
        }
        let content = UNMutableNotificationContent()
        content.title = titles.first ?? ""
        let request = UNNotificationRequest(identifier: "reminder", content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request)
    }
}
