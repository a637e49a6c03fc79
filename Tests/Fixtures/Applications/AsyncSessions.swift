import UIKit

/// Has the form of the call for a session's events that waits for its work, and no form with a completion handler.
@main
final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async {
        print("handleEvents", identifier, Thread.isMainThread)
        try? await Task.sleep(for: .milliseconds(10))
        print("handleEvents is done", Thread.isMainThread)
    }
}
