import BackgroundTasks
import UIKit

/// State of the main actor that a delegate reaches without waiting.
@MainActor
protocol Syncing: AnyObject {
    var isSyncing: Bool { get }
    func sync() async throws
}

@MainActor
final class SyncService: Syncing {
    private(set) var isSyncing = false
    func sync() async throws {
        isSyncing = true
        defer { isSyncing = false }
        try await Task.sleep(for: .milliseconds(1))
    }
}

@main
@MainActor
final class AppDelegate: UIResponder, UIApplicationDelegate {
    static private(set) var shared: AppDelegate!
    let service: any Syncing = SyncService()
    private var tasks: [String: Task<Void, Never>] = [:]

    override init() {
        super.init()
        Self.shared = self
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        registerTasks()
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.willResignActiveNotification, object: nil, queue: .main
        ) { _ in
            MainActor.assumeIsolated { AppDelegate.shared.schedule() }
        }
        return true
    }

    nonisolated private func registerTasks() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.sync", using: nil) { task in
            Task { @MainActor in self.run(task) }
        }
    }

    func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: "com.example.sync")
        request.earliestBeginDate = Date(timeIntervalSinceNow: 60)
        try? BGTaskScheduler.shared.submit(request)
    }

    private func run(_ task: BGTask) {
        schedule()
        let work = Task {
            do {
                try await service.sync()
                task.setTaskCompleted(success: true)
            } catch {
                task.setTaskCompleted(success: false)
            }
            tasks[task.identifier] = nil
        }
        tasks[task.identifier] = work
        task.expirationHandler = { work.cancel() }
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = SceneDelegate.self
        return configuration
    }
}

@MainActor
class SceneDelegate: UIResponder, UISceneDelegate {
    func sceneWillResignActive(_ scene: UIScene) {
        guard let delegate = UIApplication.shared.delegate as? AppDelegate, !delegate.service.isSyncing else { return }
        delegate.schedule()
    }
}
