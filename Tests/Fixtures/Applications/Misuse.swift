import BackgroundTasks
import os

/// Misuses the framework, each way in a separate run.
@main struct App {
    static func main() { registerHandlers() }

    static func registerHandlers() {
        let scheduler = BGTaskScheduler.shared
        for name in ["late", "twice", "unregistered", "absent"] {
            scheduler.register(forTaskWithIdentifier: "com.ex.app.\(name)", using: nil) { task in
                misuse(name)
                os_log("continued")
                task.setTaskCompleted(success: true)
            }
        }
    }

    static func misuse(_ name: String) {
        let scheduler = BGTaskScheduler.shared
        switch name {
        case "late": scheduler.register(forTaskWithIdentifier: "com.ex.app.p1", using: nil) { _ in }
        case "twice": scheduler.register(forTaskWithIdentifier: "com.ex.app.late", using: nil) { _ in }
        case "unregistered": submit("com.ex.app.p1")
        default: submit("com.ex.app.nowhere")
        }
    }

    static func submit(_ identifier: String) {
        do {
            try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: identifier))
        } catch BGTaskScheduler.Error.notPermitted {
            os_log("not permitted")
        } catch {
            os_log("another error: %{public}@", "\(error)")
        }
    }
}
