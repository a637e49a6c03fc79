import BackgroundTasks
import UIKit

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched", Thread.isMainThread, UIApplication.shared.delegate === self)
        return BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.r1", using: nil) { task in
            task.setTaskCompleted(success: true)
        }
    }
}
