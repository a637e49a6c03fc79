import BackgroundTasks
import UIKit

final class Pages: UIViewController {
    private let first: Int

    init(first: Int) {
        self.first = first
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("made in code") }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Page \(first)"
    }
}

/// A delegate of the time before scenes.
@main
final class WindowDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UINavigationController(rootViewController: Pages(first: 1))
        window.overrideUserInterfaceStyle = .dark
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        do {
            try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "org.example.pages"))
        } catch let error as NSError where error.domain == BGTaskSchedulerErrorDomain {
            NSLog("%@", error)
        } catch {
            NSLog("%@", error.localizedDescription)
        }
    }
}
