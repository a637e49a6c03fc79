import BackgroundTasks
import UIKit

/// Prints what it is called for, and writes it into the file `trace` of its state folder, a line each.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    static func note(_ line: String) {
        let file = open(URL.documentsDirectory.appending(path: "trace").path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        let line = line + (Thread.isMainThread ? "" : " off the main thread")
        print(line)
        let text = Array((line + "\n").utf8)
        _ = write(file, text, text.count)
        close(file)
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Self.note("willFinishLaunching")
        let names = [
            UIApplication.didFinishLaunchingNotification,
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            UIApplication.willTerminateNotification, UIScene.willConnectNotification,
            UIScene.didDisconnectNotification, UIScene.didActivateNotification, UIScene.willDeactivateNotification,
            UIScene.didEnterBackgroundNotification, UIScene.willEnterForegroundNotification,
        ]
        for name in names {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                Self.note(note.name.rawValue)
            }
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Self.note("didFinishLaunching")
        return BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p1", using: .main) { task in
            Self.note("event")
            task.setTaskCompleted(success: true)
        }
    }

    func applicationDidBecomeActive(_ application: UIApplication) { Self.note("didBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { Self.note("willResignActive") }
    func applicationDidEnterBackground(_ application: UIApplication) { Self.note("didEnterBackground") }
    func applicationWillEnterForeground(_ application: UIApplication) { Self.note("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { Self.note("willTerminate") }
}

/// The delegate of its scene where the manifest says so.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) { AppDelegate.note("scene willConnect") }
    func sceneDidDisconnect(_ scene: UIScene) { AppDelegate.note("sceneDidDisconnect") }
    func sceneDidBecomeActive(_ scene: UIScene) { AppDelegate.note("sceneDidBecomeActive") }
    func sceneWillResignActive(_ scene: UIScene) { AppDelegate.note("sceneWillResignActive") }
    func sceneWillEnterForeground(_ scene: UIScene) { AppDelegate.note("sceneWillEnterForeground") }
    func sceneDidEnterBackground(_ scene: UIScene) { AppDelegate.note("sceneDidEnterBackground") }
}
