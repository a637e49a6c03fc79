internal import Synchronization
internal import TaskHostRuntime

extension ProcessInfo {
    /// Runs `block` with false, on a queue of the framework's own, while the process is kept from being ended for want of
    /// runs. When that time is up before it has returned, it is called a second time beside the first, with true, and has to
    /// make the first call return. With no time to give it is called with true alone.
    /// - Parameters:
    ///   - reason: what it is, for the host's journal.
    ///   - block: gets whether the time is up.
    public func performExpiringActivity(withReason reason: String, using block: @escaping (Bool) -> Void) {
        precondition(!reason.isEmpty, "performExpiringActivity: the reason must not be empty")
        let activity = ExpiringActivity(block: block)
        // Here, where the host sees who asks for it.
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

    /// - Parameter assertion: nil: there is no time.
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
