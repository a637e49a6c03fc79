import Engine
import TaskModel
import TestSupport

/// A run as its requester and the simulated machine know it.
struct SimulatedRun {
    var task: TaskIndex
    var id: ULID
    var requester: UInt32
    var sequence: Int64 = 0
    var isInserted = false
    var isMarkedExpired = false
    var isFinished = false
    var worker: WorkerHandle?
    var started: Instant?
    var cpuAtStart = TimeSpan.zero
    var expired: (at: Instant, reason: Reason)?

    // What the engine has received, and may rely on.
    var completion: (success: Bool, automatic: Bool)?
    /// What its handler asked for with its completion.
    var deferral: Deferral?
    var wasForgotten = false
    var wasDeclined = false
    var wasCancelled = false
    /// Its application's folders held more than it may make them hold, at some time of its life.
    var wasTooHeavy = false
    var wasSimulated = false
    /// Conditions that it lost, and the user's requests to quit its application.
    var losses: Set<Reason> = []
    var quitReasons: Set<Reason> = []
    var launch: UInt32 = 0
    /// A request stands behind it, which waits when its launch lacks something.
    var hasRequest = false
    var progressed = Instant(nanoseconds: 0)
    var plan = HandlerPlan()
    /// Since when its tree is frozen, and for how long it was before that.
    var pausedAt: Instant?
    var stood = TimeSpan.zero

    /// False: it is paused already.
    mutating func pause(at now: Instant) -> Bool {
        defer { pausedAt = now }
        return pausedAt == nil
    }

    /// False: it continues already.
    @discardableResult
    mutating func resume(at now: Instant) -> Bool {
        guard let paused = pausedAt else { return false }
        stood = stood + (now - paused)
        pausedAt = nil
        return true
    }

    /// A user asked for its end, in one way or another.
    var isUnwanted: Bool {
        wasCancelled || losses.contains(.userCancelled) || quitReasons.contains(.userCancelled)
    }
}

/// What a handler is going to do.
struct HandlerPlan {
    /// After its start; nil: nothing by itself.
    var step: (after: TimeSpan, what: HandlerStep)?
    /// After the warning; nil: it ignores that.
    var answer: (after: TimeSpan, what: HandlerStep)?
    var appetite = SimulatedWorker.Appetite()
    /// Does its step once more a little later.
    var repeats = false
    /// How often it reports progress; nil: never.
    var pace: TimeSpan?
    /// Processes that it leaves behind.
    var children = 0
    /// Bytes that it leaves in its worker's memory.
    var leaves: UInt64 = 0
    /// Goes on burning CPU time after its completion.
    var keepsBurning = false
    /// Stops its whole process.
    var sticks = false
    /// The worker has no handler for it.
    var isDeclined = false

    init() {}

    init(of rules: TaskRules, malice: Double, using random: inout SeededGenerator) {
        let soon = random.span(.milliseconds(1), rules.wallClock)
        appetite.cpu = random.chance(0.3) ? Double.random(in: 0...0.5, using: &random) : 0.01
        answer = (random.span(.milliseconds(1), .seconds(5)), .complete(success: random.chance(0.5)))
        if random.chance(0.1) { leaves = UInt64.random(in: 1...48, using: &random) << 20 }
        pace = random.chance(0.7) ? random.span(.milliseconds(500), .seconds(20)) : nil
        guard random.chance(malice) else {
            step = (soon, .complete(success: random.chance(0.9)))
            if random.chance(0.1) { step = nil }
            if random.chance(0.1) { answer = (.milliseconds(1), .completeAutomatically) }
            let later = Deferral(random.span(Deferral.shortest, Deferral.longest))
            if let later, random.chance(0.1) { step = (soon, .completeLater(later)) }
            if let later, random.chance(0.1) { answer = (.milliseconds(1), .completeLater(later)) }
            return
        }
        switch Int.random(in: 0..<15, using: &random) {
        case 0: answer = nil
        case 1: step = (soon, .crash(signal: [4, 6, 8, 9, 11].randomElement(using: &random) ?? 6))
        case 2: step = (soon, .exit(status: Int32.random(in: 0...3, using: &random)))
        case 3: step = (soon, .forget)
        case 4: step = (soon, .sendGarbage)
        case 5: isDeclined = true
        case 6:
            appetite.memory = UInt64.random(in: 1...256, using: &random) << 20
            answer = nil
        case 7:
            appetite.cpu = Double.random(in: 0.5...4, using: &random)
            answer = nil
        case 8:
            step = (soon, .complete(success: true))
            repeats = true
        case 9:
            step = (soon, .complete(success: true))
            children = Int.random(in: 1...3, using: &random)
        case 10:
            step = (soon, .complete(success: true))
            appetite.cpu = Double.random(in: 0.2...2, using: &random)
            keepsBurning = true
        case 11:
            sticks = true
            answer = nil
        case 12: step = (soon, .closeWire)
        case 13:
            step = (soon, .forge(RunHandle(index: UInt32.random(in: 0...8, using: &random), generation: 0)))
            children = 1
        default:
            // It answers, and too late.
            answer = (rules.wallClock + .seconds(1), .complete(success: true))
        }
    }
}

/// A rule that the engine broke.
struct Violation: Error, CustomStringConvertible {
    var description: String
}
