internal import Synchronization
internal import TaskHostRuntime

extension ProcessInfo {
    /// Runs `block` with false, on a queue of the framework, while the process is kept running without runs. When that time
    /// is up before it has returned, it is called a second time, concurrently, with true, and must make the first call
    /// return. When no time is left at the start it is called with true alone.
    /// - Parameters:
    ///   - reason: its purpose, for the host's journal.
    ///   - block: gets whether the time is up.
    public func performExpiringActivity(withReason reason: String, using block: @escaping (Bool) -> Void) {
        precondition(!reason.isEmpty, "performExpiringActivity: the reason must not be empty")
        let activity = ExpiringActivity(block: block)
        // Here, where the host can record the calling code.
        let assertion = Assertions.begin(reason, expired: { _ in activity.expire() })
        DispatchQueue.global().async { activity.run(assertion) }
    }
}

private final class ExpiringActivity: Sendable {
    nonisolated(unsafe) private let block: (Bool) -> Void  // made to be called from two threads at once
    private enum Stage { case waiting, running, over }
    private let stage = Mutex(Stage.waiting)

    init(block: @escaping (Bool) -> Void) {
        unsafe self.block = block
    }

    /// - Parameter assertion: nil: no time is left.
    func run(_ assertion: Int?) {
        guard let assertion else { return unsafe block(true) }
        let isInTime = stage.withLock { stage in
            guard stage == .waiting else { return false }
            stage = .running
            return true
        }
        unsafe block(!isInTime)
        stage.withLock { $0 = .over }
        _ = Assertions.end(assertion)
    }

    func expire() {
        let wasRunning = stage.withLock { stage in
            defer { stage = .over }
            return stage == .running
        }
        if wasRunning { DispatchQueue.global().async { [self] in unsafe block(true) } }
    }
}
