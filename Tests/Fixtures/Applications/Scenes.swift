import UIKit

/// An application with scenes, as Xcode's template begins one. Prints what it receives.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    static func say(_ words: Any...) {
        let state = UIApplication.shared.applicationState
        print("heard", words.map { "\($0)" }.joined(separator: " "), "in", state, Thread.isMainThread)
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Self.say("didFinishLaunching", application.connectedScenes.count)
        let names = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            UIApplication.willTerminateNotification, UIScene.willConnectNotification,
            UIScene.didDisconnectNotification, UIScene.didActivateNotification, UIScene.willDeactivateNotification,
            UIScene.didEnterBackgroundNotification, UIScene.willEnterForegroundNotification,
        ]
        for name in names {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                let isOfScene = note.object is UIScene
                MainActor.assumeIsolated { Self.say(name.rawValue, isOfScene) }
            }
        }
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        Self.say("configurationForConnecting", options.urlContexts.count)
        let configuration = UISceneConfiguration(
            name: "Default Configuration", sessionRole: connectingSceneSession.role)
        if Bundle.main.infoDictionary?["CFBundleName"] as? String == "in code" {
            configuration.delegateClass = SceneDelegate.self
            configuration.sceneClass = OwnScene.self
        }
        return configuration
    }

    // None of these is called.
    func applicationDidBecomeActive(_ application: UIApplication) { Self.say("applicationDidBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { Self.say("applicationWillResignActive") }
    func applicationDidEnterBackground(_ application: UIApplication) { Self.say("applicationDidEnterBackground") }
    func applicationWillEnterForeground(_ application: UIApplication) { Self.say("applicationWillEnterForeground") }

    func applicationWillTerminate(_ application: UIApplication) {
        Self.say("applicationWillTerminate", application.connectedScenes.count)
    }
}

final class OwnScene: UIWindowScene {}

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    private func say(_ event: String, _ scene: UIScene) { AppDelegate.say(event, scene.activationState) }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        say("willConnect", scene)
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
        let application = UIApplication.shared
        let found = application.connectedScenes.compactMap { $0 as? UIWindowScene }.flatMap(\.windows)
        print("windows", found == [window], application.windows == [window], scene.keyWindow === window)
        print(
            "session", session.scene === scene, session.role == .windowApplication,
            session.configuration.name ?? "unnamed", type(of: scene), application.openSessions == [session])
    }

    func sceneDidDisconnect(_ scene: UIScene) { say("didDisconnect", scene) }
    func sceneDidBecomeActive(_ scene: UIScene) { say("didBecomeActive", scene) }
    func sceneWillResignActive(_ scene: UIScene) { say("willResignActive", scene) }
    func sceneWillEnterForeground(_ scene: UIScene) { say("willEnterForeground", scene) }
    func sceneDidEnterBackground(_ scene: UIScene) { say("didEnterBackground", scene) }
}
