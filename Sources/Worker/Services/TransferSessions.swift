import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// The background sessions that this process has open, and the delivery of their events.
final class TransferSessions: Sendable {
    // The plugin's function and context go to a thread of ours by contract.
    // By contract function and context live as long as the process.
    @safe private struct Session: @unchecked Sendable {
        let identifier: String
        let event: taskhost_transfer_event_fn
        let context: UnsafeMutableRawPointer?
        /// The number of its next transfer.
        var next: UInt32
    }
    private struct State {
        var open: [UInt32: Session] = [:]
        /// Of sessions that are open, or about to be.
        var identifiers: Set<String> = []
    }
    private let state = Mutex(State())
    /// Events are delivered here, in order, while another thread reads the wire.
    private let events = CallbackQueue(isOpen: true)

    // MARK: Opening and closing

    /// Opens a session, and waits for the host's answer.
    ///
    /// - Returns: nil: this process has it open already.
    func open(
        _ question: OpenSession, _ event: taskhost_transfer_event_fn, _ context: UnsafeMutableRawPointer?
    ) -> SessionOpened? {
        guard state.withLock({ $0.identifiers.insert(question.identifier).inserted }) else { return nil }
        WorkerProcess.prepareToWait()
        guard case .session(let answer) = WorkerProcess.questions.ask({ question.frame(callID: $0) }) else {
            // The reply to another request: this host cannot be trusted.
            ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
        }
        let session = unsafe Session(identifier: question.identifier, event: event, context: context, next: answer.next)
        state.withLock { state in
            if answer.fault == nil {
                state.open[answer.session] = session
            } else {
                state.identifiers.remove(question.identifier)
            }
        }
        return answer
    }

    /// Closes a session; false when it is not open.
    func close(_ session: UInt32) -> Bool {
        state.withLock { state in
            guard let closed = state.open.removeValue(forKey: session) else { return false }
            state.identifiers.remove(closed.identifier)
            // Under the lock: the host receives an end before another beginning.
            WorkerProcess.wire.send(SessionCommand(session: session, .invalidate).frame())
            return true
        }
    }

    // MARK: Saying

    /// Sends a frame about a session; false when it is not open.
    func tell(_ session: UInt32, _ frame: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.open[session] != nil else { return false }
            // Under the lock: the host receives nothing about a session after its end.
            WorkerProcess.wire.send(frame)
            return true
        }
    }

    /// Makes a transfer.
    ///
    /// - Parameter request: nil: it cannot be sent, but uses up a number.
    /// - Returns: its number, and whether it was sent to the host; nil when the session is not open.
    func create(_ session: UInt32, _ request: TransferRequest?) -> (number: UInt32, isTold: Bool)? {
        state.withLock { state in
            guard let number = state.open[session]?.next else { return nil }
            state.open[session]?.next += 1
            let frame = request.flatMap { CreateTransfer(session: session, number: number, request: $0).frame() }
            guard let frame, frame.count <= FrameHeader.longestFromWorker else { return (number, false) }
            // Under the lock: numbers grow.
            WorkerProcess.wire.send(frame)
            return (number, true)
        }
    }

    // MARK: Hearing

    /// Takes an event from the host; it is delivered soon, on a separate thread.
    func take(_ frame: TransferEventFrame) {
        events.add {
            // It may have been closed by now.
            guard let session = self.state.withLock({ $0.open[frame.session] }) else { return }
            unsafe frame.withC { unsafe session.event(session.context, $0) }
        }
    }

    /// Events that come from now on wait until the calls that are under way have returned.
    func hold(until calls: CallbackQueue) {
        events.add { calls.waitForCalls() }
    }
}
