import UIKit

actor Inbox {
    private var messages: [String] = []
    func add(_ message: String) -> Bool {
        messages.append(message)
        return true
    }
}

/// A delegate of a time with `async`, where the handler's form is the compiler's business.
@main
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
    private let inbox = Inbox()

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        guard let message = userInfo["message"] as? String else { return .noData }
        return await inbox.add(message) ? .newData : .failed
    }
}
