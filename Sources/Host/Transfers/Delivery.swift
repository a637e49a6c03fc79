import Engine
import Record
import Setting
import TaskModel
import Transferring
import Transfers
import Wire
import Workers

/// Events for applications: questions, progress, and ends, which follow from the record and are delivered at least once, in order,
/// so many at a time until they are acknowledged. Thread: the loop's.
final class Delivery {
    /// Sessions with events to deliver once the turn is durable.
    private var talking: Set<SessionHandle> = []
    /// Sessions whose applications are launched for their events, and which are called when there is a process.
    private var wanted: [ApplicationIndex: [SessionHandle]] = [:]
    /// Applications whose processes are launched for them.
    private var launchedForEvents: Set<ApplicationIndex> = []
    /// Sessions whose completion handlers a worker has not called.
    private var handling: [WorkerHandle: Set<SessionHandle>] = [:]
    private let sessions: SessionTable
    private let ledger: TransferLedger
    private let journal: TransferJournal
    private let decider: Decider
    private let keeper: RecordKeeper
    private let workers: WorkerEffects

    /// A worker with this much unread data gets no further progress.
    private static let progressBacklog = 32 << 10

    init(
        _ sessions: SessionTable, _ ledger: TransferLedger, _ journal: TransferJournal, _ decider: Decider,
        _ keeper: RecordKeeper, _ workers: WorkerEffects
    ) {
        self.sessions = sessions
        self.ledger = ledger
        self.journal = journal
        self.decider = decider
        self.keeper = keeper
        self.workers = workers
        workers.tellSessions = { [unowned self] in callForEvents($0) }
    }

    // MARK: The turn

    /// The session has something to deliver.
    func noteEvents(of session: SessionRecord) { talking.insert(session.handle) }

    /// Delivers what is due once this turn is durable.
    func write() {
        guard !talking.isEmpty else { return }
        let due = talking
        talking.removeAll(keepingCapacity: true)
        keeper.afterCommit { [unowned self] in
            for handle in due { if let session = sessions[handle] { talk(session) } }
        }
    }

    /// Nothing waits for the next turn.
    var isSettled: Bool { talking.isEmpty }

    // MARK: Telling

    /// The process that has the session, if it takes events at present.
    func listener(of session: SessionRecord) -> WorkerRecord? {
        guard session.isReplayed, let opener = session.opener, let record = workers.table[opener], !record.isGone,
            !record.isFrozen
        else { return nil }
        return record
    }

    /// Sends the session's opener everything undelivered: ends in order, questions, and that this is all. Their turn is
    /// durable.
    private func talk(_ session: SessionRecord) {
        guard let worker = listener(of: session), !isAboutToBeAnnounced(session) else { return }
        while session.told < session.ends.count, session.unacknowledged.count < SessionRecord.window {
            // One that is not recorded yet is delivered by its own turn.
            guard tellEnd(of: session.ends[session.told], session, worker) else { break }
            session.told += 1
        }
        for (handle, question) in session.questions where !question.isTold {
            session.questions[handle]?.isTold = true
            tell(question.event, of: ledger[handle]?.number ?? 0, sequence: 0, session, worker)
        }
        guard session.owesAllTold, session.told == session.ends.count else { return }
        session.owesAllTold = false
        tell(.allTold, of: 0, sequence: session.number(nil, .allTold), session, worker)
    }

    /// Its application was launched for the session's events, and its process has yet to receive that, although it has the
    /// session open: it may have opened it on its own. The events follow.
    private func isAboutToBeAnnounced(_ session: SessionRecord) -> Bool {
        session.stored.awaitsHandling && session.isHandled == nil
            && wanted[session.application]?.contains(session.handle) == true
    }

    private func tellEnd(of handle: TransferHandle, _ session: SessionRecord, _ worker: WorkerRecord) -> Bool {
        guard let transfer = ledger[handle], transfer.isEndRecorded, var end = transfer.stored.end else { return false }
        let stored = transfer.stored
        if stored.request.kind == .download {
            end.expectedReceive = stored.progress.total
        } else {
            end.expectedSend = stored.progress.source?.size
        }
        if !end.file.isEmpty, !stored.isFileTaken {
            let event: TransferEvent =
                stored.request.kind == .download ? .downloaded(path: end.file) : .answered(path: end.file)
            tell(event, of: transfer.number, sequence: session.number(handle, .file), session, worker)
        }
        if transfer.wantsResumeData {
            tell(.resumeData(end.resumeData), of: transfer.number, sequence: 0, session, worker)
        }
        tell(.completed(end), of: transfer.number, sequence: session.number(handle, .completion), session, worker)
        return true
    }

    private func tell(
        _ event: TransferEvent, of number: UInt32, sequence: UInt64, _ session: SessionRecord, _ worker: WorkerRecord
    ) {
        Failpoint.pass(.transferTell)
        let frame = TransferEventFrame(session: session.handle.index, number: number, sequence: sequence, event)
        workers.table.tell(worker, frame.frame())
    }

    /// Sends an event that is useless later: it may be lost.
    func tellNow(_ event: TransferEvent, of handle: TransferHandle) {
        guard let transfer = ledger[handle], let session = sessions[transfer.session],
            let worker = listener(of: session)
        else { return }
        tell(event, of: transfer.number, sequence: 0, session, worker)
    }

    /// Tells the session's opener that a new task is over, which the record does not take.
    func refuse(_ number: UInt32, _ refusal: TransferRefusal, of session: SessionRecord) {
        guard let worker = listener(of: session) else { return }
        var end = TransferEnd(at: decider.now.time, order: 0, error: refusal.error)
        end.sentence = refusal.sentence
        tell(.completed(end), of: number, sequence: 0, session, worker)
    }

    func tellProgress(of handle: TransferHandle, _ attempt: TransferAttempt) {
        guard let transfer = ledger[handle], let session = sessions[transfer.session],
            let worker = listener(of: session), worker.channel.backlog < Self.progressBacklog
        else { return }
        let isDownload = attempt.kind == .download
        tell(
            .progress(
                received: attempt.progress.received, expectedReceive: isDownload ? attempt.progress.total : nil,
                sent: attempt.progress.sent, expectedSend: isDownload ? nil : attempt.size),
            of: transfer.number, sequence: 0, session, worker)
    }

    /// Whether progress of the transfer is needed.
    func isObserved(_ transfer: OpenTransfer) -> Bool {
        if transfer.isWatched(at: decider.now.instant) { return true }
        guard let session = sessions[transfer.session] else { return false }
        return session.isReplayed && session.opener != nil
    }

    /// Asks the application something about the transfer, which waits for the answer.
    func ask(_ question: TransferEvent, of handle: TransferHandle) {
        guard let transfer = ledger[handle], let session = sessions[transfer.session] else { return }
        session.questions[handle] = (question, false)
        noteEvents(of: session)
    }

    /// Nobody has answered it.
    func withdrawQuestion(of handle: TransferHandle) {
        guard let transfer = ledger[handle], let session = sessions[transfer.session] else { return }
        session.questions[handle] = nil
        journal.noteUnanswered(transfer.stored, session.application)
    }

    // MARK: Calling applications

    /// The application has to handle the session's events: the engine resumes or launches it.
    func wake(_ handle: SessionHandle) {
        guard let session = sessions[handle] else { return }
        if !session.stored.awaitsHandling {
            session.stored.awaitsHandling = true
            sessions.noteChange(of: session)
        }
        if decider.state(of: session.application) == .notRunning {
            launchedForEvents.insert(session.application)
        }
        wanted[session.application, default: []].append(handle)
        decider.hear(.sessionEvents(application: session.application))
    }

    /// A worker of the application runs: it is called for sessions with events.
    private func callForEvents(_ worker: WorkerHandle) {
        guard let record = workers.table[worker] else { return }
        let due = wanted.removeValue(forKey: record.application) ?? []
        let isLaunched = launchedForEvents.remove(record.application) != nil
        for handle in due {
            guard let session = sessions[handle] else { continue }
            journal.noteEvents(of: session, isLaunched: isLaunched)
            session.isHandled = worker
            session.owesAllTold = session.opener == worker && session.isReplayed
            handling[worker, default: []].insert(handle)
            workers.table.tell(record, SessionEvents(identifier: session.stored.identifier).frame(.sessionEvents))
            noteEvents(of: session)
        }
        if handling[worker] == nil { decider.hear(.sessionsHandled(worker)) }
    }

    /// The application has called the completion handler.
    func handled(_ identifier: String, by worker: WorkerRecord) {
        guard let session = sessions.named(identifier, of: worker.application), session.isHandled == worker.handle
        else { return }
        session.stored.awaitsHandling = false
        sessions.noteChange(of: session)
        decider.ask { $0.eventsHandled(session.handle, inTime: true, at: $1) }
        settleHandling(of: session)
    }

    func settleHandling(of session: SessionRecord) {
        guard let worker = session.isHandled else { return }
        session.isHandled = nil
        session.owesAllTold = false
        handling[worker]?.remove(session.handle)
        guard handling[worker]?.isEmpty == true else { return }
        handling[worker] = nil
        decider.hear(.sessionsHandled(worker))
    }

    /// The worker has ended: events that it was to handle are not handled.
    func forget(_ worker: WorkerHandle, of application: ApplicationIndex) {
        for handle in handling.removeValue(forKey: worker) ?? [] {
            guard let session = sessions[handle] else { continue }
            session.isHandled = nil
            decider.ask { $0.eventsHandled(handle, inTime: false, at: $1) }
        }
        // It was launched for them, and ended before it could be called; unless it is launched once more.
        guard decider.state(of: application) == .notRunning, !decider.awaitsSessions(application) else {
            return
        }
        launchedForEvents.remove(application)
        for handle in wanted.removeValue(forKey: application) ?? [] {
            decider.ask { $0.eventsHandled(handle, inTime: false, at: $1) }
        }
    }

    /// The user has quit the application: it is not called.
    func forgetCalls(of application: ApplicationIndex) {
        wanted[application] = nil
        launchedForEvents.remove(application)
    }
}
