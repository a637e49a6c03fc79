import CLinux
import CTaskHost
import Synchronization
import TaskModel
import Wire

/// What this process knows of its application's state, and the assertions that it holds.
final class ApplicationLife: Sendable {
    private struct Assertion: @unchecked Sendable {  // the plugin's context goes to a thread of ours by contract
        var id: UInt64
        var expired: taskhost_assertion_fn?
        var context: UnsafeMutableRawPointer?
    }
    private struct Assertions {
        var held: [Assertion] = []
        var lastID: UInt64 = 0
        /// The end of background time that their handlers were called for: none begins before another one is told.
        var warnedFor: Instant?
    }
    /// Until the host tells: a worker is launched in the background.
    private let status = Mutex(ApplicationStatus(state: .background))
    private let assertions = Mutex(Assertions())
    /// The handlers of assertions are called here, one after the other.
    private let expirations = CallbackQueue(isOpen: true)
    private let told = Mutex<ApplicationState?>(nil)

    /// What the host told last.
    var current: ApplicationStatus { status.withLock { $0 } }

    /// Takes what holds while the application is launched. It is told of that state all the same, afterwards.
    func prepare(_ first: ApplicationStatus) { status.withLock { $0 = first } }

    /// Takes what the host tells; true when the application has not been told of that state last.
    func set(_ new: ApplicationStatus) -> Bool {
        status.withLock { $0 = new }
        return told.withLock { told in
            defer { told = new.state }
            return told != new.state
        }
    }

    // MARK: Assertions

    /// An id that is never 0, or 0 when background time is over or too many are held.
    func begin(_ expired: taskhost_assertion_fn?, _ context: UnsafeMutableRawPointer?) -> UInt64 {
        nonisolated(unsafe) let context = context
        let status = current
        return assertions.withLock { assertions in
            guard assertions.held.count < ServiceLimits.assertions else { return 0 }
            if !status.isForeground {
                guard status.backgroundEnd.nanoseconds > clinux_monotonic_ns() else { return 0 }
                guard assertions.warnedFor != status.backgroundEnd else { return 0 }
            }
            assertions.warnedFor = nil
            assertions.lastID += 1
            assertions.held.append(Assertion(id: assertions.lastID, expired: expired, context: context))
            tell(assertions)
            return assertions.lastID
        }
    }

    /// How many are held.
    var held: UInt32 { assertions.withLock { UInt32($0.held.count) } }

    /// False for an id that is not held.
    func end(_ id: UInt64) -> Bool {
        assertions.withLock { assertions in
            guard let place = assertions.held.firstIndex(where: { $0.id == id }) else { return false }
            assertions.held.remove(at: place)
            tell(assertions)
            return true
        }
    }

    /// Sent under the lock: the last count that the host hears is the true one.
    private func tell(_ assertions: Assertions) {
        WorkerProcess.wire.send(AssertionCount(count: UInt32(assertions.held.count)).frame())
    }

    /// Background time is about to end: calls the handlers of what is held, oldest first, each once.
    func expire() {
        let end = current.backgroundEnd
        let ids = assertions.withLock { assertions in
            assertions.warnedFor = end
            return assertions.held.map(\.id)
        }
        for id in ids { expirations.add { self.expire(id) } }
    }

    private func expire(_ id: UInt64) {
        let found = assertions.withLock { assertions -> Assertion? in
            guard let place = assertions.held.firstIndex(where: { $0.id == id }) else { return nil }
            defer { assertions.held[place].expired = nil }
            return assertions.held[place]
        }
        if let found { found.expired?(found.context) }
    }

    /// Seconds until background time ends.
    func backgroundTimeRemaining(_ runs: RunTable) -> Double {
        let status = current
        guard !status.isForeground else { return .greatestFiniteMagnitude }
        // No end of its own while runs go on: then theirs is what is left.
        let end = status.backgroundEnd < .distantFuture ? status.backgroundEnd : runs.latestDeadline ?? .distantFuture
        guard end < .distantFuture else { return .greatestFiniteMagnitude }
        return (end - Instant(nanoseconds: clinux_monotonic_ns())).seconds
    }
}

extension ApplicationStatus {
    var isForeground: Bool { state == .active || state == .inactive }
}
