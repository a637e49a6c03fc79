internal import CTaskHost
import Foundation
internal import Synchronization
package import TaskHostRuntime

/// A run with its expiration handler. Owned by its BGTask.
package final class TaskWork: @unchecked Sendable {  // `state` is the only mutable part
    package let run: RunReference
    let queue: DispatchQueue

    private struct State {
        var handler: Handler?
        var isCompleted = false

        mutating func takeHandler() -> Handler? {
            defer { handler = nil }
            return handler
        }
    }
    /// Handed from thread to thread, called once.
    private struct Handler: @unchecked Sendable { let body: () -> Void }
    private let state = Mutex(State())

    init(_ run: RunReference, queue: DispatchQueue) {
        self.run = run
        self.queue = queue
    }

    /// The BGTask goes. Returns when no other thread is inside `expired` any more, so that this object may go as well.
    func dropped() {
        state.withLock { $0.isCompleted = true }
        unsafe run.setExpirationHandler(nil, context: nil)
        // Outside the lock: releasing the closure's captures may run any code.
        let handler = state.withLock { $0.takeHandler() }
        withExtendedLifetime(handler) {}
    }

    var expirationHandler: (() -> Void)? { state.withLock { $0.handler }?.body }

    func setExpirationHandler(_ body: (() -> Void)?) {
        let handler = body.map { Handler(body: $0) }
        let (old, isOpen) = state.withLock { state in
            guard !state.isCompleted else { return (nil, false) as (Handler?, Bool) }
            defer { state.handler = handler }
            return (state.handler, true)
        }
        withExtendedLifetime(old) {}
        guard isOpen else { return }
        if handler == nil {
            unsafe run.setExpirationHandler(nil, context: nil)
        } else {
            // A run that has expired already calls it within this call.
            unsafe run.setExpirationHandler(
                { context, _ in
                    guard let context = unsafe context else { return }
                    unsafe Unmanaged<TaskWork>.fromOpaque(context).takeUnretainedValue().expired()
                }, context: unsafe Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// The warning, on a thread of the worker's own. The handler runs on the task's queue; it is dropped when the task was
    /// completed before its turn came.
    private func expired() {
        let run = run
        queue.async { [weak self] in
            guard let handler = self?.state.withLock({ $0.takeHandler() }) else { return }
            run.working(handler.body)
        }
    }

    func complete(success: Bool) {
        let handler = state.withLock { state in
            state.isCompleted = true
            return state.takeHandler()
        }
        // The host first: it notes a second call, and the first one ends the run.
        if run.complete(success: success) { unsafe run.setExpirationHandler(nil, context: nil) }
        withExtendedLifetime(handler) {}
    }

    /// False when the host refused it: the task is then unchanged.
    package func complete(later seconds: Double) -> Bool {
        guard run.complete(later: seconds) else { return false }
        let handler = state.withLock { state in
            state.isCompleted = true
            return state.takeHandler()
        }
        unsafe run.setExpirationHandler(nil, context: nil)
        withExtendedLifetime(handler) {}
        return true
    }
}
