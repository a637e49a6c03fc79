import Record
import TaskModel

/// A background session in the host: the process that has it open, and that process's pending events.
final class SessionRecord {
    let handle: SessionHandle
    let application: ApplicationIndex
    var stored: StoredSession
    /// Its transfers that its application has not taken note of, by `taskIdentifier`.
    var transfers: [UInt32: TransferHandle] = [:]
    /// The worker that has it open; nil: none.
    var opener: WorkerHandle?
    /// Numbers of transfers that are still to be listed to the opener, on its request, and the call that the answer
    /// belongs to.
    var unlisted: ArraySlice<UInt32> = []
    var callID: UInt32 = 0
    /// The opener knows the existing tasks, and receives events.
    var isReplayed = false
    /// The opener wants to be asked about server trust, and has accepted these hosts.
    var asksServerTrust = false
    var trusted: Set<String> = []
    /// Ends to deliver, in order, and how many of them the opener has received.
    var ends: [TransferHandle] = []
    var told = 0
    /// Questions of waiting transfers: a challenge, or whether a delayed one may begin. Delivered to the opener or not.
    var questions: [TransferHandle: (event: TransferEvent, isTold: Bool)] = [:]
    /// Events that the opener has not acknowledged, oldest first.
    var unacknowledged: [Unacknowledged] = []
    var lastSequence: UInt64 = 0
    /// The application was called to handle its events, and has not called the completion handler.
    var isHandled: WorkerHandle?
    /// It has yet to receive that all events were delivered.
    var owesAllTold = false

    /// A delivered event.
    struct Unacknowledged {
        enum Step { case file, completion, allTold }
        var sequence: UInt64
        var transfer: TransferHandle?
        var step: Step
    }

    /// Events that a process may have unacknowledged; the rest waits.
    static let window = 64

    init(handle: SessionHandle, application: ApplicationIndex, stored: StoredSession) {
        self.handle = handle
        self.application = application
        self.stored = stored
    }

    /// The number of the next event to acknowledge.
    func number(_ transfer: TransferHandle?, _ step: Unacknowledged.Step) -> UInt64 {
        lastSequence += 1
        unacknowledged.append(Unacknowledged(sequence: lastSequence, transfer: transfer, step: step))
        return lastSequence
    }

    /// It has no opener any more: unacknowledged events will be delivered again.
    func close() {
        opener = nil
        isReplayed = false
        unlisted = []
        unacknowledged.removeAll()
        told = 0
        for transfer in questions.keys { questions[transfer]?.isTold = false }
        owesAllTold = false
        asksServerTrust = false
        trusted.removeAll()
    }
}
