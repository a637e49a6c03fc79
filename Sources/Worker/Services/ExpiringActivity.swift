import Linux
import Synchronization

/// A function of the plugin that works for as long as there is background time (`performExpiringActivity`): it runs on its
/// own thread while an assertion is held, and is called a second time, concurrently, when the time is about to end.
final class ExpiringActivity: Sendable {
    private enum Step: Sendable {
        /// Its thread has not started it yet.
        case pending
        case working
        /// It was asked to stop, or had no time at the start, or has returned.
        case over
    }
    private let step = Mutex(Step.pending)
    private let body: @Sendable (_ isExpired: Bool) -> Void

    private init(_ body: @escaping @Sendable (Bool) -> Void) { self.body = body }

    /// Begins the activity for the code that called this executable.
    ///
    /// - Parameter reason: the name of its assertion.
    /// - Returns: false when no thread could be started: it was not called.
    static func begin(_ reason: UnsafePointer<CChar>, _ body: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Bool {
        let activity = ExpiringActivity(body)
        let assertion = unsafe WorkerProcess.assertions.begin(reason) { activity.warn() }
        let hasStarted = DetachedThread.start {
            if assertion == 0 { return body(true) }
            activity.work()
            _ = WorkerProcess.assertions.end(assertion)
        }
        if !hasStarted && assertion != 0 { _ = WorkerProcess.assertions.end(assertion) }
        return hasStarted
    }

    private func work() {
        let hasTime = step.withLock { step in
            guard step == .pending else { return false }
            step = .working
            return true
        }
        body(!hasTime)
        step.withLock { $0 = .over }
    }

    /// Its time is about to end: it is called concurrently. Without another thread, on this one.
    private func warn() {
        let isWorking = step.withLock { step in
            defer { step = .over }
            return step == .working
        }
        guard isWorking else { return }
        if !DetachedThread.start({ self.body(true) }) { body(true) }
    }
}
