import UIKit

/// What applications with scenes do where those without asked `UIApplication.windows`.
extension UIApplication {
    @MainActor var frontWindow: UIWindow? {
        connectedScenes
            .filter { $0.activationState == .foregroundActive }
            .compactMap { $0 as? UIWindowScene }
            .flatMap { $0.windows }
            .first { $0.isKeyWindow }
    }

    @MainActor var isInSight: Bool {
        connectedScenes.contains {
            $0.activationState == .foregroundActive || $0.activationState == .foregroundInactive
        }
    }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var stretch = UIBackgroundTaskIdentifier.invalid
    private var observers: [NSObjectProtocol] = []

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        session.userInfo = ["began": Date()]
        if let context = connectionOptions.urlContexts.first { open(context.url) }
        if let activity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
            self.scene(scene, continue: activity)
        }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UINavigationController(rootViewController: UIViewController())
        window.tintColor = .systemBlue
        self.window = window
        window.makeKeyAndVisible()
        observers.append(
            NotificationCenter.default.addObserver(
                forName: UIScene.didEnterBackgroundNotification, object: scene, queue: .main
            ) { note in
                guard let scene = note.object as? UIScene else { return }
                MainActor.assumeIsolated { print("hidden", scene.session.persistentIdentifier) }
            })
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        stretch = UIApplication.shared.beginBackgroundTask(withName: "save") { [weak self] in
            MainActor.assumeIsolated { self?.end() }
        }
        Task { [weak self] in
            await Task.yield()
            self?.end()
        }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        URLContexts.forEach { open($0.url) }
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { scene.userActivity }

    private func open(_ url: URL) { print(url) }

    private func end() {
        guard stretch != .invalid else { return }
        UIApplication.shared.endBackgroundTask(stretch)
        stretch = .invalid
    }
}
