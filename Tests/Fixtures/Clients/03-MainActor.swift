import BackgroundTasks
import UIKit
import os

@MainActor
final class BackgroundCoordinator {
    static let shared = BackgroundCoordinator()
    private let logger = Logger(subsystem: "com.example", category: "background")
    private var running: Task<Void, Never>?

    func start() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.sync", using: .main) { [weak self] task in
            MainActor.assumeIsolated {
                self?.run(task)
            }
        }
    }

    private func run(_ task: BGTask) {
        logger.info("Starting \(task.identifier, privacy: .public), \(UIApplication.shared.backgroundTimeRemaining)")
        running = Task { [weak self] in
            await self?.sync()
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { [weak self] in
            Task { @MainActor in self?.running?.cancel() }
            task.setTaskCompleted(success: false)
        }
    }

    private func sync() async { await Task.yield() }
}
