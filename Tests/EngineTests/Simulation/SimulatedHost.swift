import Engine
import TaskModel
import TestSupport

/// Plays the host, its workers, the kernel and the clock for the real engine, and checks every rule on the way.
///
/// The turn is the host's: read what has come, let the engine decide, commit, act.
final class SimulatedHost {
    let seed: UInt64
    let world: World
    /// Traces cost most of the time: a seed that broke a rule is simulated once more with them.
    private let isTracing: Bool
    var random: SeededGenerator
    var engine: Engine
    var now: ClockReading
    var agenda = Agenda<Happening>()
    /// What the engine asked for and was not done yet, and the list that is being worked off.
    var actions: [Action] { engine.actions }
    var work: [Action] = []
    var runs: [RunHandle: SimulatedRun] = [:]
    var workers: [WorkerHandle: SimulatedWorker] = [:]
    /// The record: the number of the last run, and the runs without an outcome.
    var lastSequence: Int64 = 0
    var open: Set<Int64> = []
    /// Every handle of this life: none is given twice.
    var givenRuns: Set<RunHandle> = []
    var givenWorkers: Set<WorkerHandle> = []
    var stops = 0
    /// The machine sleeps as far as the host is concerned; it was allowed to.
    var isAsleep = false
    var isSleepAllowed = false
    var isMemoryShort = false
    /// The tree that the action before this one swept.
    var lastSwept: WorkerHandle?
    /// The number of the last launch.
    var launch: UInt32 = 0
    /// Applications that a user has in front.
    var inFront: Set<ApplicationIndex> = []
    /// What applications keep, as it was weighed last.
    var weights: [ApplicationIndex: ByteCount] = [:]
    /// Applications whose folders were refused more at some time.
    var refused: Set<ApplicationIndex> = []
    /// The disk was nearly full at some time.
    var wasDiskLow = false
    /// No more submissions by itself.
    var isClosing = false
    var count = Count()
    private var trace: [String?] = Array(repeating: nil, count: 80)
    private var traced = 0

    /// What was seen, to know that a simulation is worth something.
    struct Count {
        var turns = 0
        var runs = 0
        var workers = 0
        var interruptedByDeath = 0
        var outcomes: [Outcome: Int] = [:]
        var warnings: [Reason: Int] = [:]
        var assertionsWarned = 0
        var assertionsKilled = 0
        var launchesToFront = 0
        var spares = 0
        var adoptions = 0
        var chargedStarts = 0
        var losses = 0
        var examinations = 0
        var freezes = 0
        var pauses = 0
        var sessions = 0
        var terminations: [TerminationReason: Int] = [:]

        static func += (a: inout Count, b: Count) {
            a.turns += b.turns
            a.runs += b.runs
            a.workers += b.workers
            a.interruptedByDeath += b.interruptedByDeath
            a.outcomes.merge(b.outcomes, uniquingKeysWith: +)
            a.warnings.merge(b.warnings, uniquingKeysWith: +)
            a.assertionsWarned += b.assertionsWarned
            a.assertionsKilled += b.assertionsKilled
            a.launchesToFront += b.launchesToFront
            a.spares += b.spares
            a.adoptions += b.adoptions
            a.chargedStarts += b.chargedStarts
            a.losses += b.losses
            a.examinations += b.examinations
            a.freezes += b.freezes
            a.pauses += b.pauses
            a.sessions += b.sessions
            a.terminations.merge(b.terminations, uniquingKeysWith: +)
        }
    }

    init(seed: UInt64, isTracing: Bool) {
        self.seed = seed
        self.isTracing = isTracing
        random = SeededGenerator(seed: seed)
        world = World(using: &random)
        engine = world.engine(nextSequence: 1)
        now = ClockReading(
            instant: Instant(nanoseconds: 1_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    }

    // MARK: Lives

    /// One life of the host: it takes submissions for that long, then ends in one of several ways.
    func live(for span: TimeSpan) throws {
        let end = now.instant + span
        isClosing = false
        agenda.add(.burst(left: 1), at: now.instant)
        if random.chance(0.6) { agenda.add(.sleep, at: now.instant + random.span(.seconds(1), span)) }
        if random.chance(0.6) { agenda.add(.pressure(true), at: now.instant + random.span(.seconds(1), span)) }
        while min(agenda.next, engine.nextDeadline) < end, try turn() {}
        // It ends in the middle of something.
        isClosing = true
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            agenda.add(.submission, at: now.instant + random.span(TimeSpan(nanoseconds: 1000), .seconds(10)))
        }
        for _ in 0..<Int.random(in: 0...150, using: &random) { _ = try turn() }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try settle()
        case 1:
            agenda.add(.stop, at: now.instant)
            try settle()
        case 2:
            agenda.add(.stop, at: now.instant)
            agenda.add(.stop, at: now.instant + random.span(.milliseconds(1), .seconds(2)))
            try settle()
        case 3:
            agenda.add(.submission, at: now.instant)
            agenda.add(.stop, at: now.instant)
            agenda.add(.stop, at: now.instant)
            try settle()
        default: die()
        }
        try restart()
    }

    /// Goes on until nothing will ever happen, and expects nothing to be left.
    private func settle() throws {
        for application in world.applications.indices {
            agenda.add(.foreground(application, false), at: now.instant + .minutes(6))
        }
        agenda.add(.pressure(false), at: now.instant + .minutes(7))
        agenda.add(.wakeUp, at: now.instant + .minutes(7))
        while try turn() {}
        try expect(workers.values.allSatisfy(\.isSuspended), "an application is left that is not suspended")
        if !workers.isEmpty {
            agenda.add(.stop, at: now.instant)
            while try turn() {}
        }
        try expect(engine.isQuiet, "the engine is not quiet at the end")
        try expect(engine.occupied == 0 && engine.waiting == 0, "runs are left at the end")
        try expect(runs.isEmpty, "\(runs.count) runs had no reply")
        try expect(workers.isEmpty, "\(workers.count) workers were not retired")
        try expect(open.isEmpty, "\(open.count) runs have no outcome")
    }

    /// The host dies, before or after the commit of its last turn; its workers die with it.
    private func die() {
        if Bool.random(using: &random) {
            for case .write(.insert(let run)) in actions {
                guard let slot = engine.runs[run] else { continue }
                open.insert(slot.sequence)
                lastSequence = slot.sequence
            }
        }
        count.interruptedByDeath += open.count
    }

    /// A new engine, with the record of the old one.
    private func restart() throws {
        open.removeAll()
        givenRuns.removeAll()
        givenWorkers.removeAll()
        runs.removeAll()
        workers.removeAll()
        agenda.removeAll()
        stops = 0
        (isAsleep, isSleepAllowed, isMemoryShort) = (false, false, false)
        inFront.removeAll()
        engine = world.engine(nextSequence: lastSequence + 1)
        try expect(engine.isQuiet && engine.nextDeadline == .distantFuture, "a new engine is not quiet")
        move(to: now.instant + random.span(.seconds(1), .minutes(10)))
    }

    // MARK: Turns

    /// False when nothing will ever happen.
    func turn() throws -> Bool {
        var wake = now.instant
        if actions.isEmpty {
            wake = min(agenda.next, engine.nextDeadline)
            guard wake < .distantFuture else { return false }
            let late = random.chance(0.05) ? random.span(TimeSpan(nanoseconds: 1), world.lateness) : .zero
            move(to: max(now.instant, wake) + late)
        }
        count.turns += 1
        while let happening = agenda.takeDue(at: now.instant) { try take(happening) }
        engine.advance(to: now)
        try expect(engine.nextDeadline > now.instant, "a deadline that was due is still there")
        work = engine.actions
        engine.removeActions()
        // Workers start while the record is written.
        for case .urgent(let action) in work { try hurry(action) }
        for action in work { try commit(action) }
        for action in work { try act(on: action) }
        work.removeAll(keepingCapacity: true)
        try inspect()
        return true
    }

    private func move(to instant: Instant) {
        now.time = Timestamp(nanoseconds: now.time.nanoseconds + (instant - now.instant).nanoseconds)
        now.instant = instant
    }

    func feed(_ event: Event) {
        note("\(event)")
        engine.handle(event, at: now)
    }

    /// What the engine counts. It takes time for all that there is, so that not every turn can pay for it.
    func inspectEngine() throws {
        guard count.turns % 16 == 0 else { return }
        let fault = engine.check()
        try expect(fault == nil, "the engine is in disorder: \(fault ?? "")")
    }

    // MARK: Reporting

    func note(_ line: @autoclosure () -> String) {
        guard isTracing else { return }
        trace[traced % trace.count] = "\(now.instant.nanoseconds) \(line())"
        traced += 1
    }

    func expect(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
        if holds { return }
        let last = (0..<trace.count).compactMap { trace[(traced + $0) % trace.count] }
        throw Violation(
            description: "\(rule()) (TASKHOST_SEED=\(seed), turn \(count.turns))\n\(last.joined(separator: "\n"))")
    }
}
