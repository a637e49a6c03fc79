import BackgroundTasks
import UIKit

@MainActor
final class Model {
    static let shared = Model()
    var launches = 0
}

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let model = Model.shared

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        model.launches += 1
        print("launched", model.launches, Thread.isMainThread, UIApplication.shared.delegate === self)
        return BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.r1", using: nil) { task in
            task.setTaskCompleted(success: true)
        }
    }
}
