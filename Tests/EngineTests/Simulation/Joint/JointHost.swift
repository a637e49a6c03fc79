import Engine
import Record
import Scheduling
import TaskModel
import TestSupport
import Transfers

/// Plays the host that joins the scheduler and the engine, with its store, its workers, its users and its clocks, and
/// checks the promises on the way. The turn is the host's: read, decide, write, and act on turns that are durable.
final class JointHost {
    let seed: UInt64
    var world: JointWorld
    var random: SeededGenerator
    var engine: Engine
    var scheduler: Scheduler
    var now: ClockReading
    var agenda = Agenda<JointHappening>()
    var conditions = DeviceConditions()

    // What the record holds, and what this turn adds to it.
    let kept = MemoryStore()
    var store: LateStore
    var mood = JointMood.prompt
    /// It broke: the host says so and ends.
    var isBroken = false
    var lastSequence: Int64 = 0
    var runWrites: [RecordWrite] = []
    var requestWrites: [RecordWrite] = []
    /// Turns of this life.
    var number: UInt64 = 0
    /// What turns that are not durable yet have to do, oldest first.
    var held: [(turn: UInt64, actions: [Action], effects: [TransferEffect])] = []
    /// The newest turn whose effects the outside has seen.
    var told: UInt64 = 0
    /// What the outside was promised with each turn from that one on.
    var promises: [UInt64: JointPromise] = [:]
    /// Requests that the outside knows to be done.
    var acknowledged: Set<Submitted> = []
    var ids: UInt64 = 0

    // What the outside knows.
    var pending: [Int64: JointRequest] = [:]
    /// Of each identity the one that began last, and those that go on beside it, which the record does not have.
    var running: [Int64: JointRequest] = [:]
    var overtaken: [RunHandle: JointRequest] = [:]
    var runs: [RunHandle: JointRun] = [:]
    var workers: [WorkerHandle: JointWorker] = [:]
    /// Times of schedules that have succeeded: none of them again.
    var done: Set<DoneTime> = []
    /// Workers of an earlier revision that are about to be launched, by application.
    var outdatedLaunches: [WorkerHandle: ApplicationIndex] = [:]
    /// How far the calendar was set back since `done` was begun.
    var setBack = TimeSpan.zero
    /// What a user holds back.
    var stops: [PausedPart: WorkPause] = [:]
    /// How often in a row others of a kind went past a priority that could have started.
    var passed: [TaskKind: [WorkPriority: Int]] = [:]
    /// A user cancelled one of its schedule's times, had it run early, or put another request in its place.
    var skipped: Set<Int64> = []

    var actions: [Action] { engine.actions }
    private var work: [Action] = []
    private var lastTurn = Instant(nanoseconds: 0)
    var decisions: [Decision] { scheduler.decisions }
    // Transfers, with their own random numbers.
    var queue = TransferQueue(limits: TransferLimits())
    var outside = JointTransfers()
    var fortune: SeededGenerator
    var effects: [TransferEffect] = []
    var writes: [RecordWrite] = []
    var attempts = 0
    // Requests that it shares with others, with their own random numbers.
    let fleet: JointFleet
    var claims = JointClaims()
    // When the pace after the last run of each identity ends.
    var paceEnds: [Int64: Instant] = [:]
    // What the policy received last.
    var toldSpace = Int64.max
    var toldConditions = DeviceConditions()
    /// Turns at this very instant.
    private var turnsAtOnce = 0
    var isStopping = false
    /// Nothing fails from then on.
    var isCalm = false
    /// What the machine lacks for every launch; nil: nothing.
    var famine: Shortage?
    var count = Count()
    let isTracing: Bool
    private var trace: [String?] = Array(repeating: nil, count: 60)
    private var traced = 0

    struct DoneTime: Hashable {
        var identity: Int64
        var time: Timestamp
    }

    struct Submitted: Hashable {
        var identity: Int64
        var submitted: Timestamp

        init(_ request: TaskRequest) {
            identity = request.identity
            submitted = request.submitted
        }
    }

    struct Count {
        var turns = 0
        var submissions = 0
        var refusals = 0
        var starts = 0
        /// Beside another run of their identity, and the most of these.
        var beside = 0
        var mostBeside = 0
        var forced = 0
        var retries = 0
        var expirations = 0
        var deaths = 0
        var late = 0
        var broken = 0
        var stalled = 0
        var unheard = 0
        var recovered = 0
        var scheduled = 0
        var returns = 0
        var starved = 0
        var deferrals = 0
        /// The most deferrals in a row.
        var longestRow: UInt8 = 0
        var pauses = 0
        /// Pauses whose ends came, and those that a host found in the record.
        var pauseEnds = 0
        var pausesKept = 0
        /// Starts that went past a lower priority, and those of one that was passed too often.
        var preferred = 0
        var overdue = 0
        var outcomes: [Outcome: Int] = [:]
        var transfers = JointTransfers.Count()

        static func += (a: inout Count, b: Count) {
            a.turns += b.turns
            a.submissions += b.submissions
            a.refusals += b.refusals
            a.starts += b.starts
            a.beside += b.beside
            a.mostBeside = max(a.mostBeside, b.mostBeside)
            a.forced += b.forced
            a.retries += b.retries
            a.expirations += b.expirations
            a.deaths += b.deaths
            a.late += b.late
            a.broken += b.broken
            a.stalled += b.stalled
            a.unheard += b.unheard
            a.recovered += b.recovered
            a.scheduled += b.scheduled
            a.returns += b.returns
            a.starved += b.starved
            a.deferrals += b.deferrals
            a.pauses += b.pauses
            a.pauseEnds += b.pauseEnds
            a.pausesKept += b.pausesKept
            a.preferred += b.preferred
            a.overdue += b.overdue
            a.transfers += b.transfers
            a.longestRow = max(a.longestRow, b.longestRow)
            a.outcomes.merge(b.outcomes, uniquingKeysWith: +)
        }
    }

    init(seed: UInt64, isTracing: Bool) throws {
        self.seed = seed
        self.isTracing = isTracing
        random = SeededGenerator(seed: seed)
        fortune = SeededGenerator(seed: ~seed)
        outside.limits.concurrency = Int.random(in: 1...6, using: &fortune)
        outside.limits.perApplication = Int.random(in: 1...6, using: &fortune)
        outside.limits.perHost = Int.random(in: 1...4, using: &fortune)
        outside.limits.diskFloor = fortune.chance(0.5) ? 1 << 28 : 0
        world = JointWorld(using: &random)
        if seed % 4 == 0 { world.letRunsOverlap() }
        fleet = try Self.makeFleet(world, seed: seed &* 0x9E37_79B9)
        var names = TurnRecord()
        for index in world.applications.indices {
            names.append(.applicationNamed(Int64(index.number) + 1, "com.example.\(index)"))
        }
        try kept.write(names)
        store = try LateStore(kept) { _ in .done(after: 0) }
        engine = world.engine(nextSequence: 1)
        scheduler = world.scheduler(Self.memories(of: world, in: kept))
        now = ClockReading(
            instant: Instant(nanoseconds: 1_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
        conditions.externalPower = .yes
        conditions.network = .ok
        try begin()
    }

    // MARK: Lives

    /// One life of the host, until it stops or dies.
    func live(for span: TimeSpan) throws {
        let end = now.instant + span
        for happening in [
            JointHappening.submission, .person, .pause, .conditions, .clockJump, .reload, .famine(begins: true),
        ] {
            agenda.add(happening, at: soon(happening))
        }
        while nextWake < end, !isBroken, !hasStalled, !claims.isDying { try turn() }
        if isBroken {
            count.broken += 1
        } else if claims.isDying {
            count.deaths += 1
        } else if mood.answers, random.chance(0.5) {
            try stop()
        } else {
            // It dies in the middle of something, before or after the commit of a turn.
            if random.chance(0.7) {
                for _ in 0..<1000 where running.isEmpty && canGoOn { try turn() }
            }
            for _ in 0..<Int.random(in: 0...40, using: &random) where canGoOn { try turn() }
            if canGoOn { try turn(dies: random.chance(0.5) ? .beforeCommit : .afterCommit) }
            count.deaths += 1
            if !mood.answers && store.isBehind { count.stalled += 1 }
        }
        try restart(isReboot: random.chance(0.3))
    }

    /// The host stops as SIGTERM asks it to: gently, sometimes impatiently.
    private func stop() throws {
        isStopping = true
        scheduler.stop(at: now)
        agenda.removeAll(where: { happening in
            switch happening {
            case .submission, .request, .person, .pause, .leaving, .conditions, .change, .clockJump, .reload, .famine:
                true
            default: false
            }
        })
        feed(.stopping)
        if random.chance(0.3) { feed(.stopping) }
        while !engine.isQuiet || !actions.isEmpty || store.isBehind {
            try turn()
            if isBroken { return count.broken += 1 }
        }
        try expect(runs.isEmpty && running.isEmpty && overtaken.isEmpty, "runs are left after the stop")
        try expect(workers.isEmpty, "workers are left after the stop")
        try inspectRows()
    }

    private var canGoOn: Bool { !isBroken && nextWake < .distantFuture }
    /// Nothing will become durable from then on; a user ends such a host.
    private var hasStalled: Bool { held.count > 300 && !store.isBusy }

    func restart(isReboot: Bool) throws {
        try inspectRemains()
        leaveClaims()
        runs.removeAll()
        workers.removeAll()
        pending.removeAll()
        running.removeAll()
        overtaken.removeAll()
        agenda.removeAll()
        runWrites.removeAll()
        requestWrites.removeAll()
        held.removeAll()
        (effects, writes) = ([], [])
        isBroken = false
        outdatedLaunches.removeAll()
        isStopping = false
        famine = nil
        let pause = random.span(.seconds(1), .minutes(3 * 24 * 60))
        now.time = now.time.advanced(by: pause)
        _ = try fleet.pass(pause, until: nil)
        now.instant = isReboot ? Instant(nanoseconds: 10_000_000_000) : now.instant + pause
        // What a restart finds may have changed meanwhile.
        if random.chance(0.3) { changeConditions() }
        for task in world.tasks.indices where random.chance(0.05) { world.tasks[task].isRemoved.toggle() }
        engine = world.engine(nextSequence: lastSequence + 1)
        scheduler = world.scheduler(Self.memories(of: world, in: kept))
        done.removeAll()
        passed.removeAll()
        try begin()
    }

    /// From the record to the first turn.
    private func begin() throws {
        note("host begins")
        for task in world.tasks.indices where world.tasks[task].isRemoved {
            scheduler.setRemoved(true, task: task, at: now)
        }
        scheduler.setConditions(conditions, at: now)
        restorePauses()
        try expect(decisions.isEmpty, "a scheduler decides before it has begun")
        let failures = promises[kept.durableTurn]?.failures ?? [:]
        let deferrals = promises[kept.durableTurn]?.deferrals ?? [:]
        count.recovered += try recover()
        try forgetClaims()
        try beginStore()
        paceEnds = [:]
        for row in kept.waiting.values.sorted(by: { $0.submitted < $1.submitted }) {
            let task = world.task(of: row.identity)
            let handle = scheduler.restore(row, of: task)
            var known = JointRequest(request: row, task: task, handle: handle)
            // Tries are counted by failures: neither the end of a host nor its death uses one up.
            known.failures = failures[Submitted(row)] ?? 0
            try expect(known.failures == row.failures, "a restart makes \(row.failures) failures of \(known.failures)")
            known.needsForeground = row.kind == .continuedProcessing
            known.deferrals = deferrals[Submitted(row)] ?? 0
            try expect(
                known.deferrals == row.deferrals, "a restart makes \(row.deferrals) of \(known.deferrals) deferrals")
            known.hasStarted = row.attempt > 1 || row.deferrals > 0
            if let end = row.notBefore, end > now.time {
                let rest = TimeSpan(nanoseconds: end.nanoseconds - now.time.nanoseconds)
                let longest = max(world.limits.longestBackoff, row.deferrals > 0 ? .seconds(7 * 86_400) : .zero)
                known.pauseEnd = now.instant + min(rest, longest)
            }
            pending[row.identity] = known
        }
        scheduler.begin(at: now)
        try settle(.begin)
        try restoreTransfers()
        try beginClaims()
        try turn(isFirst: true)
    }

    // MARK: Turns

    enum Death {
        case beforeCommit
        case afterCommit
    }

    var nextWake: Instant {
        guard actions.isEmpty else { return now.instant }
        guard effects.isEmpty && writes.isEmpty else { return now.instant }
        let deadline = min(engine.nextDeadline, scheduler.nextDeadline(at: now), queue.nextDeadline(at: now))
        let own = min(agenda.next, deadline, claimDeadline)
        return store.isBusy ? min(own, max(now.instant, lastTurn + .milliseconds(3))) : own
    }

    func turn(isFirst: Bool = false, dies: Death? = nil) throws {
        let wake = isFirst ? now.instant : nextWake
        guard wake < .distantFuture else { throw Violation(description: "nothing will ever happen (\(seed))") }
        turnsAtOnce = wake > now.instant ? 0 : turnsAtOnce + 1
        try expect(turnsAtOnce < 10_000, "the host spins")
        if wake > now.instant { move(by: try fleet.pass(wake - now.instant, until: claims.store)) }
        count.turns += 1
        lastTurn = now.instant
        try hear()
        if isBroken { return }
        try hearClaims()
        while let happening = agenda.takeDue(at: now.instant) { try take(happening) }
        engine.advance(to: now)
        scheduler.advance(to: now)
        try settle(.time)
        try passStates()
        ask { $0.advance(to: $1) }
        try settleTransfers()
        work = engine.actions
        engine.removeActions()
        try bridge(work)
        try settleClaims()
        if dies == .beforeCommit {
            work.removeAll()
            return
        }
        commit(work)
        work.removeAll(keepingCapacity: true)
        if isBroken || dies == .afterCommit { return }
        try actOnDurable()
        try tellEnds()
        // They take time for all that there is, so that not every turn can pay for them.
        if count.turns % 16 == 0 {
            let fault = engine.check() ?? scheduler.check()
            try expect(fault == nil, "engine or scheduler are in disorder: \(fault ?? "")")
        }
        try inspect()
        try inspectTransfers()
        try inspectClaims()
    }

    /// Reports to the scheduler what the engine did for requests; that may start others in the same turn.
    private func bridge(_ list: [Action]) throws {
        for action in list {
            switch action {
            case .write(.insert(let run)):
                lastSequence = engine.runs[run]?.sequence ?? lastSequence
                noteBeginning(of: run)
            case .write(.markExpired(let run)): noteWarning(of: run)
            case .write(.finish(let run)):
                try finish(run)
                noteEnd(of: run)
            default: break
            }
        }
        try tellRenewals()
        try passStates()
    }

    func passStates() throws {
        while let change = engine.takeStateChange() {
            note("application \(change.application) is \(change.state)")
            scheduler.setState(change.state, application: change.application, at: now)
            try settle(.time)
            try stand(change.application, change.state)
        }
    }

    func tellRenewals() throws {
        while let change = engine.takeRenewal() {
            note("application \(change.application) is \(change.isOutdated ? "of an earlier revision" : "up to date")")
            scheduler.setOutdated(change.isOutdated, application: change.application, at: now)
            try settle(.time)
        }
    }

    private func move(by span: TimeSpan) {
        now.instant = now.instant + span
        now.time = now.time.advanced(by: span)
    }

    func feed(_ event: Event) {
        note("\(event)")
        engine.handle(event, at: now)
    }

    func note(_ line: @autoclosure () -> String) {
        guard isTracing else { return }
        trace[traced % trace.count] = "\(now.instant.nanoseconds / 1_000_000) \(now.time.iso8601) \(line())"
        traced += 1
    }

    func expect(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
        if holds { return }
        let last = (0..<trace.count).compactMap { trace[(traced + $0) % trace.count] }
        throw Violation(
            description: "\(rule()) (TASKHOST_SEED=\(seed), turn \(count.turns))\n\(last.joined(separator: "\n"))")
    }
}

extension Timestamp {
    func advanced(by span: TimeSpan) -> Timestamp { Timestamp(nanoseconds: nanoseconds + span.nanoseconds) }
}
