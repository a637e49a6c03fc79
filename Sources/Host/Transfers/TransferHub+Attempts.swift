import Linux
import Record
import TaskModel
import Transferring
import Transfers
import Wire

// Attempts: orders for the transfer process, and its reports.
extension TransferHub {
    /// The policy starts a transfer, which is recorded.
    func begin(_ handle: TransferHandle) {
        guard decider.transfers.isUnderWay(handle), attempts[handle] == nil, let record = transfers[handle],
            let session = sessions[record.session], let stored = stored(handle)
        else { return }
        Failpoint.pass(.transferBegin)
        lookAtSpace()
        guard !asksTrust(handle, session, stored) else { return }
        do throws(TransferRefusal) {
            try order(handle, record, session, stored)
        } catch {
            attempts[handle] = nil
            // From here on it has this end: what comes until the next turn, such as a cancellation, gives it no other.
            ask { _ = $0.attemptEnded(handle, .finished, at: $1) }
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
        for (handle, refusal) in due { end(handle, refusal) }
        return true
    }

    /// The policy stops an attempt. One that waits for its turn to be durable does not begin at all.
    func stop(_ handle: TransferHandle) {
        guard attempts[handle] == nil else { return process.stop(handle) }
        ask { _ = $0.attemptEnded(handle, .stopped, at: $1) }
    }

    private func order(
        _ handle: TransferHandle, _ record: TransferRecord, _ session: SessionRecord, _ stored: StoredTransfer
    ) throws(TransferRefusal) {
        let request = stored.request
        var attempt = TransferAttempt(kind: request.kind, progress: stored.progress, began: now.instant)
        var order = TransferOrder(transfer: handle, kind: request.kind, url: request.url, method: request.method)
        order.headers = request.headers
        order.timeout = request.timeout ?? session.stored.options.requestTimeout
        order.priority = request.priority
        order.proxy = session.stored.options.proxy
        order.sha256 = request.sha256 ?? []
        order.isObserved = isObserved(record, session)
        order.rate = decider.transfers.rate(of: handle)
        order.room = decider.transfers.room(for: handle)
        attempt.shown = authorize(&order, handle, record, session)
        try trust(&order, of: session.application)
        var source: Descriptor?
        if request.kind == .upload {
            let opened = try openReadable(request.file, of: session.application)
            try identify(opened, request.file, &attempt)
            if attempt.progress.attempts == 0, let data = UploadResumeData(request.resumeData),
                let facts = try? FileSystem.facts(of: opened), data.fits(request, facts)
            {
                attempt.progress.uploadLocation = data.location
            }
            source = consume opened
        }
        do throws(SystemError) {
            let folder = try parts(of: session.application)
            if attempt.progress.attempts == 0, request.kind == .download {
                try adoptResumeData(request, record, &attempt, folder)
            }
            let file = try folder.open(record.id)
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
                order.sizeLimit = Int64(clamping: quotas.budget(of: session.application).bytes)
                let total = order.total ?? request.expectedReceive.flatMap { $0 > 0 ? $0 : nil }
                if let sentence = reserve(
                    record.id, size: UInt64(clamping: size), total: total, of: session.application)
                {
                    attempt.progress.lastFault = sentence
                    return interrupted(handle, attempt, .noSpace)
                }
                if let room = room(for: record.id, size: UInt64(clamping: size), of: session.application) {
                    attempt.isBounded = room < order.room
                    order.room = min(order.room, room)
                }
            }
            attempt.progress.attempts &+= 1
            attempt.progress.nextTry = nil
            attempts[handle] = attempt
            note(.changed, handle)
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

    /// Credentials that it goes with: those that its application answered with, or a renewed token for the server, which is
    /// returned.
    private func authorize(
        _ order: inout TransferOrder, _ handle: TransferHandle, _ record: TransferRecord, _ session: SessionRecord
    ) -> String? {
        order.acceptsChallenge = record.failures == .max
        if let secret = secrets[handle] {
            (order.user, order.password, order.credentialsPlace) = (secret.user, secret.password, secret.place)
            order.isToken = secret.isToken
            return nil
        }
        guard let value = authorizations[session.application]?[WebURL(order.url)?.origin ?? ""] else { return nil }
        order.headers.setAuthorization(value)
        return value
    }

    /// The application's folder of unfinished files; looked through once after a start.
    func parts(of application: ApplicationIndex) throws(SystemError) -> PartFolder {
        if let known = folders[application] { return known }
        let identifier = name(of: application)
        let own: StateFolder.ApplicationFolders
        do throws(HostError) {
            own = try place.state.folders(of: installed.applications[application], users: place.configuration.users)
        } catch {
            throw SystemError("open", code: .EACCES, object: place.state.folder(of: identifier))
        }
        let folder = try PartFolder(in: place.state.folder(of: identifier), cache: own.cache, identity: own.identity)
        let boot = (try? FileText.read("/proc/sys/kernel/random/boot_id")) ?? ""
        try folder.settleBoot(boot) { id in
            guard let known = (try? keeper.reader.transfer(id))?.transfer else { return nil }
            // A finished one was on disk before that was recorded: only its move may have been lost.
            if let end = known.end, end.error == nil { return nil }
            return known.progress.durable
        }
        folders[application] = folder
        var ledger = ledgers[application] ?? PartLedger()
        for id in try folder.parts() { ledger.set(id, max(ledger[id], UInt64(clamping: folder.size(of: id)))) }
        ledgers[application] = ledger
        trimParts(of: application)
        return folder
    }

    /// Opens a file that the application may read, as its user.
    ///
    /// - Parameter purpose: its purpose, for display.
    func openReadable(
        _ path: String, of application: ApplicationIndex, as purpose: String = "file to upload"
    ) throws(TransferRefusal) -> Descriptor {
        let definition = installed.applications[application].definition
        guard
            let own = try? place.state.folders(
                of: installed.applications[application], users: place.configuration.users)
        else {
            throw TransferRefusal(
                .noPermissionToReadFile,
                "the application's folders cannot be opened; \(definition.identifier); see the host's state folder")
        }
        let variables = [("$MANIFEST", definition.manifestFolder), ("$STATE", own.state), ("$CACHE", own.cache)]
        let granted = (definition.permissions.read + definition.permissions.write)
            .map { GrantVariables.expand($0, variables) }.filter { $0.hasPrefix("/") }
        let others = installed.writable.paths.filter { $0 != own.state && $0 != own.cache }
        let places = GrantResolver(foreign: Set(others)).places(
            write: [own.state, own.cache], read: granted
        ) { _, _ in }
        let expanded = GrantVariables.expand(path, variables)
        return try UploadFile.open(expanded, roots: places.write + places.read, identity: own.identity, as: purpose)
    }

    // MARK: Reports

    func hear(_ report: TransferReport, of handle: TransferHandle) {
        guard var attempt = attempts[handle], let record = transfers[handle] else { return }
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
                ask {
                    $0.answered(
                        handle, needs: total.map { max(0, $0.subtractingWithSaturation(offset)) }, at: $1)
                }
            }
            attempt.isDirty = true
            attempts[handle] = attempt
            if record.failures != .max { transfers[handle]?.failures = 0 }
            if attempt.kind == .download { grow(handle, record, size: offset, total: total) }
            if offset > 0 { tellNow(.resumed(offset: offset, total: total), of: handle) }
            tellNow(.response(response), of: handle)
        case .progress(let received, let sent):
            attempt.progress.received = received
            attempt.progress.sent = sent
            attempt.pace.take(attempt.kind == .download ? received : sent, at: now.instant)
            attempts[handle] = attempt
            if attempt.kind == .download {
                ask { queue, _ in queue.progressed(handle, received: received) }
                grow(handle, record, size: received, total: nil)
            } else {
                ask { queue, _ in queue.progressed(handle) }
            }
            tellProgress(of: handle, record, attempt)
            // No client watches it any more.
            if record.watchedUntil != nil, !record.isWatched(at: now.instant) {
                transfers[handle]?.watchedUntil = nil
                observe(handle, attempt)
            }
        case .durable(let received):
            attempt.progress.durable = received
            attempt.progress.received = max(received, attempt.progress.received)
            attempt.isDirty = true
            attempts[handle] = attempt
            ask { queue, _ in queue.progressed(handle, received: received) }
            if attempt.kind == .download { grow(handle, record, size: received, total: nil) }
            lookAtSpace()
        case .whole(let received):
            attempt.progress.received = received
            attempts[handle] = attempt
            ask { queue, _ in queue.progressed(handle, received: received) }
            ask { $0.whole(handle, at: $1) }
        case .uploadCreated(let location):
            attempt.progress.uploadLocation = location
            attempt.isDirty = true
            attempts[handle] = attempt
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
                if let record = transfers[handle], let session = sessions[record.session] {
                    folders[session.application]?.remove(record.id)
                }
            }
        }
        if let decided = attempt.end {
            remember(attempt.progress, of: handle)
            return finishEnd(of: handle, decided.error, decided.reason, attempt)
        }
        switch result.kind {
        case .finished:
            // Its answer and its end may come in one turn.
            if attempt.isDirty { remember(attempt.progress, of: handle) }
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
            remember(attempt.progress, of: handle)
            end(handle, TransferRefusal(result.error ?? .unknown, result.sentence), attempt)
        }
    }

    private func interrupted(_ handle: TransferHandle, _ attempt: TransferAttempt, _ end: AttemptEnd) {
        ask { _ = $0.attemptEnded(handle, end, at: $1) }
        var progress = attempt.progress
        note(.changed, handle)
        progress.nextTry = decider.transfers.wait(of: handle, at: now)?.until
        remember(progress, of: handle)
        if let record = transfers[handle] { settlePart(of: record, isOver: false) }
    }

    private func remember(_ progress: TransferProgress, of handle: TransferHandle) {
        if let record = transfers[handle] { keeper.write(.transferProgress(record.id, progress)) }
    }

    /// All of it is there, and on disk. Once more after its application's folders were weighed, unless it has got another
    /// end meanwhile.
    func finished(_ handle: TransferHandle, _ attempt: TransferAttempt) {
        guard decider.transfers.awaitsEnd(handle), let record = transfers[handle],
            let session = sessions[record.session]
        else { return }
        var end = TransferEnd(at: now.time, order: 0)
        do throws(TransferRefusal) {
            let size = (try? parts(of: session.application))?.size(of: record.id) ?? 0
            guard try hasRoom(for: size, handle, of: session.application, attempt) else { return }
        } catch {
            return self.end(handle, error, attempt)
        }
        do throws(SystemError) {
            let folder = try parts(of: session.application)
            let isEmpty = attempt.kind == .upload && folder.size(of: record.id) == 0
            if isEmpty {
                folder.remove(record.id)
            } else {
                try folder.give(record.id)
                end.file = folder.finishedPath(record.id)
            }
        } catch {
            if error.code == .EDQUOT {
                return self.end(
                    handle, TransferRefusal(.tooLarge, "the file is more than the application's disk holds"))
            }
            return self.end(handle, TransferRefusal(.cannotWriteToFile, "the finished file cannot be kept; \(error)"))
        }
        ask { _ = $0.attemptEnded(handle, .finished, at: $1) }
        self.end(handle, end, attempt)
    }

    /// The transfer process has ended: attempts in progress are tried again.
    func processIsLost(_ sentence: String) {
        announcer.note(.transferProcessLost, "", sentence)
        let lost = attempts
        attempts.removeAll()
        ask { $0.processLost(at: $1) }
        for (handle, attempt) in lost {
            if let decided = attempt.end {
                finishEnd(of: handle, decided.error, decided.reason, attempt)
            } else {
                var progress = attempt.progress
                progress.lastFault = "the transfer process was lost"
                remember(progress, of: handle)
                if let record = transfers[handle] { settlePart(of: record, isOver: false) }
            }
        }
    }
}

extension TransferError {
    /// The network's doing, so that its return is worth another attempt at once.
    var isOfNetwork: Bool {
        switch self {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .connectionLost, .notConnectedToInternet: true
        case .unknown, .sessionRequiresSharedContainer, .sessionInUse, .sessionWasDisconnected, .cancelled, .badURL,
            .unsupportedURL, .tooManyRedirects, .resourceUnavailable, .redirectToNonExistentLocation,
            .badServerResponse, .userCancelledAuthentication, .userAuthenticationRequired, .cannotDecodeContent,
            .notPermitted, .uploadFileChanged, .fileDoesNotExist,
            .fileIsDirectory, .noPermissionToReadFile, .tooLarge, .secureConnectionFailed, .serverCertificateUntrusted,
            .clientCertificateRejected, .clientCertificateRequired, .cannotCreateFile, .cannotWriteToFile:
            false
        }
    }
}

extension TransferRequest {
    /// The application uses tus 1.0 (https://tus.io/protocols/resumable-upload).
    var usesTus: Bool { headers.contains { $0.name.lowercased() == "tus-resumable" } }
}
