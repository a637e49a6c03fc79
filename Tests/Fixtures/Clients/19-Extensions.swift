import BackgroundTasks
import TaskHostExtensions

/// What taskhost adds to the framework.
@main struct App {
    static func main() { registerHandlers() }

    static func registerHandlers() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.feed") { task in
            struct Settings: Decodable { var feeds: [String] }
            let settings = try JSONDecoder().decode(Settings.self, from: task.settings)
            for (index, feed) in settings.feeds.enumerated() {
                task.showProgress(completed: Int64(index), of: Int64(settings.feeds.count), text: feed)
                try Task.checkCancellation()
            }
            print(task.stateDirectory.path, task.attempt, task.timeRemaining)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.sync", using: nil) { task in
            guard task.timeRemaining > 5 else {
                task.setTaskDeferred(for: 600)
                return
            }
            task.expirationHandler = {
                if task.expirationReason == .powerLost { print("unplugged") }
                task.setTaskCompleted(success: false)
            }
        }
    }
}
