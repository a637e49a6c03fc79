import Linux
import Record
import Setting
import TaskModel
import Transferring
import Transfers
import Wire

/// Attempts of transfers: orders for the transfer process, its reports, and what follows from them. Thread: the loop's.
final class TransferAttempts {
    private var attempts: [TransferHandle: TransferAttempt] = [:]
    /// What could not be begun: it ends with the next turn.
    private var refused: [(transfer: TransferHandle, why: TransferRefusal)] = []
    let process: TransferProcess
    let decider: Decider
    let sessions: SessionTable
    let ledger: TransferLedger
    private let parts: TransferParts
    let delivery: Delivery
    let credentials: Credentials
    let ends: TransferEnds
    private let announcer: Announcer
    /// Reads the free disk space.
    var lookAtSpace: () -> Void = {}

    init(
        _ process: TransferProcess, _ decider: Decider, _ sessions: SessionTable, _ ledger: TransferLedger,
        _ parts: TransferParts, _ delivery: Delivery, _ credentials: Credentials, _ ends: TransferEnds,
        _ announcer: Announcer
    ) {
        self.process = process
        self.decider = decider
        self.sessions = sessions
        self.ledger = ledger
        self.parts = parts
        self.delivery = delivery
        self.credentials = credentials
        self.ends = ends
        self.announcer = announcer
        credentials.renewals.renewed = { [unowned self] in renewed($0, $1) }
    }

    // MARK: Looking

    subscript(handle: TransferHandle) -> TransferAttempt? { attempts[handle] }

    var all: [TransferHandle: TransferAttempt] { attempts }

    /// Bytes of a transfer's file so far; nil: there is no folder for it.
    func size(of id: Int64, _ application: ApplicationIndex) -> Int64? {
        (try? parts.folder(of: application))?.size(of: id)
    }

    /// Nothing waits for the next turn.
    var isSettled: Bool { refused.isEmpty }

    /// Adds progress to the turn's record.
    func write() {
        for (handle, attempt) in attempts where attempt.isDirty {
            attempts[handle]?.isDirty = false
            ledger.remember(attempt.progress, of: handle)
        }
    }

    // MARK: Watchers

    /// The first watcher of a transfer has come, or the last one has gone.
    func observe(_ handle: TransferHandle) {
        guard attempts[handle] != nil, let transfer = ledger[handle] else { return }
        process.observe(delivery.isObserved(transfer), handle)
    }

    /// The process that has the session open has come or gone.
    func observe(all session: SessionRecord) {
        for handle in attempts.keys where ledger[handle]?.session == session.handle { observe(handle) }
    }

    // MARK: Beginning and stopping

    /// The policy starts a transfer, which is recorded.
    func begin(_ handle: TransferHandle) {
        guard decider.isUnderWay(handle), attempts[handle] == nil, let transfer = ledger[handle],
            let session = sessions[transfer.session]
        else { return }
        Failpoint.pass(.transferBegin)
        lookAtSpace()
        guard !asksTrust(handle, transfer, session) else { return }
        do throws(TransferRefusal) {
            try order(handle, transfer, session)
        } catch {
            attempts[handle] = nil
            // From here on it has this end: what comes until the next turn, such as a cancellation, gives it no other.
            decider.ask { _ = $0.attemptEnded(handle, .finished, at: $1) }
            refused.append((handle, error))
        }
    }

    /// Ends transfers that could not begin, within a turn: an end must be recorded before it is delivered.
    ///
    /// - Returns: false: there was none.
    func endRefused() -> Bool {
        guard !refused.isEmpty else { return false }
        let due = refused
        refused.removeAll()
        for (handle, refusal) in due { ends.end(handle, refusal) }
        return true
    }

    /// The policy stops an attempt. One that waits for its turn to be durable does not begin at all.
    func stop(_ handle: TransferHandle) {
        guard attempts[handle] == nil else { return process.stop(handle) }
        decider.ask { _ = $0.attemptEnded(handle, .stopped, at: $1) }
    }

    /// The policy ends a transfer: it was cancelled, or has had its time. An attempt is stopped first.
    func decidedEnd(of handle: TransferHandle, _ error: TransferError, _ reason: TransferCancelReason?) {
        guard attempts[handle] != nil else { return ends.end(handle, error, reason, nil) }
        attempts[handle]?.end = (error, reason)
        process.stop(handle)
    }

    /// Its row is set aside: what is under way for it has no end to report.
    func abandon(_ handle: TransferHandle) {
        if attempts.removeValue(forKey: handle) != nil { process.stop(handle) }
    }

    private func order(
        _ handle: TransferHandle, _ transfer: OpenTransfer, _ session: SessionRecord
    ) throws(TransferRefusal) {
        let (request, application) = (transfer.stored.request, session.application)
        var attempt = TransferAttempt(kind: request.kind, progress: transfer.stored.progress)
        var order = TransferOrder(transfer: handle, kind: request.kind, url: request.url, method: request.method)
        order.headers = request.headers
        order.timeout = request.timeout ?? session.stored.options.requestTimeout
        order.priority = request.priority
        order.proxy = session.stored.options.proxy
        order.sha256 = request.sha256 ?? []
        order.isObserved = delivery.isObserved(transfer)
        order.rate = decider.transferRate(of: handle)
        order.room = decider.transferRoom(for: handle)
        order.acceptsChallenge = transfer.failures == .max
        attempt.shown = credentials.authorize(&order, handle, of: application)
        try credentials.trust(&order, of: application)
        var source: Descriptor?
        if request.kind == .upload {
            let opened = try parts.openReadable(request.file, of: application)
            try identify(opened, request.file, &attempt)
            if attempt.progress.attempts == 0, let data = UploadResumeData(request.resumeData),
                let facts = try? FileSystem.facts(of: opened), data.fits(request, facts)
            {
                attempt.progress.uploadLocation = data.location
            }
            source = consume opened
        }
        do throws(SystemError) {
            let folder = try parts.folder(of: application)
            if attempt.progress.attempts == 0, request.kind == .download {
                try parts.adoptResumeData(transfer, &attempt, folder, of: application)
            }
            let file = try folder.open(transfer.id)
            if request.kind == .upload {
                order.total = attempt.size
                order.sizeLimit = TransferLimit.answerBody
                order.upload = request.usesTus ? .tus : .resumable
                order.uploadLocation = attempt.progress.uploadLocation
            } else {
                let size = Int64(clamping: try FileSystem.facts(of: file).size)
                order.offset = attempt.progress.validator.isEmpty ? 0 : size
                order.validator = order.offset > 0 ? attempt.progress.validator : ""
                order.durable = min(order.offset, attempt.progress.durable)
                order.total = attempt.progress.total
                order.sizeLimit = Int64(clamping: parts.quotas.budget(of: application).bytes)
                let total = order.total ?? request.expectedReceive.flatMap { $0 > 0 ? $0 : nil }
                if let sentence = parts.reserve(
                    transfer.id, size: UInt64(clamping: size), total: total, of: application)
                {
                    attempt.progress.lastFault = sentence
                    return interrupted(handle, attempt, .noSpace)
                }
                if let room = parts.room(for: transfer.id, size: UInt64(clamping: size), of: application) {
                    attempt.isBounded = room < order.room
                    order.room = min(order.room, room)
                }
            }
            attempt.progress.attempts &+= 1
            attempt.progress.nextTry = nil
            attempts[handle] = attempt
            ledger.note(.changed, handle)
            try process.begin(order, file: file, folder: try folder.duplicate(), source: source)
        } catch {
            attempt.progress.lastFault = "the file of the transfer cannot be made; \(error)"
            attempts[handle] = nil
            switch error.code {
            case .ENOSPC:
                interrupted(handle, attempt, .noSpace)
                lookAtSpace()
            // The host is short of something, or its disk is unwell, which passes.
            case .EMFILE, .ENFILE, .ENOMEM, .EAGAIN, .EIO, .EROFS, .EUCLEAN, .ESTALE:
                interrupted(handle, attempt, .interrupted(isNetwork: false, after: nil))
            default: throw TransferRefusal(.cannotCreateFile, attempt.progress.lastFault)
            }
        }
    }

    /// Every attempt of an upload sends the same file: what one server has of it, and the next attempt sends, are of one piece.
    private func identify(
        _ file: borrowing Descriptor, _ path: String, _ attempt: inout TransferAttempt
    ) throws(TransferRefusal) {
        let facts: FileSystem.Facts
        do throws(SystemError) {
            facts = try FileSystem.facts(of: file)
        } catch {
            throw TransferRefusal(.noPermissionToReadFile, "the file to upload cannot be looked at; \(path); \(error)")
        }
        let found = UploadSource(size: Int64(clamping: facts.size), modified: facts.modified, inode: facts.inode)
        guard attempt.progress.source ?? found == found else {
            throw TransferRefusal(
                .uploadFileChanged,
                "the upload's file changed between two attempts; \(path); leave it as it is until the upload has ended")
        }
        attempt.isDirty = attempt.progress.source == nil
        attempt.progress.source = found
        attempt.size = found.size
    }

    // MARK: Reports

    func hear(_ report: TransferReport, of handle: TransferHandle) {
        guard var attempt = attempts[handle], let transfer = ledger[handle] else { return }
        switch report {
        case .answered(let response, let address, let offset, let total, let validator):
            attempt.response = response
            attempt.progress.address = address
            attempt.progress.status = response.status
            attempt.progress.url = response.url
            attempt.progress.validator = validator
            attempt.progress.total = total
            if attempt.kind == .download {
                attempt.progress.received = offset
                if offset == 0 { attempt.progress.durable = 0 }
                decider.ask {
                    $0.answered(
                        handle, needs: total.map { max(0, $0.subtractingWithSaturation(offset)) }, at: $1)
                }
            }
            attempt.isDirty = true
            attempts[handle] = attempt
            if transfer.failures != .max { transfer.failures = 0 }
            if attempt.kind == .download { grow(handle, size: offset, total: total) }
            if offset > 0 { delivery.tellNow(.resumed(offset: offset, total: total), of: handle) }
            delivery.tellNow(.response(response), of: handle)
        case .progress(let received, let sent):
            attempt.progress.received = received
            attempt.progress.sent = sent
            attempt.pace.take(attempt.kind == .download ? received : sent, at: decider.now.instant)
            attempts[handle] = attempt
            if attempt.kind == .download {
                decider.ask { queue, _ in queue.progressed(handle, received: received) }
                grow(handle, size: received, total: nil)
            } else {
                decider.ask { queue, _ in queue.progressed(handle) }
            }
            delivery.tellProgress(of: handle, attempt)
            // No client watches it any more.
            if transfer.watchedUntil != nil, !transfer.isWatched(at: decider.now.instant) {
                transfer.watchedUntil = nil
                observe(handle)
            }
        case .durable(let received):
            attempt.progress.durable = received
            attempt.progress.received = max(received, attempt.progress.received)
            attempt.isDirty = true
            attempts[handle] = attempt
            decider.ask { queue, _ in queue.progressed(handle, received: received) }
            if attempt.kind == .download { grow(handle, size: received, total: nil) }
            lookAtSpace()
        case .whole(let received):
            attempt.progress.received = received
            attempts[handle] = attempt
            decider.ask { queue, _ in queue.progressed(handle, received: received) }
            decider.ask { $0.whole(handle, at: $1) }
        case .uploadCreated(let location):
            attempt.progress.uploadLocation = location
            attempt.isDirty = true
            attempts[handle] = attempt
        case .informed(let response): delivery.tellNow(.informational(response), of: handle)
        case .ended(let result): hear(result, of: handle, attempt)
        }
    }

    private func hear(_ result: TransferResult, of handle: TransferHandle, _ attempt: TransferAttempt) {
        Failpoint.pass(.transferEnd)
        var attempt = attempt
        attempts[handle] = nil
        attempt.progress.received = max(result.received, result.kind == .finished ? result.received : 0)
        attempt.progress.sent = result.sent
        if !result.address.isEmpty { attempt.progress.address = result.address }
        if result.status != 0 { attempt.progress.status = result.status }
        if result.isFileUseless {
            (attempt.progress.validator, attempt.progress.uploadLocation, attempt.progress.durable) = ("", "", 0)
            // A transfer that is over reports the bytes received.
            if result.kind != .failed {
                attempt.progress.received = 0
                // The folder's entry may be among what is lost: a new file writes it anew.
                if let (id, application) = owner(of: handle) { parts.knownFolder(of: application)?.remove(id) }
            }
        }
        if let decided = attempt.end {
            ledger.remember(attempt.progress, of: handle)
            return ends.end(handle, decided.error, decided.reason, attempt)
        }
        switch result.kind {
        case .finished:
            // Its answer and its end may come in one turn.
            if attempt.isDirty { ledger.remember(attempt.progress, of: handle) }
            finished(handle, attempt)
        case .interrupted:
            attempt.progress.lastFault = result.sentence
            let isNetwork = result.error?.isOfNetwork ?? false
            let end = AttemptEnd.interrupted(isNetwork: isNetwork, after: result.retryAfter.map { .seconds($0) })
            interrupted(handle, attempt, end)
        case .noSpace:
            attempt.progress.lastFault = attempt.isBounded ? crowding(of: handle) : "the disk is full"
            interrupted(handle, attempt, .noSpace)
            lookAtSpace()
        case .stopped:
            if let crowding = attempt.crowding { attempt.progress.lastFault = crowding }
            interrupted(handle, attempt, attempt.crowding == nil ? .stopped : .noSpace)
        case .challenged: challenged(handle, attempt, result.challenge)
        case .failed:
            attempt.progress.lastFault = result.sentence
            ledger.remember(attempt.progress, of: handle)
            ends.end(handle, TransferRefusal(result.error ?? .unknown, result.sentence), attempt)
        }
    }

    private func interrupted(_ handle: TransferHandle, _ attempt: TransferAttempt, _ end: AttemptEnd) {
        decider.ask { _ = $0.attemptEnded(handle, end, at: $1) }
        var progress = attempt.progress
        ledger.note(.changed, handle)
        progress.nextTry = decider.transferWait(of: handle)?.until
        ledger.remember(progress, of: handle)
        settlePart(of: handle)
    }

    /// No attempt writes its part any more.
    private func settlePart(of handle: TransferHandle) {
        if let (id, application) = owner(of: handle) { parts.settle(id, of: application, isOver: false) }
    }

    private func owner(of handle: TransferHandle) -> (id: Int64, application: ApplicationIndex)? {
        guard let transfer = ledger[handle], let session = sessions[transfer.session] else { return nil }
        return (transfer.id, session.application)
    }

    private func crowding(of handle: TransferHandle) -> String {
        owner(of: handle).map { parts.crowding(of: $0.id, $0.application) } ?? ""
    }

    /// An attempt has so many bytes by now, and is to have so many: without room for them it is stopped, and waits.
    private func grow(_ handle: TransferHandle, size: Int64, total: Int64?) {
        guard let (id, application) = owner(of: handle), attempts[handle]?.crowding == nil else { return }
        let size = UInt64(clamping: max(0, size))
        guard total != nil || size > parts.holding(of: id, application) else { return }
        guard let sentence = parts.reserve(id, size: size, total: total, of: application) else { return }
        attempts[handle]?.crowding = sentence
        process.stop(handle)
    }

    // MARK: Finishing

    /// The application's folders were weighed: what waited for that is finished.
    func weighed(_ application: ApplicationIndex, _ weight: ByteCount) {
        for (handle, attempt) in parts.weighed(application, weight) { finished(handle, attempt) }
    }

    /// All of it is there, and on disk. Once more after its application's folders were weighed, unless it has got another
    /// end meanwhile.
    private func finished(_ handle: TransferHandle, _ attempt: TransferAttempt) {
        guard decider.awaitsEnd(handle), let (id, application) = owner(of: handle) else { return }
        var end = TransferEnd(at: decider.now.time, order: 0)
        do throws(TransferRefusal) {
            let size = (try? parts.folder(of: application))?.size(of: id) ?? 0
            guard try parts.hasRoom(for: size, handle, of: application, attempt) else { return }
        } catch {
            return ends.end(handle, error, attempt)
        }
        do throws(SystemError) {
            let folder = try parts.folder(of: application)
            let isEmpty = attempt.kind == .upload && folder.size(of: id) == 0
            if isEmpty {
                folder.remove(id)
            } else {
                try folder.give(id)
                end.file = folder.finishedPath(id)
            }
        } catch {
            if error.code == .EDQUOT {
                return ends.end(
                    handle, TransferRefusal(.tooLarge, "the file is more than the application's disk holds"))
            }
            return ends.end(handle, TransferRefusal(.cannotWriteToFile, "the finished file cannot be kept; \(error)"))
        }
        decider.ask { _ = $0.attemptEnded(handle, .finished, at: $1) }
        ends.end(handle, end, attempt)
    }

    /// The transfer process has ended: attempts in progress are tried again.
    func processIsLost(_ sentence: String) {
        announcer.note(.transferProcessLost, "", sentence)
        let lost = attempts
        attempts.removeAll()
        decider.ask { $0.processLost(at: $1) }
        for (handle, attempt) in lost {
            if let decided = attempt.end {
                ends.end(handle, decided.error, decided.reason, attempt)
            } else {
                var progress = attempt.progress
                progress.lastFault = "the transfer process was lost"
                ledger.remember(progress, of: handle)
                settlePart(of: handle)
            }
        }
    }
}

extension TransferRequest {
    /// The application uses tus 1.0 (https://tus.io/protocols/resumable-upload).
    var usesTus: Bool { headers.contains { $0.name.lowercased() == "tus-resumable" } }
}
