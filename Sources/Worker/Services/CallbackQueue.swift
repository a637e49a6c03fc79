import Linux
import Synchronization

/// Calls into the plugin that must come one after the other, apart from the threads that read the wire. They are made by
/// the thread that serves the queue, or by one that is started for the first of them.
final class CallbackQueue: Sendable {
    private struct State {
        /// Those before `first` were taken.
        var calls: [(@Sendable () -> Void)?] = []
        var first = 0
        /// Until it is open the calls are kept.
        var isOpen: Bool
        var isServed = false

        mutating func take() -> (@Sendable () -> Void)? {
            guard first < calls.count else { return nil }
            defer {
                calls[first] = nil
                first += 1
                if first == calls.count {
                    calls.removeAll(keepingCapacity: calls.count <= Self.mostKept)
                    first = 0
                }
            }
            return calls[first]
        }
        /// Calls that memory is kept for.
        private static let mostKept = 64
    }
    private let state: Mutex<State>
    /// Changed under the lock whenever a call comes.
    private let word = Futex()
    /// Changed whenever a call has returned.
    private let returns = Futex()
    /// Calls that have not returned. Adding orders nothing, since the lock passes the call on (relaxed); who sees 0 sees what the
    /// calls did.
    private let unreturned = Atomic<Int>(0)

    init(isOpen: Bool) { state = Mutex(State(isOpen: isOpen)) }

    /// Returns when all calls have returned. It costs nothing when none is under way.
    func waitForCalls() {
        while unreturned.load(ordering: .acquiring) > 0 {
            // A call that returns after the second check has changed the word, and the wait returns at once.
            let seen = returns.value
            if unreturned.load(ordering: .acquiring) > 0 { returns.wait(while: seen) }
        }
    }

    func add(_ call: @escaping @Sendable () -> Void) {
        unreturned.wrappingAdd(1, ordering: .relaxed)
        state.withLock { state in
            state.calls.append(call)
            word.advance()
        }
        word.wakeOne()
        startIfNeeded()
    }

    /// Lets the calls go out, on a thread of the queue's own.
    func open() {
        state.withLock { $0.isOpen = true }
        startIfNeeded()
    }

    private func startIfNeeded() {
        let starts = state.withLock { state in
            guard state.isOpen, !state.isServed, !state.calls.isEmpty else { return false }
            state.isServed = true
            return true
        }
        guard starts else { return }
        if !DetachedThread.start({ self.serve() }) { state.withLock { $0.isServed = false } }
    }

    /// Makes the calls on the calling thread, forever. A call that is added between the check and the wait has changed the
    /// word, and the wait returns at once (futex(2)).
    func serve() -> Never {
        while true {
            let (call, seen) = state.withLock { state -> ((@Sendable () -> Void)?, UInt32) in
                state.isOpen = true
                state.isServed = true
                return (state.take(), word.value)
            }
            guard let call else {
                word.wait(while: seen)
                continue
            }
            call()
            unreturned.wrappingSubtract(1, ordering: .releasing)
            returns.advance()
            returns.wakeAll()
        }
    }
}
