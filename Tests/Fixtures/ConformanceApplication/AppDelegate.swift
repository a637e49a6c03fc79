import BackgroundTasks
import UIKit

/// An application that does what its tasks' settings say, one step after the other: `Steps` has the words.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    nonisolated static let key = DispatchSpecificKey<String>()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let queue = DispatchQueue(label: "Q")
        queue.setSpecific(key: Self.key, value: "Q")
        // Those that a manifest does not permit are refused, which is no misuse.
        let names = ["r1", "r2", "h1", "work", "wait"] + (1...11).map { "p\($0)" }
        for name in names { Self.register(name, on: name == "r1" ? queue : nil) }
        Trace.note("didFinishLaunching")
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { _ in Trace.note("didEnterBackground posted") }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { Trace.note("didBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { Trace.note("willResignActive") }
    func applicationWillEnterForeground(_ application: UIApplication) { Trace.note("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { Trace.note("willTerminate") }
    func applicationDidEnterBackground(_ application: UIApplication) {
        Trace.note("didEnterBackground")
        BackgroundSteps.shared.enter()
    }

    @discardableResult
    nonisolated static func register(_ name: String, on queue: DispatchQueue? = nil) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Steps.identifier(name), using: queue) { task in
            Steps(task).run()
        }
    }
}
