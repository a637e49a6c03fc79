import CTaskHost
import Synchronization

/// Calls of the host to handle a background session's events, from the call to the application's answer.
package enum SessionHandling {
    private struct Done: @unchecked Sendable { let body: () -> Void }  // handed over, called once
    private struct State {
        /// Sessions that this process has open.
        var open: Set<String> = []
        /// Sessions that the host has called for without having delivered all events.
        var awaited: Set<String> = []
        var whenTold: [String: [Done]] = [:]
    }
    private static let state = Mutex(State())

    /// A session is open, and will receive all of its events.
    package static func opened(_ session: String) { _ = state.withLock { $0.open.insert(session) } }

    /// A session is open no more.
    package static func closed(_ session: String) { settle(session) { _ = $0.open.remove(session) } }

    /// All events of the session were delivered.
    package static func told(_ session: String) { settle(session) { _ = $0 } }

    /// The host has called for a session's events, and has not delivered all of them.
    package static func isAwaited(_ session: String) -> Bool { state.withLock { $0.awaited.contains(session) } }

    /// Calls `body` when all events of a session were delivered; at once when it is not open.
    package static func whenTold(_ session: String, _ body: @escaping () -> Void) {
        let done = Done(body: body)
        let waits = state.withLock { state in
            guard state.open.contains(session), state.awaited.contains(session) else { return false }
            state.whenTold[session, default: []].append(done)
            return true
        }
        if !waits { body() }
    }

    static func forget() { state.withLock { $0 = State() } }

    private static func settle(_ session: String, _ change: (inout State) -> Void) {
        let done = state.withLock { state in
            state.awaited.remove(session)
            change(&state)
            return state.whenTold.removeValue(forKey: session) ?? []
        }
        for done in done { done.body() }
    }

    /// The host calls.
    /// - Returns: the completion handler for the application.
    static func begin(_ session: String) -> () -> Void {
        _ = state.withLock { $0.awaited.insert(session) }
        let isAnswered = Answered()
        return {
            guard isAnswered.setFirst() else {
                return Diagnostic.write(
                    "the completion handler of handleEventsForBackgroundURLSession was called more than once for "
                        + "\(session); the first call counts; call it once")
            }
            DefaultsDomains.flush()
            _ = unsafe ConnectedHost.current?.transfers?.pointee.session_handled(session)
        }
    }

    private final class Answered: Sendable {
        /// Decides who is first, and publishes nothing: relaxed.
        private let value = Atomic(false)
        func setFirst() -> Bool { !value.exchange(true, ordering: .relaxed) }
    }
}
