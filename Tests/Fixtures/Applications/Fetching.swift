import UIKit
import os

/// Fetches, and gets remote notifications; prints what it is called for.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    private var fetches = 0

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        application.setMinimumBackgroundFetchInterval(3600)
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalNever)
        print("registered", application.isRegisteredForRemoteNotifications)
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        print("token", deviceToken.map { String(format: "%02x", $0) }.joined(), Thread.isMainThread)
        print("registered", application.isRegisteredForRemoteNotifications)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        print("no token", (error as NSError).domain, (error as NSError).code, error.localizedDescription)
    }

    func applicationDidEnterBackground(_ application: UIApplication) { print("background") }

    /// Answers once from another thread, then twice, then never.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        fetches += 1
        Logger().info("fetch \(self.fetches), main \(Thread.isMainThread)")
        switch fetches {
        case 1:
            nonisolated(unsafe) let answer = completionHandler
            DispatchQueue.global().async { answer(.newData) }
        case 2:
            for result in [UIBackgroundFetchResult.noData, .failed, .newData] { completionHandler(result) }
        default: break
        }
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let alert = (userInfo["aps"] as? [String: Any])?["content-available"] as? Int
        print("push", userInfo.count, alert ?? -1, userInfo["word"] as? String ?? "no word", Thread.isMainThread)
        application.unregisterForRemoteNotifications()
        print("registered", application.isRegisteredForRemoteNotifications)
        completionHandler(.failed)
    }
}
