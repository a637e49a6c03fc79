// Fails in mode 6: 'UIApplicationMain' is deprecated
import UIKit

@MainActor
final class Settings {
    static let shared = Settings()
    var launches = 0
}

@UIApplicationMain
@MainActor
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let settings = Settings.shared

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        settings.launches += 1
        return true
    }
}
