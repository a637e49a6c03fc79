import Engine
package import Record
package import TaskModel
import Transfers
import Transferring

// Transfers as people see and move them.
extension TransferHub {
    /// The session of transfers that people add: no application opens it, and nobody is woken for it.
    package static let ownSession = "taskhost"

    // MARK: Looking

    /// Transfers, newest first.
    ///
    /// - Parameters:
    ///   - application: of one; nil: of all.
    ///   - before: `next` of the page before; nil: from the newest on.
    package func views(
        application: String?, before: Int64?, limit: Int
    ) throws(StoreError) -> Page<TransferView> {
        let page = try keeper.reader.transfers(application: application, before: before, limit: limit)
        return Page(elements: page.elements.map(view), next: page.next)
    }

    /// The transfer of that number; nil: there is none.
    package func view(of id: Int64) throws(StoreError) -> TransferView? { try keeper.reader.transfer(id).map(view) }

    private func view(_ recorded: RecordedTransfer) -> TransferView {
        var view = TransferView(recorded)
        guard let handle = handles[view.id], view.state.isOpen else { return view }
        view.state = decider.transfers.state(of: handle) ?? view.state
        view.waiting =
            renewals.isAwaited(by: handle) ? TransferWaiting(.answer) : decider.transfers.wait(of: handle, at: now)
        guard let attempt = attempts[handle] else { return view }
        view.received = attempt.progress.received
        view.sent = attempt.progress.sent
        view.total = attempt.kind == .upload ? attempt.size : attempt.progress.total
        view.rate = attempt.pace.rate
        view.attempts = attempt.progress.attempts
        view.status = attempt.progress.status
        view.address = attempt.progress.address
        return view
    }

    /// Progress of the application's transfers (nil: of all) is wanted for as long as somebody looks on.
    package func watch(_ on: Bool, id: Int64) {
        guard let handle = handles[id], transfers[handle]?.isWatched != on else { return }
        transfers[handle]?.isWatched = on
        if let attempt = attempts[handle] { observe(handle, attempt) }
    }

    // MARK: Moving

    /// Adds a download into the application's cache, by the application's rules.
    ///
    /// - Returns: its number; it is on record once the turn is durable.
    package func add(_ url: String, to application: ApplicationIndex) throws(TransferRefusal) -> Int64 {
        guard TransferURL(url) != nil else {
            throw TransferRefusal(.badURL, "\(ShownURL.text(of: url)) is no URL of http or https; give one with a host")
        }
        guard url.utf8.count <= TransferLimit.url else {
            throw TransferRefusal(.badURL, "the URL has more than \(TransferLimit.url) bytes; give a shorter one")
        }
        let session = ownSession(of: application)
        session.stored.next += 1
        changedSessions.insert(session.handle)
        let handle = make(
            TransferRequest(kind: .download, url: url, method: "GET"), number: session.stored.next - 1, of: session,
            isFromBackground: false, state: .waiting)
        guard let handle, let record = transfers[handle] else {
            throw TransferRefusal(.unknown, "the transfer was not taken")
        }
        transfers[handle]?.isWatched = true
        return record.id
    }

    private func ownSession(of application: ApplicationIndex) -> SessionRecord {
        if let known = session(Self.ownSession, of: application) { return known }
        numbers.session += 1
        var options = SessionOptions()
        options.sendsLaunchEvents = false
        let added = add(
            StoredSession(
                id: numbers.session, application: name(of: application), identifier: Self.ownSession, options: options),
            of: application)
        changedSessions.insert(added.handle)
        return added
    }

    /// A person pauses it, lets it go on, or cancels it.
    ///
    /// - Returns: false: there is no such transfer, or it is over.
    package func hold(_ id: Int64) -> Bool {
        guard let handle = open(id) else { return false }
        note(.changed, handle)
        ask { $0.hold(handle, at: $1, into: &$2) }
        return true
    }

    package func release(_ id: Int64) -> Bool {
        guard let handle = open(id) else { return false }
        note(.changed, handle)
        ask { $0.release(handle, at: $1, into: &$2) }
        ask { $0.resume(handle, at: $1, into: &$2) }
        return true
    }

    package func cancel(_ id: Int64) -> Bool {
        guard let handle = open(id) else { return false }
        note(.changed, handle)
        ask { $0.cancel(handle, at: $1, into: &$2) }
        return true
    }

    private func open(_ id: Int64) -> TransferHandle? {
        handles[id].flatMap { decider.transfers.state(of: $0)?.isOpen == true ? $0 : nil }
    }

    /// Nobody is told of what a person added: it is done when its file is there.
    func settleOwn(_ handle: TransferHandle, of session: SessionRecord) {
        guard session.stored.identifier == Self.ownSession, let record = transfers[handle] else { return }
        keeper.afterCommit { [unowned self] in
            keeper.write(.transferDelivered(record.id))
            forget(handle, of: session)
        }
    }
}
