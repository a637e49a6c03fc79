import Engine
import Record
package import TaskModel
import Transfers
import Wire

// Sessions: opened by workers, and closed when these end.
extension TransferHub {
    /// A worker opens a session.
    ///
    /// - Returns: the answer's frames, made when the turn is durable.
    func open(_ frame: OpenSession, by worker: WorkerRecord) -> (UInt32) -> [[UInt8]] {
        let application = worker.application
        guard !worker.isQuit else {
            return Self.refusal(
                .sessionInUse,
                "the user has quit \(name(of: application)); its next process opens the session \(frame.identifier)")
        }
        guard frame.identifier != Self.ownSession else {
            return Self.refusal(
                .sessionInUse, "the session \(Self.ownSession) is the host's own; use another identifier")
        }
        guard ProxyAddress.isSound(frame.options.proxy) else {
            return Self.refusal(
                .badURL, "the proxy of session \(frame.identifier) is no URL of a proxy; write http://host:port")
        }
        if let known = session(frame.identifier, of: application) {
            if let opener = known.opener, opener != worker.handle, workers.table[opener]?.isGone == false {
                return Self.refusal(
                    .sessionInUse, "another process of \(name(of: application)) has the session \(frame.identifier)")
            }
            known.close()
            return join(known, frame, worker)
        }
        guard names[application]?.count ?? 0 < TransferLimit.sessions else {
            return Self.refusal(
                .unknown, "the application has \(TransferLimit.sessions) background sessions; invalidate one first")
        }
        numbers.session += 1
        let stored = StoredSession(
            id: numbers.session, application: name(of: application), identifier: frame.identifier,
            options: frame.options)
        let added = add(stored, of: application)
        changedSessions.insert(added.handle)
        return join(added, frame, worker)
    }

    private static func refusal(_ error: TransferError, _ sentence: String) -> (UInt32) -> [[UInt8]] {
        var answer = SessionOpened()
        answer.fault = error
        answer.sentence = sentence
        return { [answer.frame(callID: $0)] }
    }

    /// Takes a session into the tables: a new one, or one of the record.
    func add(_ stored: StoredSession, of application: ApplicationIndex) -> SessionRecord {
        let handle = decider.transfers.addSession(options(of: stored, application))
        let session = SessionRecord(handle: handle, application: application, stored: stored)
        sessions[handle] = session
        places[handle.index] = handle
        let isFirst = names[application]?.isEmpty ?? true
        names[application, default: [:]][stored.identifier] = handle
        // Changes of an application without sessions are not followed.
        if isFirst { self.application(application, isIn: decider.engine.state(of: application)) }
        return session
    }

    private func options(of stored: StoredSession, _ application: ApplicationIndex) -> NewSession {
        var new = NewSession(application: application)
        new.isDiscretionary = stored.options.isDiscretionary
        // A library that is not an application could not receive events.
        let isApplication = installed.applications[application].library?.isApplication == true
        new.sendsLaunchEvents = stored.options.sendsLaunchEvents && isApplication && place.schedules
        new.allowsExpensive = stored.options.allowsExpensive
        new.allowsConstrained = stored.options.allowsConstrained
        // Transfers that users add have no session with a limit: the host's configuration has one.
        let isOwn = stored.identifier == Self.ownSession
        new.connectionsPerHost = isOwn ? .max : max(1, stored.options.connectionsPerHost)
        new.resourceTimeout = stored.options.resourceTimeout
        new.awaitsHandling = stored.awaitsHandling
        return new
    }

    private func join(
        _ session: SessionRecord, _ frame: OpenSession, _ worker: WorkerRecord
    ) -> (UInt32) -> [[UInt8]] {
        session.opener = worker.handle
        session.asksServerTrust = frame.asksServerTrust
        if session.stored.options != frame.options {
            session.stored.options = frame.options
            changedSessions.insert(session.handle)
            let options = options(of: session.stored, session.application)
            ask { $0.setOptions(of: session.handle, options, at: $1) }
        }
        session.unlisted = session.transfers.keys.sorted()[...]
        return { [unowned self] callID in
            session.callID = callID
            return list(session)
        }
    }

    /// A worker's command for a session that it has open.
    func command(_ frame: SessionCommand, by worker: WorkerRecord) {
        guard let session = session(frame.session, of: worker) else { return }
        switch frame.command {
        case .replay:
            session.isReplayed = true
            ask { $0.open(session.handle, at: $1) }
            if session.isHandled == worker.handle { session.owesAllTold = true }
            for (handle, attempt) in attempts where transfers[handle]?.session == session.handle {
                observe(handle, attempt)
            }
            talking.insert(session.handle)
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
        ask { $0.removeSession(session.handle, at: $1) }
        letGo(of: session)
        changedSessions.remove(session.handle)
        keeper.write(.sessionForgotten(session.stored.id))
        settleHandling(of: session)
    }

    private func letGo(of session: SessionRecord) {
        sessions[session.handle] = nil
        places[session.handle.index] = nil
        names[session.application]?[session.stored.identifier] = nil
    }

    /// The process that had it open has ended, or has closed it.
    private func close(_ session: SessionRecord) {
        guard session.opener != nil else { return }
        session.close()
        for (handle, attempt) in attempts where transfers[handle]?.session == session.handle {
            observe(handle, attempt)
        }
        ask { $0.close(session.handle, at: $1) }
    }

    /// The worker has ended: its sessions are free again, and events that it was to handle are not handled.
    func forget(_ worker: WorkerHandle, of application: ApplicationIndex) {
        guard names[application] != nil else { return }
        for session in sessions(of: application) where session.opener == worker { close(session) }
        for handle in handling.removeValue(forKey: worker) ?? [] {
            guard let session = sessions[handle] else { continue }
            session.isHandled = nil
            ask { $0.eventsHandled(handle, inTime: false, at: $1) }
        }
        // It was launched for them, and ended before it could be called; unless it is launched once more.
        guard decider.engine.state(of: application) == .notRunning, !decider.engine.awaitsSessions(application) else {
            return
        }
        launchedForEvents.remove(application)
        for handle in wanted.removeValue(forKey: application) ?? [] {
            ask { $0.eventsHandled(handle, inTime: false, at: $1) }
        }
    }

    // MARK: Waking

    /// The application has to handle the session's events: the engine resumes or launches it.
    func wake(_ handle: SessionHandle) {
        guard let session = sessions[handle] else { return }
        if !session.stored.awaitsHandling {
            session.stored.awaitsHandling = true
            changedSessions.insert(handle)
        }
        if decider.engine.state(of: session.application) == .notRunning {
            launchedForEvents.insert(session.application)
        }
        wanted[session.application, default: []].append(handle)
        decider.hear(.sessionEvents(application: session.application))
    }

    /// A worker of the application runs: it is called for sessions with events.
    func tellSessions(_ worker: WorkerHandle) {
        guard let record = workers.table[worker] else { return }
        let due = wanted.removeValue(forKey: record.application) ?? []
        let isLaunched = launchedForEvents.remove(record.application) != nil
        for handle in due {
            guard let session = sessions[handle] else { continue }
            noteEvents(of: session, isLaunched)
            session.isHandled = worker
            session.owesAllTold = session.opener == worker && session.isReplayed
            handling[worker, default: []].insert(handle)
            workers.table.tell(record, SessionEvents(identifier: session.stored.identifier).frame(.sessionEvents))
            talking.insert(handle)
        }
        if handling[worker] == nil { decider.hear(.sessionsHandled(worker)) }
    }

    /// The application has called the completion handler.
    func handled(_ identifier: String, by worker: WorkerRecord) {
        guard let session = session(identifier, of: worker.application), session.isHandled == worker.handle else {
            return
        }
        session.stored.awaitsHandling = false
        changedSessions.insert(session.handle)
        ask { $0.eventsHandled(session.handle, inTime: true, at: $1) }
        settleHandling(of: session)
    }

    private func settleHandling(of session: SessionRecord) {
        guard let worker = session.isHandled else { return }
        session.isHandled = nil
        session.owesAllTold = false
        handling[worker]?.remove(session.handle)
        guard handling[worker]?.isEmpty == true else { return }
        handling[worker] = nil
        decider.hear(.sessionsHandled(worker))
    }

    // MARK: Applications

    /// The application's state is another one.
    func application(_ application: ApplicationIndex, isIn state: ApplicationState) {
        guard names[application] != nil else { return }
        let standing: TransferStanding =
            switch state {
            case .active, .inactive: .foreground
            case .background: .background
            case .suspended: .suspended
            case .notRunning: .notRunning
            }
        ask { $0.setStanding(of: application, standing, at: $1) }
        guard standing == .foreground || standing == .background else { return }
        for session in sessions(of: application) where session.isReplayed { talking.insert(session.handle) }
    }

    /// The user quits it: all its transfers are cancelled, and it receives that when the user has opened it again.
    package func quit(_ application: ApplicationIndex) {
        // A worker that is ending would receive the ends, and no later one.
        for worker in workers.table.living where worker.application == application { worker.isQuit = true }
        guard names[application] != nil else { return }
        wanted[application] = nil
        launchedForEvents.remove(application)
        // The process that ends receives nothing about it.
        for session in sessions(of: application) { close(session) }
        for session in sessions(of: application) where session.stored.awaitsHandling {
            session.stored.awaitsHandling = false
            changedSessions.insert(session.handle)
        }
        ask { $0.quit(application, at: $1) }
    }
}
