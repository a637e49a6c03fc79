public import BackgroundTasks
internal import Synchronization

extension BGTask {
    /// Runs `body` and completes the task: with success when it returns, without when it throws. When the run expires, the
    /// Swift task that runs `body` is cancelled.
    /// - Returns: the Swift task.
    @discardableResult
    public func perform(_ body: @escaping @Sendable (BGTask) async throws -> Void) -> Task<Void, Never> {
        // First: expiration may precede the creation of the Swift task.
        let cancellation = Cancellation()
        expirationHandler = { cancellation.cancel() }
        let work = Task {
            do {
                try await body(self)
                setTaskCompleted(success: true)
            } catch {
                setTaskCompleted(success: false)
            }
        }
        cancellation.follow(work)
        return work
    }
}

extension BGTaskScheduler {
    /// Registers a task's handler as a function that may wait and throw: returning completes the task with success, throwing
    /// without, and expiration cancels it.
    /// - Parameters:
    ///   - identifier: one that the manifest permits.
    ///   - body: gets every run of the task.
    /// - Returns: false when the manifest does not permit the identifier.
    @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String, performing body: @escaping @Sendable (BGTask) async throws -> Void
    ) -> Bool {
        register(forTaskWithIdentifier: identifier, using: nil) { task in task.perform(body) }
    }
}

/// Cancels a Swift task that may not exist yet.
private final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var work: Task<Void, Never>?
    }
    private let state = Mutex(State())

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.work?.cancel()
        }
    }

    func follow(_ work: Task<Void, Never>) {
        state.withLock { state in
            state.work = work
            if state.isCancelled { work.cancel() }
        }
    }
}
