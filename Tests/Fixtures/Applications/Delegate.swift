import UIKit
import os

/// Prints what an application delegate and an observer of notifications receive, and asks for background time.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var stretch = UIBackgroundTaskIdentifier.invalid

    override init() {
        super.init()
        say("init")
    }

    private func say(_ text: String) {
        let state = UIApplication.shared.applicationState
        print(text, state == .active ? "active" : state == .inactive ? "inactive" : "background", Thread.isMainThread)
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        say("willFinishLaunching")
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say("didFinishLaunching")
        let names = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            UIApplication.willTerminateNotification,
        ]
        for name in names {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                self.say(note.name.rawValue)
            }
        }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { say("didBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { say("willResignActive") }
    func applicationWillEnterForeground(_ application: UIApplication) { say("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { say("willTerminate") }

    func applicationDidEnterBackground(_ application: UIApplication) {
        say("didEnterBackground")
        print("remaining", application.backgroundTimeRemaining)
        guard stretch == .invalid else { return }
        stretch = application.beginBackgroundTask(withName: "saving") { [weak self] in
            guard let self else { return }
            say("time is up")
            application.endBackgroundTask(stretch)
            application.endBackgroundTask(stretch)
            stretch = .invalid
        }
        let leaked = application.beginBackgroundTask {}
        print("valid", stretch != .invalid, leaked != stretch)
        ProcessInfo().performExpiringActivity(withReason: "sync") { expired in
            print("activity", expired)
            guard !expired else { return }
            // Tells the test that the first call is under way.
            application.endBackgroundTask(application.beginBackgroundTask(withName: "inside"))
            Thread.sleep(forTimeInterval: 0.3)
        }
    }
}

/// Hears what the application delegate does not when the manifest names it.
final class SceneDelegate: NSObject, UISceneDelegate {
    private func say(_ event: String, _ scene: UIScene) {
        print(event, scene.activationState, UIApplication.shared.connectedScenes.contains(scene))
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) { say("scene willConnect", scene) }
    func sceneWillEnterForeground(_ scene: UIScene) { say("scene willEnterForeground", scene) }
    func sceneDidBecomeActive(_ scene: UIScene) { say("scene didBecomeActive", scene) }
    func sceneWillResignActive(_ scene: UIScene) { say("scene willResignActive", scene) }
    func sceneDidEnterBackground(_ scene: UIScene) { say("scene didEnterBackground", scene) }
    func sceneDidDisconnect(_ scene: UIScene) { say("scene didDisconnect", scene) }
}
