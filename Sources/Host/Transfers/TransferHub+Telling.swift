import Record
import TaskModel
import Transferring
import Transfers
import Wire
import Workers

// Events for applications. Ends follow from the record, and are delivered at least once, in order.
extension TransferHub {
    /// The process that has the session, if it takes events at present.
    private func listener(of session: SessionRecord) -> WorkerRecord? {
        guard session.isReplayed, let opener = session.opener, let record = workers.table[opener], !record.isGone,
            !record.isFrozen
        else { return nil }
        return record
    }

    /// Sends the session's opener everything undelivered: ends in order, questions, and that this is all. Their turn is
    /// durable.
    func talk(_ session: SessionRecord) {
        guard let worker = listener(of: session), !isAboutToBeAnnounced(session) else { return }
        while session.told < session.ends.count, session.unacknowledged.count < SessionRecord.window {
            // One that is not recorded yet is delivered by its own turn.
            guard tellEnd(of: session.ends[session.told], session, worker) else { break }
            session.told += 1
        }
        for (handle, question) in session.questions where !question.isTold {
            session.questions[handle]?.isTold = true
            tell(question.event, of: transfers[handle]?.number ?? 0, sequence: 0, session, worker)
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
        guard let record = transfers[handle], let stored = stored(handle), var end = stored.end else { return false }
        if stored.request.kind == .download {
            end.expectedReceive = stored.progress.total
        } else {
            end.expectedSend = stored.progress.source?.size
        }
        if !end.file.isEmpty, !record.isFileTaken {
            let event: TransferEvent =
                stored.request.kind == .download ? .downloaded(path: end.file) : .answered(path: end.file)
            tell(event, of: record.number, sequence: session.number(handle, .file), session, worker)
        }
        if record.wantsResumeData {
            tell(.resumeData(end.resumeData), of: record.number, sequence: 0, session, worker)
        }
        tell(.completed(end), of: record.number, sequence: session.number(handle, .completion), session, worker)
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
        guard let record = transfers[handle], let session = sessions[record.session],
            let worker = listener(of: session)
        else { return }
        tell(event, of: record.number, sequence: 0, session, worker)
    }

    /// Tells the session's opener that a new task is over, which the record does not take.
    func refuse(_ number: UInt32, _ refusal: TransferRefusal, of session: SessionRecord) {
        guard let worker = listener(of: session) else { return }
        var end = TransferEnd(at: now.time, order: 0, error: refusal.error)
        end.sentence = refusal.sentence
        tell(.completed(end), of: number, sequence: 0, session, worker)
    }

    /// A worker with this much unread data gets no further progress.
    private static let progressBacklog = 32 << 10

    func tellProgress(of handle: TransferHandle, _ record: TransferRecord, _ attempt: TransferAttempt) {
        guard let session = sessions[record.session], let worker = listener(of: session),
            worker.channel.backlog < Self.progressBacklog
        else { return }
        let isDownload = attempt.kind == .download
        tell(
            .progress(
                received: attempt.progress.received, expectedReceive: isDownload ? attempt.progress.total : nil,
                sent: attempt.progress.sent, expectedSend: isDownload ? nil : attempt.size),
            of: record.number, sequence: 0, session, worker)
    }

    // MARK: Watchers

    /// Whether progress is needed.
    func isObserved(_ record: TransferRecord, _ session: SessionRecord) -> Bool {
        record.isWatched(at: now.instant) || session.isReplayed && session.opener != nil
    }

    /// The first watcher has come, or the last one has gone.
    func observe(_ handle: TransferHandle, _ attempt: TransferAttempt) {
        guard let record = transfers[handle], let session = sessions[record.session] else { return }
        process.observe(isObserved(record, session), handle)
    }

    // MARK: Questions

    /// Asks whether the server is trusted, once for each host, if a process wants to be asked.
    func asksTrust(_ handle: TransferHandle, _ session: SessionRecord, _ stored: StoredTransfer) -> Bool {
        guard session.asksServerTrust, listener(of: session) != nil, let url = WebURL(stored.request.url),
            url.scheme == "https", !session.trusted.contains(url.host)
        else { return false }
        ask { _ = $0.attemptEnded(handle, .asks, at: $1) }
        ask(.challenge(TransferChallenge(.serverTrust, host: url.host, port: url.port, isSecure: true)), of: handle)
        return true
    }

    /// A server requires credentials: the application is asked, unless it has answered that it has none.
    func challenged(_ handle: TransferHandle, _ attempt: TransferAttempt, _ asked: TransferChallenge?) {
        // Its order said that the application has none; or that cannot be what a transfer process reports.
        guard let record = transfers[handle], record.failures < .max, var challenge = asked else {
            return end(handle, TransferRefusal(.userAuthenticationRequired, "the server wants credentials"), attempt)
        }
        challenge.failures = record.failures
        transfers[handle]?.failures = min(record.failures, .max - 2) + 1
        secrets[handle] = nil
        keeper.write(.transferProgress(record.id, attempt.progress))
        let url = stored(handle)?.request.url ?? ""
        let answer = sessions[record.session].map {
            renewals.renew(for: handle, of: $0.application, url: url, shown: attempt.shown, challenge)
        }
        switch answer {
        case .refused where sessions[record.session]?.stored.identifier == Self.ownSession:
            // No application could answer.
            end(
                handle,
                TransferRefusal(
                    .userAuthenticationRequired,
                    "the \(challenge.isProxy ? "proxy" : "server") wants credentials; \(challenge.host); "
                        + "add the transfer again with --header 'Authorization: …'"),
                attempt, status: challenge.isProxy ? 407 : 401)
        case .refused, nil:
            ask { _ = $0.attemptEnded(handle, .asks, at: $1) }
            ask(.challenge(challenge), of: handle)
        case .waits:
            // For the run, without launching an application.
            ask { $0.hold(handle, at: $1) }
            ask { _ = $0.attemptEnded(handle, .stopped, at: $1) }
        case .renewed:
            // Not counted as a failure of the renewed credential.
            transfers[handle]?.failures = record.failures
            ask { _ = $0.attemptEnded(handle, .stopped, at: $1) }
        }
    }

    /// The run that renews its credentials has ended: it continues, or its application is asked.
    func renewed(_ handle: TransferHandle, _ isRenewed: Bool) {
        // Without new ones the server asks again, and then it is the application's turn.
        if !isRenewed, let record = transfers[handle] { transfers[handle]?.failures = max(1, record.failures) }
        // The user may have paused it.
        guard let record = transfers[handle], (try? keeper.reader.transfer(record.id))?.transfer.isHeld != true else {
            return
        }
        ask { $0.release(handle, at: $1) }
    }
}

// Credentials that expire.
extension TransferHub {
    /// A handler has renewed what its application shows a server, or the foreign function of a run has.
    func setAuthorization(_ frame: SetAuthorization, of run: RunHandle, by worker: WorkerRecord) {
        let origin =
            frame.origin.isEmpty
            ? renewals.origin(of: run, in: worker.application) : WebURL(frame.origin)?.origin ?? frame.origin
        if let origin { setAuthorization(frame.value, for: origin, of: worker.application) }
    }

    private func setAuthorization(_ value: String, for origin: String, of application: ApplicationIndex) {
        guard !HTTPHeader("Authorization", value).isBroken else { return }
        let known = authorizations[application]?.count ?? 0
        guard value.isEmpty || known < TransferLimit.sessions || authorizations[application]?[origin] != nil else {
            return
        }
        authorizations[application, default: [:]][origin] = value.isEmpty ? nil : value
    }
}
