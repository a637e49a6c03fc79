import CLinux
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
    /// Futex word, changed under the lock whenever a call comes.
    nonisolated(unsafe) private let word: UnsafeMutablePointer<UInt32>
    /// Futex word, changed whenever a call has returned.
    nonisolated(unsafe) private let returns: UnsafeMutablePointer<UInt32>
    /// Calls that have not returned.
    private let unreturned = Atomic<Int>(0)

    init(isOpen: Bool) {
        state = Mutex(State(isOpen: isOpen))
        word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        word.initialize(to: 0)
        returns = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        returns.initialize(to: 0)
    }

    /// Returns when all calls have returned. It costs nothing when none is under way.
    func waitForCalls() {
        while unreturned.load(ordering: .acquiring) > 0 {
            // One that returns behind the second look has changed the word, and the wait returns at once.
            let seen = state.withLock { _ in returns.pointee }
            if unreturned.load(ordering: .acquiring) > 0 { _ = clinux_futex_wait(returns, seen, -1) }
        }
    }

    func add(_ call: @escaping @Sendable () -> Void) {
        unreturned.wrappingAdd(1, ordering: .relaxed)
        state.withLock { state in
            state.calls.append(call)
            word.pointee &+= 1
        }
        _ = clinux_futex_wake(word, 1)
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

    /// Makes the calls on the calling thread, for ever. A call that is added between the look and the wait has changed the
    /// word, and the wait returns at once (futex(2)).
    func serve() -> Never {
        while true {
            let (call, seen) = state.withLock { state -> ((@Sendable () -> Void)?, UInt32) in
                state.isOpen = true
                state.isServed = true
                return (state.take(), word.pointee)
            }
            guard let call else {
                _ = clinux_futex_wait(word, seen, -1)
                continue
            }
            call()
            unreturned.wrappingSubtract(1, ordering: .releasing)
            state.withLock { _ in returns.pointee &+= 1 }
            _ = clinux_futex_wake(returns, Int32.max)
        }
    }
}
