import UIKit

/// Has the form of a remote notification's method that waits for its work, and no method for fetches.
@main
final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        try? await Task.sleep(for: .milliseconds(10))
        print("push", userInfo.count, Thread.isMainThread)
        return .newData
    }
}
