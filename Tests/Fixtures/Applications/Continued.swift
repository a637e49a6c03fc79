import BackgroundTasks
import os

/// Registers and submits continued processing long after launch, and moves its progress.
@main struct App {
    static let logger = Logger()

    static func main() { registerHandlers() }

    static func registerHandlers() {
        let scheduler = BGTaskScheduler.shared
        logger.log("gpu \(BGTaskScheduler.supportedResources.contains(.gpu))")
        scheduler.register(forTaskWithIdentifier: "com.ex.app.start", using: nil) { task in
            let known = scheduler.register(forTaskWithIdentifier: "com.ex.app.job.7", using: .main) { task in
                guard let task = task as? BGContinuedProcessingTask else { return }
                work(task)
            }
            let far = scheduler.register(forTaskWithIdentifier: "com.ex.app.job.a.b", using: nil) { _ in }
            logger.log("known \(known) far \(far)")
            let request = BGContinuedProcessingTaskRequest(
                identifier: "com.ex.app.job.7", title: "Export", subtitle: "Starting")
            request.strategy = .fail
            request.requiredResources = .gpu
            do { try scheduler.submit(request) } catch { logger.error("\("\(error)", privacy: .public)") }
            task.setTaskCompleted(success: true)
        }
        // The handler of every identifier that the pattern stands for.
        scheduler.register(forTaskWithIdentifier: "com.ex.app.batch.*", using: nil) { task in
            logger.log("by pattern \(task.identifier, privacy: .public)")
            if let task = task as? BGContinuedProcessingTask { move(task.progress) }
            task.setTaskCompleted(success: true)
        }
        scheduler.register(forTaskWithIdentifier: "com.ex.app.pattern", using: nil) { task in
            let request = BGContinuedProcessingTaskRequest(
                identifier: "com.ex.app.batch.\(UUID().uuidString.prefix(0))9", title: "Batch", subtitle: "")
            do { try scheduler.submit(request) } catch { logger.error("\("\(error)", privacy: .public)") }
            task.setTaskCompleted(success: true)
        }
    }

    /// By a child alone.
    static func move(_ progress: Progress) {
        progress.totalUnitCount = 2
        let part = Progress(totalUnitCount: 4, parent: progress, pendingUnitCount: 2)
        let observation = progress.observe(\.fractionCompleted, options: .new) { _, change in
            logger.log("observed \(change.newValue ?? -1)")
        }
        part.completedUnitCount = 1
        part.completedUnitCount = 4
        observation.invalidate()
    }

    static func work(_ task: BGContinuedProcessingTask) {
        logger.log("title \(task.title, privacy: .public)")
        task.progress.totalUnitCount = 4
        task.progress.completedUnitCount += 1
        task.updateTitle("Export", subtitle: "1 of 4")
        task.progress.completedUnitCount = 4
        task.setTaskCompleted(success: true)
    }
}
