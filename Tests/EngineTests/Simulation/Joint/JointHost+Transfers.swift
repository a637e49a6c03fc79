import Engine
import Record
import Scheduling
import TaskModel
import TestSupport
import Transfers

// What the policy of transfers decides, done as the host does it: in the turn, and once that is durable.
extension JointHost {
    func ask<Result>(_ question: (inout TransferQueue, ClockReading) -> Result) -> Result {
        question(&queue, now)
    }

    /// Works off what was decided; more may follow from it.
    func settleTransfers() throws {
        var next = 0
        while next < queue.decisions.count {
            try carryOut(queue.decisions[next])
            next += 1
            try expect(next < 100_000, "decisions on transfers without end")
        }
        queue.removeDecisions()
        let fault = queue.check()
        try expect(fault == nil, "transfers are in disorder: \(fault ?? "")")
    }

    private func carryOut(_ decision: TransferDecision) throws {
        note("=> \(decision)")
        switch decision {
        case .begin(let handle):
            let id = try known(handle)
            try mayBegin(id)
            outside.transfers[id]?.phase = .decided
            outside.transfers[id]?.isWhole = false
            outside.transfers[id]?.new.progress.attempts += 1
            effects.append(.begin(id))
        case .stop(let handle): try stop(known(handle))
        case .end(let handle, let error, let reason): try decideEnd(known(handle), error, reason)
        case .askDelayed(let handle):
            let id = try known(handle)
            let transfer = outside.transfers[id]
            try expect(transfer?.wasAsked == false && transfer?.end == nil, "a delayed transfer is asked about twice")
            try expect(
                transfer?.new.request.earliest.map { $0 <= now.time } == true,
                "a transfer is asked about before its date")
            outside.transfers[id]?.wasAsked = true
            question(id)
        case .withdrawQuestion(let handle):
            let id = try known(handle)
            try expect(outside.transfers[id]?.asks == true, "a question is withdrawn that nobody was asked")
            outside.transfers[id]?.asks = false
        case .wake(let handle): try wake(handle)
        case .waitsForNetwork, .rate: break
        }
    }

    private func known(_ handle: TransferHandle) throws -> Int64 {
        guard let id = outside.byHandle[handle] else {
            try expect(false, "the policy names an unknown transfer")
            return 0
        }
        return id
    }

    // MARK: Attempts

    /// One that the transfer process has not received yet is not begun at all.
    private func stop(_ id: Int64) throws {
        guard let transfer = outside.transfers[id] else { return }
        switch transfer.phase {
        case .goesOn:
            outside.transfers[id]?.phase = .stopping
            agenda.add(
                .transfer(.report(transfer: id, attempt: transfer.attempt)),
                at: now.instant + fortune.span(.milliseconds(1), .milliseconds(50)))
        case .decided:
            count.transfers.withdrawn += 1
            outside.transfers[id]?.phase = .idle
            ask { _ = $0.attemptEnded(transfer.handle, .stopped, at: $1) }
        case .idle, .stopping: try expect(false, "an attempt is stopped that does not continue")
        }
    }

    /// The turn that lets it begin is durable.
    private func begin(_ id: Int64) throws {
        guard let transfer = outside.transfers[id], queue.state(of: transfer.handle) == .running,
            transfer.phase == .decided
        else { return }
        try expect(transfer.end == nil && transfer.decided == nil, "an attempt begins of a transfer that has ended")
        count.transfers.begun += 1
        attempts += 1
        outside.transfers[id]?.phase = .goesOn
        outside.transfers[id]?.attempt = attempts
        let longest: TimeSpan = fortune.chance(0.1) ? .minutes(48 * 60) : .minutes(20)
        agenda.add(
            .transfer(.report(transfer: id, attempt: attempts)),
            at: now.instant + fortune.span(.milliseconds(5), longest))
    }

    func report(_ id: Int64, _ attempt: Int) throws {
        guard let transfer = outside.transfers[id], transfer.attempt == attempt else { return }
        switch transfer.phase {
        case .stopping where fortune.chance(0.8):
            try attemptEnds(id, .stopped)
            return
        case .goesOn, .stopping: break
        case .idle, .decided: return
        }
        if fortune.chance(0.3), !transfer.isWhole {
            ask { queue, _ in queue.progressed(transfer.handle, received: 1 << 20) }
            if transfer.phase == .goesOn {
                outside.transfers[id]?.isWhole = true
                ask { $0.whole(transfer.handle, at: $1) }
            }
            agenda.add(.transfer(.report(transfer: id, attempt: attempt)), at: now.instant + .milliseconds(20))
            return
        }
        if conditions.network <= .none, fortune.chance(0.8) {
            return try attemptEnds(id, .interrupted(isNetwork: true, after: nil))
        }
        switch Int.random(in: 0..<20, using: &fortune) {
        case 0, 1:
            let after: TimeSpan? =
                fortune.chance(0.3) ? .seconds(Int64.random(in: 0...90_000, using: &fortune)) : nil
            try attemptEnds(id, .interrupted(isNetwork: fortune.chance(0.5), after: after))
        case 2: try attemptEnds(id, .asks)
        case 3: try attemptEnds(id, .noSpace)
        default: try attemptEnds(id, .finished)
        }
    }

    private func attemptEnds(_ id: Int64, _ end: AttemptEnd) throws {
        guard let transfer = outside.transfers[id] else { return }
        note("attempt of \(id): \(end)")
        outside.transfers[id]?.phase = .idle
        if let decided = transfer.decided { return write(id, decided.error, decided.reason) }
        ask { _ = $0.attemptEnded(transfer.handle, end, at: $1) }
        switch end {
        case .finished: write(id, nil, nil)
        case .asks: question(id)
        default: writes.append(.transferProgress(id, progress(of: id)))
        }
    }

    func loseProcess() throws {
        note("the transfer process is lost")
        count.transfers.losses += 1
        let lost = outside.transfers.values.filter { $0.phase != .idle }.sorted { $0.id < $1.id }
        for transfer in lost { outside.transfers[transfer.id]?.phase = .idle }
        ask { $0.processLost(at: $1) }
        for transfer in lost {
            if let decided = transfer.decided { write(transfer.id, decided.error, decided.reason) }
        }
    }

    func progress(of id: Int64) -> TransferProgress {
        var progress = TransferProgress()
        guard let transfer = outside.transfers[id] else { return progress }
        progress.attempts = transfer.new.progress.attempts
        progress.total = transfer.new.request.expectedReceive
        progress.nextTry = queue.wait(of: transfer.handle, at: now)?.until
        return progress
    }

    // MARK: Ends

    private func decideEnd(_ id: Int64, _ error: TransferError, _ reason: TransferCancelReason?) throws {
        guard let transfer = outside.transfers[id] else { return }
        try expect(transfer.end == nil && transfer.decided == nil, "a transfer ends twice")
        if error == .timedOut { try expect(transfer.expires <= now.instant, "a transfer that ends has time left") }
        if transfer.phase == .goesOn || transfer.phase == .stopping {
            outside.transfers[id]?.decided = (error, reason)
            guard transfer.phase == .goesOn else { return }
            outside.transfers[id]?.phase = .stopping
            agenda.add(
                .transfer(.report(transfer: id, attempt: transfer.attempt)), at: now.instant + .milliseconds(30))
        } else {
            outside.transfers[id]?.phase = .idle
            write(id, error, reason)
        }
    }

    private func write(_ id: Int64, _ error: TransferError?, _ reason: TransferCancelReason?) {
        guard let transfer = outside.transfers[id] else { return }
        outside.lastOrder += 1
        var end = TransferEnd(at: now.time, order: outside.lastOrder, error: error)
        end.cancelReason = reason
        outside.transfers[id]?.end = end
        outside.transfers[id]?.asks = false
        writes.append(.transferEnded(id, end))
        outside.sessions[transfer.session]?.ends.append(id)
        ask { _ = $0.ended(transfer.handle, at: $1) }
        effects.append(.talk(session: transfer.session))
        count.transfers.ended += 1
    }

    private func question(_ id: Int64) {
        guard let transfer = outside.transfers[id] else { return }
        count.transfers.questions += 1
        outside.transfers[id]?.asks = true
        outside.transfers[id]?.isAskTold = false
        effects.append(.talk(session: transfer.session))
    }

    // MARK: Once a turn is durable

    func act(on effect: TransferEffect) throws {
        switch effect {
        case .begin(let id): try begin(id)
        case .made(let id): outside.promised.insert(id)
        case .delivered(let id):
            outside.delivered.insert(id)
            outside.promised.remove(id)
        case .talk(let session): try talk(session)
        case .quit(let application): outside.quitForGood.insert(application)
        case .opened(let application): outside.quitForGood.remove(application)
        }
    }

    /// Sends the process that has the session the events that it has not received.
    private func talk(_ id: Int64) throws {
        guard let session = outside.sessions[id], let opener = session.opener, let worker = workers[opener],
            worker.isReady, !worker.isGone, !worker.isKilled, !worker.isFrozen,
            !(session.awaitsHandling && session.isHandled == nil
                && outside.wanted[session.application]?.contains(id) == true)
        else { return }
        for transfer in session.ends.dropFirst(session.told) {
            // Its own turn reports it, once that is durable.
            guard kept.keptTransfers[transfer]?.end != nil else { break }
            try mayTell(transfer, session)
            outside.sessions[id]?.told += 1
            agenda.add(
                .transfer(.acknowledgement(opener, transfer: transfer)),
                at: now.instant + fortune.span(.milliseconds(1), .milliseconds(200)))
        }
        let asking = outside.transfers.values.filter { $0.session == id && $0.asks && !$0.isAskTold }
        for transfer in asking.sorted(by: { $0.id < $1.id }) {
            outside.transfers[transfer.id]?.isAskTold = true
            agenda.add(.transfer(.answer(opener, transfer: transfer.id)), at: now.instant + .milliseconds(30))
        }
    }
}
