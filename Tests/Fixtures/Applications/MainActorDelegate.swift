import BackgroundTasks
import UIKit
import os

@MainActor
final class Model {
    static let shared = Model()
    var calls = 0
}

/// A delegate that reaches the main actor's state without waiting, from its initialiser to its end.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let model = Model.shared

    override init() {
        super.init()
        model.calls += 1
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        model.calls += 1
        // Made in a method of the main actor, called off the main thread.
        return BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p1", using: nil) { task in
            os_log("handler main %{public}@", "\(Thread.isMainThread)")
            self.run(task)
        }
    }

    func applicationDidEnterBackground(_ application: UIApplication) { tell() }
    func applicationWillTerminate(_ application: UIApplication) { tell() }

    private func tell() {
        MainActor.preconditionIsolated()
        model.calls += 1
        print("calls", model.calls, Thread.isMainThread)
    }

    private func run(_ task: BGTask) {
        Task {
            model.calls += 1
            os_log("task main %{public}@", "\(Thread.isMainThread)")
            task.setTaskCompleted(success: true)
        }
    }
}
