import Engine
import Record
import Scheduling
import TaskModel
import TestSupport

@testable import Fleet

/// One host of the crowd: a real scheduler, engine and ledger, over a store with the real statements. Its runs are times at which
/// they end. It has a record of what it has told the fleet, and nothing else outlives it.
final class CrowdHost {
    /// The first one crashes the host that runs it.
    static let poison = "com.example.poison"
    private static let margin = TimeSpan.milliseconds(40)
    /// A claimed request that cannot start for so long goes back.
    static let patience = TimeSpan.milliseconds(300)

    unowned let crowd: Crowd
    let index: Int
    let identifiers: [String]
    let labels: [String: String]
    let most: Int
    let lease: TimeSpan
    var random: SeededGenerator
    /// Ends that the fleet has not acknowledged.
    var untold: [ClaimToken: ClaimEnd] = [:]
    /// It was said to drain, for this time; nil: it does not.
    var drained: Int?
    /// Claims that came.
    var claims = 0

    var scheduler = Scheduler(limits: SchedulerLimits())
    var engine = Engine(limits: CrowdHost.limits, nextSequence: 1)
    var ledger = ClaimLedger(margin: CrowdHost.margin)
    private(set) var store: CrowdClaims?
    var entered: [TaskIndex: CrowdClaim] = [:]
    var queue: [(claim: Claim, since: Instant)] = []
    var runs: [RunHandle: CrowdRun] = [:]
    var changed: Set<TaskIndex> = []
    /// Identifiers of which nothing is claimed until then.
    var refused: [String: Instant] = [:]
    var now = CrowdClock.now
    var launches: UInt64 = 0
    /// Its process stands still until then.
    private var stillUntil = Instant(nanoseconds: 0)
    /// It wants a turn then.
    private var deadline = Instant.distantFuture
    private var isInTurn = false

    private static let limits = EngineLimits(profile: .modern, concurrency: 8, cores: 2, metersMemory: false)

    init(_ crowd: Crowd, index: Int, seed: UInt64) {
        self.crowd = crowd
        self.index = index
        var random = SeededGenerator(seed: seed)
        identifiers = CrowdWorld.identifiers(of: index, &random)
        labels = CrowdWorld.labels(&random)
        most = Int.random(in: 1...3, using: &random)
        lease = .milliseconds(Int64.random(in: 500...1000, using: &random))
        self.random = random
    }

    var name: String { "host\(index)" }

    var member: FleetMember {
        // It counts as alive for as long as the test takes.
        FleetMember(
            name: name, identity: HostID(high: 9, low: UInt64(index)), boot: "00000000-0000-4000-8000-000000000001",
            version: "1", labels: labels, lease: .minutes(10))
    }

    // MARK: Its life

    /// It starts, or starts again: of its claims nothing is left, and what it had to tell is told once more.
    func begin() {
        now = CrowdClock.now
        var limits = SchedulerLimits()
        limits.processings = most
        scheduler = Scheduler(limits: limits)
        engine = Engine(limits: Self.limits, nextSequence: 1)
        ledger = ClaimLedger(margin: Self.margin)
        let application = scheduler.addApplication(ApplicationMemory())
        _ = engine.addApplication(ApplicationRules(isolatesRuns: false))
        for index in identifiers.indices {
            var rules = TaskSchedulingRules(application: application, kind: .processing)
            rules.identity = Int64(index) + 1
            rules.attempts = 3
            rules.backoff = .milliseconds(40)
            _ = scheduler.addTask(rules)
            _ = engine.addTask(
                TaskRules(
                    application: application, wallClock: .minutes(5), grace: .seconds(5), cpuTime: nil,
                    memory: .mebibytes(64), isMonitored: false))
        }
        scheduler.setConditions(.quiet, at: now)
        scheduler.begin(at: now)
        scheduler.removeDecisions()
        crowd.count.repeated += untold.count
        for (token, end) in untold.sorted(by: { $0.key < $1.key }) { ledger.repeat(token, end) }
        store = CrowdClaims(crowd, self)
    }

    /// It dies, and comes back after a while.
    func die() {
        guard let store else { return }
        crowd.count.deaths += 1
        store.die()
        self.store = nil
        (entered, queue, runs, changed, refused) = ([:], [], [:], [], [:])
        crowd.later(random.span(.milliseconds(10), .milliseconds(300))) { [self] in begin() }
    }

    func stand(stillFor span: TimeSpan) {
        crowd.count.stops += 1
        stillUntil = CrowdClock.now.instant + span
        crowd.later(span) { [self] in turn() }
    }

    var isWilling: Bool { store?.isWilling == true && stillUntil <= CrowdClock.now.instant }

    func look() { store?.look() }

    /// It is there, and has told and heard everything.
    var isQuiet: Bool { store?.isReached == true && untold.isEmpty && ledger.unansweredCount == 0 }

    /// It shares a request with the fleet, if it lives.
    func share(_ key: ULID, _ request: TaskRequest) {
        guard store != nil else { return }
        ledger.submit(key, request)
        carryOut()
    }

    /// Something that it cannot do without is missing for a while.
    func starve(for span: TimeSpan) {
        crowd.count.shortages += 1
        setConditions { $0.memoryPressure = .yes }
        crowd.later(span) { [self] in setConditions { $0.memoryPressure = .no } }
    }

    private func setConditions(_ change: (inout DeviceConditions) -> Void) {
        guard store != nil else { return }
        var conditions = scheduler.conditions
        change(&conditions)
        scheduler.setConditions(conditions, at: CrowdClock.now)
        turn()
    }

    // MARK: The turn

    func turn() {
        now = CrowdClock.now
        guard let store, stillUntil <= now.instant, !isInTurn else { return }
        isInTurn = true
        hear(store)
        scheduler.advance(to: now)
        settle()
        engine.advance(to: now)
        act()
        endRuns()
        settle()
        settleClaims()
        wish()
        carryOut()
        isInTurn = false
        guard self.store != nil else { return }
        // It takes time for all that there is.
        if random.chance(0.02) { check() }
        wakeUp()
    }

    /// Notes what is in disorder.
    func check() {
        for fault in [ledger.check(), scheduler.check(), engine.check()] {
            if let fault { crowd.history.disorders.append("host \(index): \(fault)") }
        }
    }

    private func wakeUp() {
        var next = min(scheduler.nextDeadline(at: now), min(engine.nextDeadline, ledger.nextDeadline))
        for run in runs.values { next = min(next, run.end) }
        if !queue.isEmpty || entered.values.contains(where: { $0.run == nil }) {
            next = min(next, now.instant + Self.patience)
        }
        next = min(next, refused.values.min() ?? .distantFuture)
        guard next < .distantFuture, next < deadline || deadline <= now.instant else { return }
        deadline = next
        crowd.later(next - now.instant) { [self] in
            // An earlier one has come since, and called for this one again if it was still wanted.
            guard deadline == next else { return }
            deadline = .distantFuture
            turn()
        }
    }
}
