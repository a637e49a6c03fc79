import BackgroundTasks
import UIKit

/// Switches continued processing on and off while it runs, as an application's own switch does: off cancels the request, on
/// submits it again. It is told what to do by notifications.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    static let job = "com.ex.app.job.1"
    private var open: [BGContinuedProcessingTask] = []
    private var count = 0

    nonisolated static func say(_ line: String) {
        let log = URL.documentsDirectory.appending(path: "log.txt").path
        let file = Foundation.open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        _ = (line + "\n").withCString { write(file, $0, strlen($0)) }
        close(file)
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.job, using: .main) { task in
            nonisolated(unsafe) let task = task
            MainActor.assumeIsolated { self.begin(task) }
        }
        // Completion handlers come on other threads: written here they must not belong to the main actor, as on iOS.
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { isGranted, _ in
            Self.say("authorized \(isGranted)")
        }
        return true
    }

    private func begin(_ task: BGTask) {
        guard let task = task as? BGContinuedProcessingTask else { return }
        count += 1
        let number = count
        task.progress.totalUnitCount = 10
        task.expirationHandler = {
            Self.say("expired \(number)")
            task.setTaskCompleted(success: false)
        }
        open.append(task)
        Self.say("began \(number)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler done: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let scheduler = BGTaskScheduler.shared
        switch userInfo["do"] as? String {
        case "on", "on at once":
            let request = BGContinuedProcessingTaskRequest(identifier: Self.job, title: "Export", subtitle: "")
            request.strategy = userInfo["do"] as? String == "on" ? .queue : .fail
            scheduler.submitTaskRequest(request) { error in
                Self.say((error as? BGTaskScheduler.Error).map { "refused \($0.code.rawValue)" } ?? "submitted")
            }
        case "off":
            scheduler.cancel(taskRequestWithIdentifier: Self.job)
            scheduler.getPendingTaskRequests { Self.say("pending \($0.count)") }
        case "move":
            open[0].progress.completedUnitCount += 1
            Self.say("moved \(open[0].progress.completedUnitCount)")
        default: open.removeFirst().setTaskCompleted(success: true)
        }
        done(.newData)
    }
}
