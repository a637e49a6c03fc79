import Engine
import Record
import Scheduling
import TaskModel

// What a host does with claims, leases and their ends, in the order of `FleetClaims`.
extension CrowdHost {
    private static let pauseAfterWaiting = TimeSpan.milliseconds(300)

    /// What the store has said, and what the clock says of leases.
    func hear(_ store: CrowdClaims) {
        while let event = store.takeEvent() {
            note(event)
            ledger.handle(event, at: now.instant)
        }
        ledger.advance(to: now.instant)
        carryOut()
        enterQueued()
        endPatience()
        carryOut()
    }

    private func note(_ event: ClaimEvent) {
        switch event {
        case .claimed(let claim): crowd.noteBelief(claim.token, until: claim.end, at: now)
        case .renewed(let tokens, let end): for token in tokens { crowd.noteBelief(token, until: end, at: now) }
        default: break
        }
    }

    func carryOut() {
        while !ledger.decisions.isEmpty {
            let list = ledger.decisions
            ledger.removeDecisions()
            for decision in list { carryOut(decision) }
        }
    }

    private func carryOut(_ decision: ClaimDecision) {
        switch decision {
        case .take(let claim): take(claim)
        case .drop(let token, let loss): drop(token, loss)
        case .completed(let token, let isAccepted):
            guard let end = untold.removeValue(forKey: token) else { return }
            crowd.noteAnswer(token, end, isAccepted)
        case .submitted(let key): crowd.noteKept(key)
        case .renew(let tokens): store?.renew(tokens)
        case .complete(let token, let end): store?.complete(token, end, .none)
        case .submit(let key, let request): store?.submit(key, request)
        }
    }

    private func take(_ claim: Claim) {
        claims += 1
        crowd.count.claims += 1
        if claim.losses > 0 { crowd.count.takenOver += 1 }
        guard let task = task(of: claim) else { return refuse(claim, at: now.instant) }
        if entered[task] != nil { queue.append((claim, now.instant)) } else { enter(claim, task) }
    }

    private func task(of claim: Claim) -> TaskIndex? {
        identifiers.firstIndex(of: claim.request.identifier).map { TaskIndex(number: UInt32($0)) }
    }

    private func enter(_ claim: Claim, _ task: TaskIndex) {
        var request = claim.request
        request.identity = 1000 + Int64(task.number)
        request.submitted = now.time
        request.terms.origin = .person
        entered[task] = CrowdClaim(claim: claim, request: scheduler.restore(request, of: task), since: now.instant)
    }

    private func enterQueued() {
        while let place = queue.firstIndex(where: { task(of: $0.claim).map { entered[$0] == nil } ?? false }) {
            let claim = queue.remove(at: place).claim
            if let task = task(of: claim) { enter(claim, task) }
        }
    }

    /// It is another's: what waits of it is forgotten, what runs of it ends.
    private func drop(_ token: ClaimToken, _ loss: ClaimLoss) {
        if loss == .fenced { crowd.count.fenced += 1 } else { crowd.count.taken += 1 }
        queue.removeAll { $0.claim.token == token }
        guard let (task, known) = entered.first(where: { $0.value.claim.token == token }) else { return }
        settle()
        scheduler.withdraw(known.request, at: now)
        guard scheduler.request(known.request) != nil, let run = entered[task]?.run else { return entered[task] = nil }
        entered[task]?.isLost = true
        feed(.expired(run, .leaseLost))
    }

    // MARK: Ends

    /// Tells the end of a claim whose request is done here: ended, or to be tried again by whoever can.
    func settleClaims() {
        for task in changed.sorted(by: { $0.number < $1.number }) {
            guard let known = entered[task] else { continue }
            guard let view = scheduler.request(known.request) else {
                entered[task] = nil
                if !known.isLost { tell(known.claim.token, .ended(known.outcome ?? .cancelled)) }
                continue
            }
            guard view.phase == .pending else {
                entered[task]?.outcome = nil
                continue
            }
            guard known.outcome != nil else { continue }
            entered[task] = nil
            scheduler.withdraw(known.request, at: now)
            let free = view.request.notBefore ?? now.time
            tell(known.claim.token, .waits(view.request, pause: max(.zero, free - now.time)))
        }
        changed.removeAll()
        enterQueued()
    }

    /// The record has it first.
    private func tell(_ token: ClaimToken, _ end: ClaimEnd) {
        untold[token] = end
        if ledger.complete(token, end) {
            if case .waits = end { crowd.count.returned += 1 } else { crowd.count.ended += 1 }
        } else {
            untold[token] = nil
        }
    }

    private func refuse(_ claim: Claim, at moment: Instant) {
        refused[claim.request.identifier] = moment + Self.pauseAfterWaiting
        wish()
        crowd.count.unharmed += 1
        tell(claim.token, .waits(claim.request, pause: .zero))
    }

    private func endPatience() {
        for queued in queue where queued.since + Self.patience <= now.instant { refuse(queued.claim, at: now.instant) }
        queue.removeAll { $0.since + Self.patience <= now.instant }
        settle()
        for (task, known) in entered where known.run == nil && known.since + Self.patience <= now.instant {
            entered[task] = nil
            scheduler.withdraw(known.request, at: now)
            refuse(known.claim, at: now.instant)
        }
    }

    // MARK: Wishes

    /// What it could start from now on.
    func wish() {
        refused = refused.filter { $0.value > now.instant }
        let queued = Set(queue.map(\.claim.request.identifier))
        let able = identifiers.indices.filter { scheduler.couldStart(TaskIndex(number: UInt32($0))) }
            .map { identifiers[$0] }.filter { refused[$0] == nil && !queued.contains($0) }
        let waiting = entered.values.count { $0.run == nil }
        let room = min(scheduler.openness(upTo: most).room(for: .long) - waiting, able.count)
        let held = ledger.tokens.count
        store?.claim(room > 0 ? ClaimWish(Set(able), most: min(most, held + room)) : .none)
    }
}
