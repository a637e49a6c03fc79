import Engine
import JSON
import Record
import Setting
import TaskModel
import Transfers
import Wire

// Tasks of sessions, as applications make, change and answer for them.
extension SessionCommands {
    /// A worker makes a task.
    func create(_ frame: CreateTransfer, by worker: WorkerRecord) throws(WireError) {
        guard let session = sessions.numbered(frame.session, of: worker) else { return }
        // Numbers grow: a reused one breaks the protocol.
        guard frame.number >= session.stored.next, frame.number < .max else { throw .badValue }
        session.stored.next = frame.number + 1
        // Of so many the record has no more: the process is told, whatever it makes of that.
        guard sessions.transferCount(of: session.application) < TransferLimit.transfers + TransferLimit.refusals else {
            return delivery.refuse(frame.number, TransferRefusal(.cancelled, Self.tooMany), of: session)
        }
        // A task that the user runs from a shell counts as foreground work.
        let isBehind = place.schedules && !isInFront(session.application)
        _ = make(frame.request, number: frame.number, of: session, isFromBackground: isBehind)
    }

    private func isInFront(_ application: ApplicationIndex) -> Bool {
        let state = decider.state(of: application)
        return state == .active || state == .inactive
    }

    /// Adds a new transfer to the tables. A fault becomes its end.
    @discardableResult
    func make(
        _ request: TransferRequest, number: UInt32, of session: SessionRecord, isFromBackground: Bool,
        state: TransferState = .suspended
    ) -> TransferHandle? {
        begin()
        let stored = BackgroundTransfer(
            id: ledger.nextTransfer(), session: session.stored.id, of: session.stored.application,
            session.stored.identifier, number: number, created: decider.now.time, request: request, state: state,
            isFromBackground: isFromBackground)
        guard let handle = decider.ask({ $0.add(stored, to: session.handle, at: $1) }) else { return nil }
        ledger.insert(OpenTransfer(stored, of: session.handle), as: handle, isFresh: true)
        session.transfers[number] = handle
        Failpoint.pass(.transferMake)
        ledger.note(.added, handle)
        if let refusal = refusal(of: request, session) { ends.end(handle, refusal) }
        return handle
    }

    private func refusal(of request: TransferRequest, _ session: SessionRecord) -> TransferRefusal? {
        let scheme = request.url.prefix { $0 != ":" }.lowercased()
        if request.url.isEmpty {
            return TransferRefusal(.badURL, "the URL is empty; a new transfer; give it one of http or https")
        }
        if scheme != "http" && scheme != "https" {
            return TransferRefusal(
                .unsupportedURL,
                "background sessions transfer over http and https; \(scheme.prefix(32)); use one of these")
        }
        if WebURL(request.url) == nil {
            return TransferRefusal(
                .badURL,
                "the URL has no host, or a part that no URL has; \(ShownURL.text(of: request.url)); correct it")
        }
        if request.kind == .upload && request.file.isEmpty {
            return TransferRefusal(
                .fileDoesNotExist, "an upload has no file; \(ShownURL.text(of: request.url)); name one to send")
        }
        if let fault = Self.fault(ofFieldsOf: request) { return TransferRefusal(.badURL, fault) }
        if sessions.transferCount(of: session.application) > TransferLimit.transfers {
            return TransferRefusal(.cancelled, Self.tooMany)
        }
        return nil
    }

    private static let tooMany =
        "the application has \(TransferLimit.transfers) transfers that are not over; wait for some"

    /// The fault of the request's method and headers, whose values may be secrets; nil: none.
    private static func fault(ofFieldsOf request: TransferRequest) -> String? {
        if request.hasBrokenMethod {
            return "the method has a character that HTTP forbids; \(ShownURL.text(of: request.url)); correct it"
        }
        if let broken = request.headers.first(where: \.isBroken) {
            return
                "a header has a character that HTTP forbids; \(JSONWriter.quoted(broken.name, limit: 64)); correct it"
        }
        let size = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard size > TransferLimit.headers else { return nil }
        return "the headers have \(size) bytes; \(ShownURL.text(of: request.url)); "
            + "\(TransferLimit.headers) are the most, shorten them"
    }

    /// A worker changes a task.
    func change(_ frame: ChangeTransfer, by worker: WorkerRecord) {
        guard let session = sessions.numbered(frame.session, of: worker), let handle = session.transfers[frame.number]
        else {
            return
        }
        switch frame.change {
        case .resume:
            decider.ask { $0.resume(handle, at: $1) }
            ledger.set(.waiting, of: handle)
        case .suspend:
            decider.ask { $0.suspend(handle, at: $1) }
            ledger.set(.suspended, of: handle)
        case .cancel: decider.ask { $0.cancel(handle, at: $1) }
        case .cancelProducingResumeData:
            ledger[handle]?.wantsResumeData = true
            decider.ask { $0.cancel(handle, at: $1) }
        case .priority(let priority):
            decider.ask { $0.setPriority(handle, priority, at: $1) }
            ledger.changeRequest(of: handle) { $0.priority = priority }
        case .text(let text): ledger.changeRequest(of: handle) { $0.text = text }
        case .earliest(let date):
            decider.ask { $0.setEarliest(handle, date, at: $1) }
            ledger.changeRequest(of: handle) { $0.earliest = date }
        case .expected(let send, let receive):
            ledger.changeRequest(of: handle) { ($0.expectedSend, $0.expectedReceive) = (send, receive) }
        }
    }

    /// A worker answers a challenge, or whether a delayed request may begin.
    func answer(_ frame: AnswerTransfer, by worker: WorkerRecord) {
        guard let session = sessions.numbered(frame.session, of: worker), let handle = session.transfers[frame.number],
            let question = session.questions.removeValue(forKey: handle)
        else { return }
        switch frame.answer {
        case .useDefault, .rejectProtectionSpace, .credential:
            guard case .challenge(let challenge) = question.event else { break }
            if challenge.method == .serverTrust {
                session.trusted.insert(challenge.host)
                break
            }
            // A token goes into a header.
            guard case .credential(let user, let password) = frame.answer,
                !HTTPHeader("Authorization", password).isBroken
            else {
                ledger[handle]?.failures = .max
                break
            }
            credentials.set(
                TransferSecret(
                    user: user, password: password,
                    place: TransferOrder.place(challenge.host, port: challenge.port, isSecure: challenge.isSecure),
                    isToken: challenge.method == .bearer), of: handle)
        case .cancel:
            decider.ask { $0.cancel(handle, at: $1) }
            return
        case .proceed(let request):
            // It comes late, to a question that was withdrawn: the transfer has another one by now.
            guard case .delayed = question.event else {
                session.questions[handle] = question
                return
            }
            guard let request else { break }
            // The request may change; the transfer stays the same.
            var changed = request
            ledger.changeRequest(of: handle) { old in
                (changed.kind, changed.file, changed.resumeData) = (old.kind, old.file, old.resumeData)
                old = changed
            }
            if let refusal = refusal(of: changed, session) { return ends.end(handle, refusal) }
        case .unasked:
            guard case .delayed = question.event else {
                session.questions[handle] = question
                return
            }
        }
        if case .delayed = question.event {
            decider.ask { queue, _ in queue.setAnswersDelayed(session.handle, frame.answer != .unasked) }
        }
        decider.ask { $0.applicationAnswered(handle, at: $1) }
        delivery.noteEvents(of: session)
    }

    /// A worker has handled events.
    func acknowledge(_ frame: AcknowledgeTransfer, by worker: WorkerRecord) throws(WireError) {
        guard let session = sessions.numbered(frame.session, of: worker) else { return }
        guard frame.sequence <= session.lastSequence else { throw .badValue }
        let done = session.unacknowledged.prefix { $0.sequence <= frame.sequence }
        session.unacknowledged.removeFirst(done.count)
        for event in done {
            guard let handle = event.transfer, let id = ledger[handle]?.id else { continue }
            switch event.step {
            case .file: ledger.takeFile(of: handle)
            case .completion:
                keeper.write(.transferDelivered(id))
                ends.forget(handle, of: session)
            case .allTold: break
            }
        }
        delivery.noteEvents(of: session)
    }
}

extension HTTPHeader {
    /// A name that is not a token, or an end of line in the value (RFC 9110 5.1, 5.5).
    var isBroken: Bool {
        name.isEmpty || !name.utf8.allSatisfy(\.isToken) || value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
}

extension TransferRequest {
    var hasBrokenMethod: Bool { method.isEmpty || !method.utf8.allSatisfy(\.isToken) }
}

extension UInt8 {
    /// tchar of RFC 9110 5.6.2.
    fileprivate var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
