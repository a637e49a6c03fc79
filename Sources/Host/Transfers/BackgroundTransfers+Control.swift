import Record
import Scheduling
package import TaskModel
import Transfers

// Queries and commands of users for transfers.
extension BackgroundTransfers {
    // MARK: Looking

    /// The transfer of that number, recorded and present data; nil: there is none.
    func view(of id: Int64) throws(StoreError) -> TransferView? {
        guard let transfer = try keeper.reader.transfer(id) else { return nil }
        var view = TransferView(transfer)
        fill(&view)
        return view
    }

    /// Adds the data of an unfinished transfer that are not recorded: what it waits for, and its progress.
    package func fill(_ view: inout TransferView) {
        guard let handle = ledger.handle(of: view.transfer.id), view.transfer.state.isOpen else { return }
        // One whose end is not recorded yet still runs: an end without its error would be a success.
        if let state = decider.transferState(of: handle) { view.transfer.state = state.isOpen ? state : .running }
        view.waiting = wait(of: handle)
        guard let attempt = attempts[handle] else { return }
        // What the record has of the attempt before stays.
        let before = view.transfer.progress
        view.transfer.progress = attempt.progress
        (view.transfer.progress.nextTry, view.transfer.progress.lastFault) = (before.nextTry, before.lastFault)
        if attempt.kind == .upload { view.transfer.progress.total = attempt.size }
        view.rate = attempt.pace.rate
    }

    /// Why it waits; nil: it runs, or it is over.
    private func wait(of handle: TransferHandle) -> TransferWaiting? {
        guard !credentials.renewals.isAwaited(by: handle) else { return TransferWaiting(.answer) }
        let waiting = decider.transferWait(of: handle)
        guard !decider.startsByItself, decider.isOpen(handle) else { return waiting }
        // Waits that only the user, its application or its manifest ends are the same with a daemon.
        switch waiting?.reason {
        case .suspended, .person, .applicationMissing: return waiting
        case nil, .date, .delay, .backoff, .answer, .sleep, .network, .unmeteredNetwork, .power, .lowPower, .window,
            .disk, .perHost, .concurrency, .notServed:
            return TransferWaiting(.notServed)
        }
    }

    /// All transfers: how many run, how many wait, and bytes a second. The caller watches the rate.
    package func activity() -> (running: Int, waiting: Int, rate: Int64) {
        var rate: Int64 = 0
        for (handle, attempt) in attempts.all {
            rate += attempt.pace.rate
            if let transfer = ledger[handle] { watch(transfer.id) }
        }
        let (open, running) = (decider.openTransferCount, attempts.all.count)
        return (running, max(0, open - running), rate)
    }

    /// An application's transfers in one sentence: how many run, and how many wait for what.
    package func summary(of application: ApplicationIndex) -> String {
        var running = 0
        var untold = 0
        var waits: [TransferWait: Int] = [:]
        for session in sessions.all(of: application) {
            for handle in session.transfers.values {
                if !decider.isOpen(handle) {
                    untold += 1
                } else if let waiting = wait(of: handle) {
                    waits[waiting.reason, default: 0] += 1
                } else {
                    running += 1
                }
            }
        }
        var words = running > 0 ? ["\(running) going on"] : []
        words += waits.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) waiting (\($0.key.name))" }
        if untold > 0 { words.append("\(untold) over, with events to deliver") }
        return words.isEmpty ? "no open transfers" : words.joined(separator: ", ") + "; see taskhost transfers"
    }

    /// How long progress is reported after a query.
    private static let attention = TimeSpan.seconds(5)

    /// A client queries its progress.
    package func watch(_ id: Int64) {
        guard let handle = ledger.handle(of: id), attempts[handle] != nil, let transfer = ledger[handle] else { return }
        let now = decider.now.instant
        let wasWatched = transfer.isWatched(at: now)
        transfer.watchedUntil = now + Self.attention
        if !wasWatched { attempts.observe(handle) }
    }

    // MARK: Moving

    /// Adds a download into the application's cache, by the application's rules.
    ///
    /// - Returns: its number; it is recorded once the turn is durable.
    package func add(_ request: TransferRequest, to application: ApplicationIndex) throws(TransferRefusal) -> Int64 {
        guard WebURL(request.url) != nil else {
            throw TransferRefusal(
                .badURL, "this is not a URL of http or https; \(ShownURL.text(of: request.url)); give one with a host")
        }
        let session = ownSession(of: application)
        guard session.stored.next < .max else { throw TransferRefusal(.unknown, "there is no number left for it") }
        session.stored.next += 1
        sessions.noteChange(of: session)
        let handle = commands.make(
            request, number: session.stored.next - 1, of: session,
            isFromBackground: false, state: .waiting)
        guard let handle, let transfer = ledger[handle] else {
            throw TransferRefusal(.unknown, "the transfer was not taken")
        }
        return transfer.id
    }

    private func ownSession(of application: ApplicationIndex) -> SessionRecord {
        if let known = sessions.named(SessionTable.own, of: application) { return known }
        var options = SessionOptions()
        options.sendsLaunchEvents = false
        let added = sessions.add(
            StoredSession(
                id: ledger.nextSession(), application: installed.name(of: application), identifier: SessionTable.own,
                options: options),
            of: application)
        sessions.noteChange(of: added)
        return added
    }

    /// Pauses, resumes or cancels it for the user.
    ///
    /// - Returns: false: it does not exist, or it is over.
    package func hold(_ id: Int64) -> Bool {
        change(id) { handle in
            decider.ask { $0.hold(handle, at: $1) }
            ledger.hold(true, handle)
        }
    }

    package func release(_ id: Int64) -> Bool {
        change(id) { handle in
            // What its application has suspended stays so.
            decider.ask { $0.release(handle, at: $1) }
            ledger.hold(false, handle)
        }
    }

    package func cancel(_ id: Int64) -> Bool {
        change(id) { handle in decider.ask { $0.cancel(handle, at: $1) } }
    }

    private func change(_ id: Int64, _ body: (TransferHandle) -> Void) -> Bool {
        guard let handle = ledger.handle(of: id), decider.isOpen(handle) else { return false }
        ledger.note(.changed, handle)
        body(handle)
        return true
    }
}
