import Record
import TaskModel
import Wire

/// A background session as the host holds it: who has it open, and what that process has to be told.
final class SessionRecord {
    let handle: SessionHandle
    let application: ApplicationIndex
    var stored: StoredSession
    /// Its transfers that its application has not taken note of, by `taskIdentifier`.
    var transfers: [UInt32: TransferHandle] = [:]
    /// The worker that has its object; nil: nobody.
    var opener: WorkerHandle?
    /// Numbers of transfers that the opener has still to be told of, which it asks for; and what the answer goes to.
    var unlisted: ArraySlice<UInt32> = []
    var callID: UInt32 = 0
    /// The opener knows the tasks that there are, and takes events.
    var isReplayed = false
    /// The opener wants to be asked whether servers are trusted, and has said so of these hosts.
    var asksServerTrust = false
    var trusted: Set<String> = []
    /// Ends that are to be told, in their order, and how many of them the opener was told.
    var ends: [TransferHandle] = []
    var told = 0
    /// What transfers wait to be answered: a challenge, or whether a delayed one may begin. Told the opener or not.
    var questions: [TransferHandle: (event: TransferEvent, isTold: Bool)] = [:]
    /// Events that the opener has not acknowledged, oldest first.
    var unacknowledged: [Unacknowledged] = []
    var lastSequence: UInt64 = 0
    /// The application was told to handle its events, and has not called the completion handler.
    var isHandled: WorkerHandle?
    /// That it has heard all of them is still to be said.
    var owesAllTold = false

    /// An event that was told.
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

    /// The number of the next event that is to be acknowledged.
    func number(_ transfer: TransferHandle?, _ step: Unacknowledged.Step) -> UInt64 {
        lastSequence += 1
        unacknowledged.append(Unacknowledged(sequence: lastSequence, transfer: transfer, step: step))
        return lastSequence
    }

    /// Nobody has it any more: what was told and not acknowledged is told again.
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
