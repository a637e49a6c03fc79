import BackgroundTasks
import UIKit
import os

@MainActor
final class Model {
    static let shared = Model()
    private(set) var saved = 0
    func save() { saved += 1 }
    func refresh() async -> Bool { saved >= 0 }
}

/// A delegate that counts on being the main actor's, without a word about it.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    static var shared: AppDelegate!
    let model = Model.shared
    var window: UIWindow?
    private var stretch = UIBackgroundTaskIdentifier.invalid
    private lazy var logger = Logger(subsystem: "com.example", category: "delegate")

    override init() {
        super.init()
        Self.shared = self
        model.save()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: nil) { task in
            let work = Task { @MainActor in
                task.setTaskCompleted(success: await Model.shared.refresh())
            }
            task.expirationHandler = { work.cancel() }
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.process", using: .main) { task in
            Task { @MainActor in await Self.shared.process(task as! BGProcessingTask) }
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        model.save()
        stretch = application.beginBackgroundTask(withName: "saving") { [weak self] in
            MainActor.assumeIsolated { self?.endStretch() }
        }
        Task {
            _ = await model.refresh()
            endStretch()
        }
    }

    func applicationWillTerminate(_ application: UIApplication) {
        logger.info("saved \(self.model.saved)")
    }

    private func endStretch() {
        UIApplication.shared.endBackgroundTask(stretch)
        stretch = .invalid
    }

    private func process(_ task: BGProcessingTask) async {
        task.setTaskCompleted(success: await model.refresh())
    }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let model = Model.shared

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        window = UIWindow(windowScene: scene)
        window?.rootViewController = UIViewController()
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        model.save()
        AppDelegate.shared.applicationDidEnterBackground(.shared)
    }
}
