import BackgroundTasks
import os

/// One handler for all kinds, chosen by the class of the task.
final class Dispatcher: @unchecked Sendable {
    private let handled = OSAllocatedUnfairLock(initialState: [String: Int]())
    private let gate = OSAllocatedUnfairLock()

    func registerAll(_ identifiers: [String]) -> [String: Bool] {
        var results: [String: Bool] = [:]
        for identifier in identifiers {
            results[identifier] = BGTaskScheduler.shared.register(
                forTaskWithIdentifier: identifier, using: DispatchQueue(label: "com.example.\(identifier)"),
                launchHandler: { [weak self] task in self?.dispatch(task) })
        }
        return results
    }

    private func dispatch(_ task: BGTask) {
        let identifier = task.identifier
        let count = handled.withLock { handled in
            handled[identifier, default: 0] += 1
            return handled[identifier]
        }
        gate.lock()
        defer { gate.unlock() }
        print(identifier, count ?? 0, gate.lockIfAvailable())
        switch task {
        case let refresh as BGAppRefreshTask: finish(refresh, after: 1)
        case let processing as BGProcessingTask: finish(processing, after: 10)
        default: task.setTaskCompleted(success: false)
        }
    }

    private func finish(_ task: BGTask, after seconds: TimeInterval) {
        let item = DispatchWorkItem { task.setTaskCompleted(success: true) }
        task.expirationHandler = {
            item.cancel()
            task.setTaskCompleted(success: false)
        }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds, execute: item)
    }
}
