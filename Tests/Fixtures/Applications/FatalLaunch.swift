import UIKit

/// Dies of an error of its own while it is launched.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("opening the store", terminator: "")
        fatalError("no store at this place")
    }
}
