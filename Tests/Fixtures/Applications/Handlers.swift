import BackgroundTasks
import TaskHostExtensions
import os

/// A value that takes its time to be made: a thread that asks meanwhile waits for the one that makes it.
enum Lazy {
    static let hasBegun = DispatchSemaphore(value: 0)
    static let value: Int = {
        hasBegun.signal()
        Thread.sleep(forTimeInterval: 0.1)  // until the other one waits
        return 7
    }()
}

/// Registers handlers that print what they see, in the run's log.
@main struct App {
    static let key = DispatchSpecificKey<String>()
    static let logger = Logger()

    static func main() { registerHandlers() }

    static func registerHandlers() {
        let scheduler = BGTaskScheduler.shared
        logger.notice("absent \(scheduler.register(forTaskWithIdentifier: "com.ex.app.absent", using: nil) { _ in })")

        let queue = DispatchQueue(label: "Q")
        queue.setSpecific(key: key, value: "Q")
        scheduler.register(forTaskWithIdentifier: "com.ex.app.r1", using: queue) { task in
            task.expirationHandler = {
                os_log("expiration sees %{public}@", DispatchQueue.getSpecific(key: key))
                os_log("handler is left: %{public}@", "\(task.expirationHandler != nil)")
                os_log("reason %{public}@", task.expirationReason.map { "\($0.rawValue)" })
                task.setTaskCompleted(success: false)
            }
            os_log("handler sees %{public}@", DispatchQueue.getSpecific(key: key))
        }
        nonisolated(unsafe) var busy = 0
        scheduler.register(forTaskWithIdentifier: "com.ex.app.p1", using: nil) { task in
            busy += 1
            logger.log("main \(Thread.isMainThread) together \(busy)")
            Thread.sleep(forTimeInterval: 0.02)
            busy -= 1
            task.setTaskCompleted(success: true)
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.main", using: .main) { task in
            MainActor.assumeIsolated { logger.log("main \(Thread.isMainThread)") }
            Task { @MainActor in
                logger.log("still main \(Thread.isMainThread)")
                task.setTaskCompleted(success: true)
            }
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.lazy", using: .main) { task in
            let hasSeen = DispatchSemaphore(value: 0)
            Thread {
                Lazy.hasBegun.wait()
                if Lazy.value == 7 { hasSeen.signal() }
            }.start()
            let isMade = Lazy.value == 7
            hasSeen.wait()
            task.setTaskCompleted(success: isMade)
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.twice", using: nil) { task in
            task.expirationHandler = { logger.log("ran after completion") }
            task.setTaskCompleted(success: true)
            task.setTaskCompleted(success: false)
            logger.log("cleared \(task.expirationHandler == nil)")
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.silent", using: nil) { task in
            logger.log("running")
            Task {
                try? await Task.sleep(for: .seconds(3600))
                task.setTaskCompleted(success: true)
            }
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.later", using: nil) { task in
            task.expirationHandler = { logger.log("ran after completion") }
            logger.log("bad \([.nan, 0, -1, 8 * 86_400].map { task.setTaskDeferred(for: $0) }, privacy: .public)")
            let isTaken = task.setTaskDeferred(for: 90)
            logger.log(
                "deferred \(isTaken) again \(task.setTaskDeferred(for: 1)) cleared \(task.expirationHandler == nil)")
            task.setTaskCompleted(success: true)
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.dropped", using: nil) { _ in }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.async") { task in
            logger.log("size \(String(decoding: task.settings, as: UTF8.self), privacy: .public) try \(task.attempt)")
            task.showProgress(completed: 1, of: 2, text: "half")
            try await Task.sleep(for: .seconds(3600))
        }
    }
}
