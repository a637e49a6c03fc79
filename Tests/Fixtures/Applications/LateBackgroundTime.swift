import UIKit

/// Leaks one stretch of background time, and begins another one in its expiration handler, which ends after it.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        _ = application.beginBackgroundTask(withName: "leaked") {
            let late = application.beginBackgroundTask(withName: "late")
            DispatchQueue.main.async {
                application.endBackgroundTask(late)
            }
        }
    }
}
