import UIKit

/// Dies of a fatal error while it is launched.
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
