import BackgroundTasks
import Combine
import UIKit

// A view controller whose model is bound to the main actor, as view models of iOS are.

@MainActor final class FeedModel: ObservableObject {
    @Published var refreshes = 0
}

final class FeedCell: UITableViewCell {
    func show(_ model: FeedModel) { textLabel?.text = "\(model.refreshes)" }
}

final class FeedViewController: UIViewController {
    let model = FeedModel()
    private let label = UILabel()
    private var subscriptions: Set<AnyCancellable> = []

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(label)
        model.$refreshes.map { "\($0) refreshes" }.sink { [weak self] text in self?.title = text }
            .store(in: &subscriptions)
        model.refreshes += 1
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        label.text = "\(model.refreshes)"
    }
}

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let feed = FeedViewController()
        window.rootViewController = UINavigationController(rootViewController: feed)
        window.makeKeyAndVisible()
        self.window = window
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.feed", using: nil) { task in
            Task { @MainActor in
                feed.model.refreshes += 1
                task.setTaskCompleted(success: true)
            }
        }
        return true
    }
}
