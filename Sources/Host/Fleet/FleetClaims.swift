import Engine
package import Linux
import Record
import Scheduling
import Setting
package import TaskModel

/// What this host has claimed of the requests of its fleet: it runs them as its own, as long as their leases go on, and says what
/// became of them once its record has it. The record has no claimed request: a host that starts again holds none.
///
/// Calls of the store leave in the turn in which they are decided; ends leave when their turn is durable. Thread: the loop's.
package final class FleetClaims: EventSource {
    /// Since the host started.
    package struct Figures: Sendable, Equatable {
        package var claimed: UInt64 = 0
        /// Claims of requests that another host had when its lease ended.
        package var takenOver: UInt64 = 0
        /// Claims that ended before the host was done with them.
        package var lost: UInt64 = 0
        package var ended: UInt64 = 0
        /// Requests that went back: for another try, or unharmed.
        package var returned: UInt64 = 0
        /// Ends that came too late, which changed nothing.
        package var superseded: UInt64 = 0
    }

    /// A claimed request that cannot start for so long goes back.
    var patience = TimeSpan.minutes(1)
    /// After that nothing of its identifier is claimed for so long.
    static let pauseAfterWaiting = TimeSpan.minutes(1)
    /// The same after a claim of what this host does not install.
    static let pauseAfterRefusal = TimeSpan.minutes(10)
    /// A host that has ended waits so long for answers to what it said last.
    private static let farewell = TimeSpan.seconds(3)

    let store: any ClaimStore
    private let clock: () -> Instant
    let most: Int
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    let requests: Requests
    let device: Device
    private let announcer: Announcer
    private let times: FleetTimes

    var ledger = ClaimLedger()
    /// By the rows of their identifiers.
    var entered: [Int64: EnteredClaim] = [:]
    var rows: [RequestHandle: Int64] = [:]
    var queue: [QueuedClaim] = []
    /// Of which something happened in this turn.
    var changed: Set<Int64> = []
    /// Identifiers of which nothing is claimed until then, by the machine's clock.
    var refused: [String: Instant] = [:]
    var wish = ClaimWish.none
    /// What the wish was made of.
    var openness: Scheduler.Openness?
    var isWishDue = true
    /// The runs of ends that are in the record until the fleet answers.
    private var told: [ClaimToken: ULID] = [:]
    /// Answered ones, which leave the record with the next end: told again after a crash they change nothing.
    private var answered: [ClaimToken] = []
    private static let mostAnswered = 64
    /// Something came after the scheduler had its turn.
    private var hasNews = false
    private var farewellEnd = Instant.distantFuture
    package var figures = Figures()
    /// The store is out of reach since then, by the calendar; nil: it is within reach.
    package private(set) var unreachedSince: Timestamp?
    private var wasReached: Bool

    /// - Parameters:
    ///   - isReached: the store is within reach from the start on.
    ///   - most: claims that are held at once.
    ///   - clock: that of the store's instants.
    init(
        _ store: any ClaimStore, isReached: Bool, most: Int, clock: @escaping () -> Instant, _ decider: Decider,
        _ keeper: RecordKeeper,
        _ installed: Installation, _ requests: Requests, _ device: Device, _ announcer: Announcer
    ) throws(HostError) {
        self.store = store
        wasReached = isReached
        if !isReached { unreachedSince = decider.now.time }
        self.most = most
        self.clock = clock
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.requests = requests
        self.device = device
        self.announcer = announcer
        times = FleetTimes(installed, keeper, decider)
        installed.taskIsNewToFleet = { [unowned self] task throws(HostError) in try times.look(at: task) }
        requests.claimEnded = { [unowned self] in noteEnd(of: $0, run: $1, $2) }
        requests.claimForgotten = { [unowned self] in changed.insert(ClaimedIdentity.row($0)) }
        // A host installs before it joins.
        for task in installed.tasks.indices { try times.look(at: task) }
        for untold in try HostError.rethrowing(store: keeper.store.untoldEnds()) {
            told[untold.token] = untold.run
            ledger.repeat(untold.token, untold.end(at: decider.now.time))
        }
    }

    // MARK: Looking

    /// Claims that the host holds.
    package var count: Int { ledger.tokens.count }

    /// Nothing of the fleet is left here, and the fleet knows; or it does not answer.
    var isQuiet: Bool {
        guard entered.isEmpty, queue.isEmpty, answered.isEmpty else { return false }
        return ledger.unansweredCount == 0 || !ledger.isReached || farewellEnd <= decider.machine.instant
    }

    // MARK: The turn

    /// What the store has said, and what the clock says of leases; before the scheduler has its turn.
    func hear() {
        hasNews = false
        while let event = store.takeEvent() {
            note(event)
            ledger.handle(event, at: clock())
        }
        ledger.advance(to: clock())
        for due in times.takeDue(at: decider.now.time) { ledger.submit(due.key, due.request) }
        carryOut()
        enterQueued()
        endPatience(at: decider.machine.instant)
        carryOut()
    }

    /// Ends of this turn, and what could start from now on; after all else has been decided.
    func settle() {
        if decider.isStopping { stop() }
        while !changed.isEmpty {
            let list = changed.sorted()
            changed.removeAll()
            for row in list { settle(row) }
            decider.settle()
        }
        if enterQueued() { hasNews = true }
        if answered.count >= Self.mostAnswered || (decider.isStopping && !answered.isEmpty) { forgetAnswered() }
        renewWish()
        carryOut()
    }

    private func stop() {
        for (row, known) in entered where requests.running[known.request] == nil { changed.insert(row) }
        for queued in queue { giveBack(queued.claim.token, .waits(queued.claim.request, pause: .zero)) }
        queue.removeAll()
        isWishDue = true
        if farewellEnd == .distantFuture, decider.isQuiet { farewellEnd = decider.machine.instant + Self.farewell }
    }

    /// Carries out the ledger's decisions.
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
        case .completed(let token, let isAccepted): hearAnswer(token, isAccepted)
        case .submitted(let key): times.acknowledge(key)
        case .renew(let tokens):
            Failpoint.pass(.claimRenew)
            store.renew(tokens)
        case .complete(let token, let end): store.complete(token, end, report(of: token))
        case .submit(let key, let request):
            Failpoint.pass(.claimSubmit)
            store.submit(key, request)
        }
    }

    // MARK: Saying

    /// Says the end of a claim's run, once this turn is durable. It is in the record until the fleet has answered.
    func tell(_ end: UntoldEnd) {
        forgetAnswered()
        keeper.write(.claimEnded(end))
        told[end.token] = end.run
        let said = end.end(at: decider.now.time)
        keeper.afterCommit { [unowned self] in
            Failpoint.pass(.claimEnd)
            if !giveBack(end.token, said) { noteAnswer(end.token) }
            carryOut()
        }
    }

    /// What the record has of the claim's run.
    private func report(of token: ClaimToken) -> ClaimReport {
        guard let id = told[token], let run = try? keeper.reader.run(id) else { return .none }
        let output = (try? keeper.reader.output(of: id).bytes) ?? []
        return ClaimReport(run, output: output.suffix(ClaimReport.mostOutput))
    }

    private func noteAnswer(_ token: ClaimToken) {
        if told.removeValue(forKey: token) != nil { answered.append(token) }
    }

    private func forgetAnswered() {
        for token in answered { keeper.write(.claimTold(token)) }
        answered.removeAll(keepingCapacity: true)
    }

    /// Says the end of a claim of which the record says nothing.
    ///
    /// - Returns: whether the claim was held; otherwise this is nothing.
    @discardableResult
    func giveBack(_ token: ClaimToken, _ end: ClaimEnd) -> Bool {
        guard ledger.complete(token, end) else { return false }
        if case .waits = end { figures.returned += 1 } else { figures.ended += 1 }
        isWishDue = true
        hasNews = true
        return true
    }

    private func hearAnswer(_ token: ClaimToken, _ isAccepted: Bool) {
        Failpoint.pass(.claimAnswer)
        noteAnswer(token)
        guard !isAccepted else { return }
        figures.superseded += 1
        log(
            .notice,
            "the end of a run of the fleet came too late; \(token.key), claim \(token.number); it does not count")
    }

    private func note(_ event: ClaimEvent) {
        switch event {
        case .outOfReach where unreachedSince == nil:
            unreachedSince = decider.now.time
            log(.warning, "the fleet is out of reach; its requests go on here until their leases end; see the database")
        case .reached:
            if wasReached, unreachedSince != nil { log(.notice, "the fleet is within reach again") }
            (unreachedSince, wasReached) = (nil, true)
        default: return
        }
    }

    func log(_ priority: LogPriority, _ sentence: String) { announcer.log?.add(LogEntry(priority, nil, sentence)) }

    // MARK: EventSource

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        if let descriptor = store.eventDescriptor { try registry.add(descriptor, tag: 0, urgent: false) }
    }

    /// The turn takes the events.
    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}

    package var nextDeadline: Instant {
        let now = decider.machine.instant
        if hasNews { return now }
        var next = min(patienceEnd, refused.values.min() ?? .distantFuture)
        if farewellEnd > now { next = min(next, farewellEnd) }
        if let time = times.next { next = min(next, now + max(.zero, time - decider.now.time)) }
        let lease = ledger.nextDeadline
        // By this clock, which stands still while the machine sleeps: the end of a sleep makes a turn.
        if lease < .distantFuture { next = min(next, now + max(.zero, lease - clock())) }
        return next
    }

    package func close() {}
}
