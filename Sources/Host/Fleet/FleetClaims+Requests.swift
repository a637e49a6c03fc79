import Engine
import Record
import Scheduling
import Setting
import TaskModel

// Claimed requests come and go.
extension FleetClaims {
    func take(_ claim: Claim) {
        Failpoint.pass(.claimTake)
        figures.claimed += 1
        if claim.losses > 0 { figures.takenOver += 1 }
        guard let task = task(of: claim), let row = try? requests.identity(of: claim.request.identifier, task) else {
            return refuse(claim)
        }
        isWishDue = true
        guard entered[row] == nil, !queue.contains(where: { $0.row == row }) else {
            return queue.append(QueuedClaim(claim: claim, row: row, since: decider.machine.instant))
        }
        enter(claim, row, task)
    }

    /// The task that this host may run for it now.
    private func task(of claim: Claim) -> TaskIndex? {
        guard !decider.isStopping, let task = installed.permittedTask(claim.request.identifier) else { return nil }
        let installed = installed.tasks[task]
        guard !installed.isRemoved, installed.definition.kind != .continuedProcessing,
            !installed.definition.kind.isEvent
        else { return nil }
        return task
    }

    /// It goes back unharmed. The host says first that it takes no more of them, so that it does not return at once.
    private func refuse(_ claim: Claim) {
        refuse(claim.request.identifier, for: Self.pauseAfterRefusal)
        giveBack(claim.token, .waits(claim.request, pause: .zero))
    }

    private func enter(_ claim: Claim, _ row: Int64, _ task: TaskIndex) {
        device.look()
        let request = requests.enter(claim, of: task, as: ClaimedIdentity.of(row: row))
        entered[row] = EnteredClaim(claim: claim, request: request, since: decider.machine.instant)
        rows[request] = row
    }

    /// Enters those that waited for another of their identifier.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    func enterQueued() -> Bool {
        var hasEntered = false
        while let place = queue.firstIndex(where: { entered[$0.row] == nil }) {
            let queued = queue.remove(at: place)
            isWishDue = true
            if let task = task(of: queued.claim) {
                enter(queued.claim, queued.row, task)
                hasEntered = true
            } else {
                refuse(queued.claim)
            }
        }
        return hasEntered
    }

    /// It is another's: what waits of it is forgotten, what runs of it ends.
    func drop(_ token: ClaimToken, _ loss: ClaimLoss) {
        figures.lost += 1
        isWishDue = true
        queue.removeAll { $0.claim.token == token }
        guard let (row, known) = entered.first(where: { $0.value.claim.token == token }) else { return }
        // A request that has just been started gets its run.
        decider.settle()
        decider.withdraw(known.request)
        guard decider.request(known.request) != nil, let run = requests.running[known.request] else {
            return remove(row)
        }
        entered[row]?.isLost = true
        let why = loss == .fenced ? "no renewal came before its end" : "another claim of it was made, or it is over"
        log(.warning, "the lease of a run is lost; \(known.claim.request.identifier): \(why); the run ends")
        decider.hear(.expired(run, .leaseLost))
    }

    func noteEnd(of request: RequestHandle, run: ULID, _ outcome: Outcome) {
        guard let row = rows[request] else { return }
        entered[row]?.end = (run, outcome)
        changed.insert(row)
    }

    /// Tells the end of a claim whose request is done here: ended, to be tried again by whoever can, or left by a host that stops.
    func settle(_ row: Int64) {
        guard let known = entered[row] else { return }
        let token = known.claim.token
        guard let view = decider.request(known.request) else {
            remove(row)
            guard !known.isLost else { return }
            if let end = known.end { return tell(UntoldEnd(token, run: end.run, end.outcome)) }
            // The application cancelled all that waits here. It is not the application's to cancel.
            refuse(known.claim.request.identifier, for: Self.pauseAfterWaiting)
            giveBack(token, .waits(known.claim.request, pause: .zero))
            return
        }
        guard view.phase == .pending else {
            entered[row]?.end = nil
            return
        }
        guard known.end != nil || decider.isStopping else { return }
        remove(row)
        decider.withdraw(known.request)
        guard let end = known.end else {
            giveBack(token, .waits(known.claim.request, pause: .zero))
            return
        }
        let progress = UntoldEnd.Progress(
            attempt: view.request.attempt, failures: view.request.failures, deferrals: view.request.deferrals,
            free: view.request.notBefore ?? decider.now.time)
        tell(UntoldEnd(token, run: end.run, end.outcome, progress: progress))
    }

    private func remove(_ row: Int64) {
        if let known = entered.removeValue(forKey: row) { rows[known.request] = nil }
        isWishDue = true
    }

    // MARK: Patience

    private func isWaiting(_ known: EnteredClaim) -> Bool { requests.running[known.request] == nil }

    /// When something has waited for too long, by the machine's clock.
    var patienceEnd: Instant {
        var first = Instant.distantFuture
        for known in entered.values where isWaiting(known) { first = min(first, known.since) }
        for queued in queue { first = min(first, queued.since) }
        return first < .distantFuture ? first + patience : first
    }

    /// How many have entered and do not run.
    var waitingCount: Int { entered.values.count(where: isWaiting) }

    func endPatience(at now: Instant) {
        guard patienceEnd <= now else { return }
        for queued in queue where queued.since + patience <= now {
            refuse(queued.claim.request.identifier, for: Self.pauseAfterWaiting)
            giveBack(queued.claim.token, .waits(queued.claim.request, pause: .zero))
        }
        queue.removeAll { $0.since + patience <= now }
        decider.settle()
        for (row, known) in entered where known.since + patience <= now && isWaiting(known) {
            refuse(known.claim.request.identifier, for: Self.pauseAfterWaiting)
            remove(row)
            decider.withdraw(known.request)
            giveBack(known.claim.token, .waits(known.claim.request, pause: .zero))
        }
    }
}
