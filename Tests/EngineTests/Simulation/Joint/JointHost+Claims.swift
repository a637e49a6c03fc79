import Engine
import Record
import Scheduling
import TaskModel
import TestSupport

// The host in its fleet: what it does with claims, leases and their ends.
extension JointHost {
    static func makeFleet(_ world: JointWorld, seed: UInt64) throws -> JointFleet {
        let tasks = world.tasks.indices.filter { world.tasks[$0].scheduling.kind != .continuedProcessing }
        return try JointFleet(seed: seed, identifiers: tasks.map(JointClaims.identifier))
    }

    /// A host that begins holds nothing: what it left of claims in its record is forgotten.
    func forgetClaims() throws {
        var record = TurnRecord()
        for (identity, row) in kept.waiting.sorted(by: { $0.key < $1.key }) where JointClaims.isClaimed(identity) {
            record.append(.requestForgotten(identity: identity, submitted: row.submitted))
        }
        try kept.write(record)
    }

    /// The host is gone, and its claims with it.
    func leaveClaims() {
        fleet.count.left += claims.ledger.tokens.count
        claims = JointClaims()
    }

    func beginClaims() throws {
        if isCalm { fleet.calm() }
        var fates = JointFates(seed: fleet.fortune.next(), lease: fleet.table.lease, chanceOfCut: 0.04)
        claims = JointClaims()
        claims.most = Int.random(in: 1...4, using: &fleet.fortune)
        claims.store = try MemoryClaims(fleet.table, clock: now.instant) { [unowned self] call in
            fates.next(call, isCalm: isCalm)
        }
        wishClaims()
    }

    /// When claims need a turn by themselves.
    var claimDeadline: Instant {
        guard let store = claims.store else { return .distantFuture }
        guard claims.next == nil else { return now.instant }
        let deadline = claims.ledger.nextDeadline
        return deadline < .distantFuture ? now.instant + (deadline - store.now) : .distantFuture
    }

    // MARK: In the turn

    /// What the store has said, and what the clock says of leases.
    func hearClaims() throws {
        guard let store = claims.store else { return }
        if isStopping { wishClaims() }
        if count.turns % 64 == 0 { try shareSome() }
        while let event = store.takeEvent() {
            note("claims: \(event)")
            if event == .outOfReach { fleet.count.cuts += 1 }
            claims.ledger.handle(event, at: store.now)
        }
        claims.ledger.advance(to: store.now)
        try carryOutClaims()
        while let claim = claims.next {
            claims.queue.removeAll { $0.token == claim.token }
            try enter(claim)
        }
        try carryOutClaims()
    }

    private func carryOutClaims() throws {
        while !claims.ledger.decisions.isEmpty {
            let list = claims.ledger.decisions
            claims.ledger.removeDecisions()
            for decision in list {
                note("=> \(decision)")
                switch decision {
                case .take(let claim): try take(claim)
                case .drop(let token, let loss): try drop(token, loss)
                case .completed(let token, let isAccepted): try hearEnd(token, isAccepted)
                case .submitted(let key): fleet.noteKept(key)
                case .renew(let tokens): claims.store?.renew(tokens)
                case .complete(let token, let end):
                    claims.said[token] = end
                    claims.store?.complete(token, end)
                case .submit(let key, let request): claims.store?.submit(key, request)
                }
            }
        }
    }

    private func take(_ claim: Claim) throws {
        fleet.count.claims += 1
        if claim.losses > 0 { fleet.count.takenOver += 1 }
        if !isCalm, fleet.fortune.chance(0.3) {
            let troubles = [ClaimHappening.sleep, .cut, .recall(claim.token.key)]
            let trouble = fleet.fortune.chance(0.1) ? .death : troubles.randomElement(using: &fleet.fortune)
            agenda.add(.claim(trouble ?? .cut), at: now.instant + fleet.uniform(.milliseconds(100), .minutes(1)))
        }
        guard claims.entered[JointClaims.identity(of: claim)] != nil else { return try enter(claim) }
        fleet.count.queued += 1
        claims.queue.append(claim)
    }

    /// The request waits here as others do.
    private func enter(_ claim: Claim) throws {
        let (task, identity) = (JointClaims.task(of: claim), JointClaims.identity(of: claim))
        guard !isStopping, !world.tasks[task].isRemoved else {
            refuse(claim)
            return giveBack(claim.token, .waits(claim.request, pause: .zero))
        }
        try expect(pending[identity] == nil && running[identity] == nil, "two claims of a task are here at once")
        var request = claim.request
        request.identity = identity
        request.submitted = now.time
        let handle = scheduler.restore(request, of: task)
        guard let view = scheduler.request(handle) else {
            return try expect(false, "a claimed request is not taken in")
        }
        requestWrites.append(.requestPut(view.request))
        // A clock that was set back may show the very time again at which an earlier one came.
        acknowledged.remove(Submitted(view.request))
        var known = JointRequest(request: view.request, task: task, handle: handle)
        known.failures = view.request.failures
        known.deferrals = view.request.deferrals
        known.hasStarted = view.request.attempt > 1 || view.request.deferrals > 0
        pending[identity] = known
        claims.entered[identity] = JointClaims.Entered(claim: claim)
        agenda.add(
            .claim(.patience(claim.token)), at: now.instant + fleet.fortune.span(.seconds(20), .minutes(4)))
    }

    /// It is another's: what waits of it is forgotten, what runs of it ends.
    private func drop(_ token: ClaimToken, _ loss: ClaimLoss) throws {
        if loss == .fenced { fleet.count.fenced += 1 } else { fleet.count.taken += 1 }
        claims.queue.removeAll { $0.token == token }
        guard let identity = claims.entered.first(where: { $0.value.claim.token == token })?.key else { return }
        if pending[identity] != nil { return try withdraw(identity) }
        guard let known = running[identity], let run = known.run else { return }
        claims.entered[identity]?.lost = now.instant
        running[identity]?.isDoomed = true
        fleet.count.cutShort += 1
        try expect(scheduler.withdraw(known.handle, at: now), "a claimed request runs that the scheduler does not know")
        feed(.cancelled(run))
    }

    /// A claimed request that waits is forgotten here.
    private func withdraw(_ identity: Int64) throws {
        guard let known = pending[identity] else { return }
        claims.entered[identity] = nil
        try expect(
            scheduler.withdraw(known.handle, at: now), "a claimed request waits that the scheduler does not know")
        try settle(.cancellation([identity]))
        try expect(pending[identity] == nil, "a claimed request waits that was withdrawn")
    }

    private func hearEnd(_ token: ClaimToken, _ isAccepted: Bool) throws {
        guard let end = claims.said.removeValue(forKey: token) else {
            return try expect(false, "an answer comes to an end that nobody told, or a second one")
        }
        fleet.count.accepted += isAccepted ? 1 : 0
        try fleet.note(token, end, isAccepted)
    }

    // MARK: Ends

    /// A run of the identity has ended.
    func noteClaim(_ identity: Int64, _ outcome: Outcome) { claims.entered[identity]?.outcome = outcome }

    /// Claims whose requests are done here: ended, to be tried again by whoever can, or left by a host that stops.
    func settleClaims() throws {
        for (identity, known) in claims.entered.sorted(by: { $0.key < $1.key }) {
            if let waiting = pending[identity] {
                guard known.outcome != nil || isStopping else { continue }
                let pause = max(waiting.pauseEnd, now.instant) - now.instant
                try withdraw(identity)
                tell(known.claim.token, .waits(waiting.request, pause: min(pause, .minutes(10))))
            } else if running[identity] == nil {
                claims.entered[identity] = nil
                // A user may have cancelled it.
                if known.lost == nil { tell(known.claim.token, .ended(known.outcome ?? .cancelled)) }
            }
        }
    }

    /// Once this turn is durable.
    private func tell(_ token: ClaimToken, _ end: ClaimEnd) { claims.ends.append((number + 1, token, end)) }

    /// Tells the fleet the ends that are durable here.
    func tellEnds() throws {
        while let first = claims.ends.first, first.turn <= told {
            claims.ends.removeFirst()
            giveBack(first.token, first.end)
        }
        try carryOutClaims()
    }

    private func giveBack(_ token: ClaimToken, _ end: ClaimEnd) {
        guard claims.ledger.complete(token, end) else { return }
        if case .waits = end { fleet.count.returned += 1 }
    }

    // MARK: Wishes

    private func wishClaims() {
        claims.refused = claims.refused.filter { $0.value > now.instant }
        let able = sharedTasks.filter(couldStart).map(JointClaims.identifier)
        let wish =
            isStopping ? .none : ClaimWish(Set(able.filter { claims.refused[$0] == nil }), most: claims.most)
        guard wish != claims.wish else { return }
        claims.wish = wish
        claims.store?.claim(wish)
    }

    private var sharedTasks: [TaskIndex] {
        world.tasks.indices.filter { world.tasks[$0].scheduling.kind != .continuedProcessing }
    }

    /// All its gates are open at this moment.
    private func couldStart(_ task: TaskIndex) -> Bool {
        let request = TaskRequest(identity: Int64(task.number) * 100 + 90, kind: world.tasks[task].scheduling.kind)
        return holds(JointRequest(request: request, task: task, handle: RequestHandle(index: 0, generation: 0)))
            .isEmpty
    }

    /// The host takes no more of this task for a while. It says so first, so that what goes back does not return at once.
    private func refuse(_ claim: Claim) {
        let end = now.instant + fleet.fortune.span(.minutes(10), .minutes(60))
        claims.refused[claim.request.identifier] = end
        agenda.add(.claim(.wish), at: end)
        wishClaims()
    }

    // MARK: Happenings

    func take(_ happening: ClaimHappening) throws {
        switch happening {
        case .wish: wishClaims()
        case .patience(let token):
            guard let (identity, known) = claims.entered.first(where: { $0.value.claim.token == token }),
                let waiting = pending[identity]
            else { return }
            try withdraw(identity)
            refuse(known.claim)
            tell(token, .waits(waiting.request, pause: .zero))
        case .death: claims.isDying = !claims.ledger.tokens.isEmpty && !isStopping
        case .recall(let key): fleet.table.cancel(key)
        case .cut: claims.store?.cut(for: fleet.trouble())
        case .sleep:
            let span = fleet.trouble()
            note("the machine sleeps for \(span)")
            fleet.count.sleeps += 1
            claims.store?.isStopped = true
            _ = try fleet.pass(span, until: nil)
            claims.store?.isStopped = false
            now.time = now.time.advanced(by: span)
            try hearClaims()
        }
    }

    /// The fleet gets requests from somebody, of tasks that this host could start as well, or of any.
    private func shareSome() throws {
        wishClaims()
        guard !isCalm, !isStopping else { return }
        let wanted = sharedTasks.filter(couldStart)
        guard fleet.fortune.chance(wanted.isEmpty ? 0.05 : 0.4) else { return }
        let choice = fleet.fortune.chance(0.1) ? sharedTasks : wanted
        for _ in 0..<Int.random(in: 1...4, using: &fleet.fortune) {
            if let task = choice.randomElement(using: &fleet.fortune) { share(task) }
        }
        try carryOutClaims()
    }

    private func share(_ task: TaskIndex) {
        var terms = RequestTerms()
        terms.origin = fleet.fortune.chance(0.5) ? .application : .person
        terms.requiresExternalPower = fleet.fortune.chance(0.1)
        terms.requiresNetwork = fleet.fortune.chance(0.1)
        var request = TaskRequest(
            identifier: JointClaims.identifier(of: task), kind: world.tasks[task].scheduling.kind, terms: terms)
        request.payload = [UInt8(truncatingIfNeeded: fleet.count.shared)]
        let key = fleet.newKey()
        fleet.count.shared += 1
        if fleet.fortune.chance(0.5) {
            claims.ledger.submit(key, request)
        } else {
            fleet.rivals.randomElement(using: &fleet.fortune)?.share(key, request)
        }
    }
}
