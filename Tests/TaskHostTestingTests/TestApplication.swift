import BackgroundTasks
import Synchronization
import TaskHostTesting
import Testing

/// The application under test: it registers a handler for each identifier, and keeps the tasks that it gets.
final class TestApplication: Sendable {
    static let refresh = "com.example.refresh"
    static let index = "com.example.index"
    private let held = Mutex<[BGTask]>([])
    private let reasons = Mutex<[Int]>([])

    /// The tasks that `hold` got, oldest first.
    var tasks: [BGTask] { held.withLock { $0 } }

    /// How often an expiration handler was called.
    var expirations: Int { reasons.withLock { $0.count } }

    /// Keeps the task, and completes it when it expires.
    func hold(_ task: BGTask) {
        task.expirationHandler = { [self] in
            reasons.withLock { $0.append(1) }
            task.setTaskCompleted(success: false)
        }
        held.withLock { $0.append(task) }
    }

    /// Keeps the task, and ignores its expiration.
    func ignore(_ task: BGTask) {
        task.expirationHandler = { [self] in reasons.withLock { $0.append(1) } }
        held.withLock { $0.append(task) }
    }

    /// Lets go of the tasks.
    func drop() { held.withLock { $0.removeAll() } }

    static func register(_ identifier: String, _ handler: @escaping (BGTask) -> Void) {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil, launchHandler: handler)
    }
}

/// A host for the length of `body`.
func withHost(
    _ tasks: [String: TestTaskKind] = [TestApplication.refresh: .appRefresh, TestApplication.index: .processing],
    backgroundModes: [String] = [], patience: Duration = .seconds(2),
    launching: @escaping @MainActor @Sendable () throws -> Void,
    _ body: (TestHost) async throws -> Void
) async throws {
    let host = try await TestHost(
        tasks: tasks, backgroundModes: backgroundModes, patience: patience, launching: launching)
    do {
        try await body(host)
    } catch {
        await host.close()
        throw error
    }
    await host.close()
}
