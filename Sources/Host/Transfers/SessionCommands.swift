import Engine
import JSON
import Record
import Setting
import TaskModel
import Transfers
import Wire

/// Workers' frames about background sessions: opened, closed, and commands for their transfers. Thread: the loop's.
final class SessionCommands {
    let sessions: SessionTable
    let ledger: TransferLedger
    let attempts: TransferAttempts
    let ends: TransferEnds
    let delivery: Delivery
    let credentials: Credentials
    let decider: Decider
    let place: HostPlace
    let keeper: RecordKeeper
    let installed: Installation
    let workers: WorkerEffects
    /// Transfers go. A host that only runs tasks begins with the first one that these make.
    var begin: () -> Void = {}
    /// The application's sessions of the record are here.
    var takeUp: (ApplicationIndex) throws(StoreError) -> Void = { _ throws(StoreError) in }

    init(
        _ place: HostPlace, _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation,
        _ workers: WorkerEffects, _ sessions: SessionTable, _ ledger: TransferLedger, _ attempts: TransferAttempts,
        _ ends: TransferEnds, _ delivery: Delivery, _ credentials: Credentials
    ) {
        self.place = place
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.workers = workers
        self.sessions = sessions
        self.ledger = ledger
        self.attempts = attempts
        self.ends = ends
        self.delivery = delivery
        self.credentials = credentials
    }

    // MARK: Sessions

    /// A worker opens a session.
    ///
    /// - Returns: the answer's frames, made when the turn is durable.
    func open(_ frame: OpenSession, by worker: WorkerRecord) -> (UInt32) -> [[UInt8]] {
        let application = worker.application
        guard !worker.isQuit else {
            return Self.refusal(
                .sessionInUse,
                "the user has quit \(installed.name(of: application)); its next process opens the session \(frame.identifier)"
            )
        }
        guard frame.identifier != SessionTable.own else {
            return Self.refusal(
                .sessionInUse, "the session \(SessionTable.own) is the host's own; use another identifier")
        }
        guard ProxyAddress.isSound(frame.options.proxy) else {
            return Self.refusal(
                .badURL, "the proxy of session \(frame.identifier) is no URL of a proxy; write http://host:port")
        }
        do throws(StoreError) { try takeUp(application) } catch {
            return Self.refusal(
                .unknown, "the record's sessions of \(installed.name(of: application)) cannot be read: \(error)")
        }
        if let known = sessions.named(frame.identifier, of: application) {
            if let opener = known.opener, opener != worker.handle, workers.table[opener]?.isGone == false {
                return Self.refusal(
                    .sessionInUse,
                    "another process of \(installed.name(of: application)) has the session \(frame.identifier)")
            }
            known.close()
            return join(known, frame, worker)
        }
        guard sessions.count(of: application) < TransferLimit.sessions else {
            return Self.refusal(
                .unknown, "the application has \(TransferLimit.sessions) background sessions; invalidate one first")
        }
        let stored = StoredSession(
            id: ledger.nextSession(), application: installed.name(of: application), identifier: frame.identifier,
            options: frame.options)
        let added = sessions.add(stored, of: application)
        sessions.noteChange(of: added)
        return join(added, frame, worker)
    }

    private static func refusal(_ error: TransferError, _ sentence: String) -> (UInt32) -> [[UInt8]] {
        var answer = SessionOpened()
        answer.fault = error
        answer.sentence = sentence
        return { [answer.frame(callID: $0)] }
    }

    private func join(
        _ session: SessionRecord, _ frame: OpenSession, _ worker: WorkerRecord
    ) -> (UInt32) -> [[UInt8]] {
        session.opener = worker.handle
        session.asksServerTrust = frame.asksServerTrust
        if session.stored.options != frame.options {
            session.stored.options = frame.options
            sessions.noteChange(of: session)
            let options = sessions.options(of: session.stored, session.application)
            decider.ask { $0.setOptions(of: session.handle, options, at: $1) }
        }
        session.unlisted = session.transfers.keys.sorted()[...]
        return { [unowned self] callID in
            session.callID = callID
            return list(session)
        }
    }

    /// A worker's command for a session that it has open.
    func command(_ frame: SessionCommand, by worker: WorkerRecord) {
        guard let session = sessions.numbered(frame.session, of: worker) else { return }
        switch frame.command {
        case .replay:
            session.isReplayed = true
            decider.ask { $0.open(session.handle, at: $1) }
            if session.isHandled == worker.handle { session.owesAllTold = true }
            attempts.observe(all: session)
            delivery.noteEvents(of: session)
        case .invalidate: invalidate(session)
        case .next:
            // Of what this turn writes, too.
            keeper.afterCommit { [unowned self] in
                guard session.opener == worker.handle, !session.unlisted.isEmpty else { return }
                for frame in list(session) { workers.table.tell(worker, frame) }
            }
        }
    }

    /// Its application has invalidated it. Unfinished transfers keep it.
    private func invalidate(_ session: SessionRecord) {
        guard session.transfers.isEmpty else { return close(session) }
        decider.ask { $0.removeSession(session.handle, at: $1) }
        sessions.remove(session)
        delivery.settleHandling(of: session)
    }

    /// The process that had it open has ended, or has closed it.
    func close(_ session: SessionRecord) {
        guard session.opener != nil else { return }
        session.close()
        attempts.observe(all: session)
        decider.ask { $0.close(session.handle, at: $1) }
    }
}
