import BackgroundTasks
import UIKit.UIApplication

extension BGTaskScheduler.Error.Code: @retroactive CustomStringConvertible {
    /// The code as a number.
    public var description: String { "code \(rawValue)" }
}

extension BGAppRefreshTask {
    /// Calls the framework's own with another closure type.
    static func register(
        _ identifier: String, queue: dispatch_queue_t? = nil, run: @escaping (BGAppRefreshTask) -> Bool
    ) {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: queue) { task in
            guard let task = task as? BGAppRefreshTask else { return }
            task.setTaskCompleted(success: run(task))
        }
    }
}

extension BGTaskScheduler {
    func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue? = nil,
        launchHandler: @escaping (BGProcessingTask) -> Void
    ) {
        let handler: (BGTask) -> Void = { task in
            if let task = task as? BGProcessingTask { launchHandler(task) }
        }
        register(forTaskWithIdentifier: identifier, using: queue, launchHandler: handler)
    }
}

func status() -> Bool { UIApplication.shared.backgroundRefreshStatus == .available }
