import Scheduling
import TaskModel
import TestSupport

struct Violation: Error, CustomStringConvertible {
    var description: String
}

/// A host around the scheduler: it keeps what the scheduler has it remember, and believes nothing else.
final class SimulatedHost {
    /// A row of the store.
    struct Row {
        var request: TaskRequest
        var task: TaskIndex
        var isRunning = false
        /// It waits for another try: its date no longer counts.
        var hasStarted = false
        /// Continued processing that was interrupted: it continues in the foreground alone.
        var needsForeground = false
    }

    /// What the host knows of a request that runs.
    struct Run {
        var row: Row
        var isForced: Bool
        var failures: UInt32
        var started: Timestamp
        var isDoomed = false
        var isExpired = false
        /// A later one of its identity has begun since.
        var isOvertaken = false
    }

    struct Count {
        var steps = 0
        var starts = 0
        var retries = 0
        var expirations = 0
        var refusals: [SubmissionError: Int] = [:]
        var quarantines = 0
        var jumps = 0
        var restarts = 0
        var replaced = 0
        var occurrences = 0
        /// Fetches that were answered or not, and notifications that started.
        var fetches = 0
        var notifications = 0
        /// The most deferrals in a row.
        var longestRow: UInt8 = 0
        /// Windows that opened or closed, and runs that one ended.
        var edges = 0
        var windowEnds = 0
        /// Starts of one of several priorities that waited.
        var turns = 0
        var pauses = 0
        /// Pauses whose ends came.
        var pauseEnds = 0
        /// Requests after the success of another task, and runs that a time of their schedule ended.
        var followed = 0
        var superseded = 0
        /// Starts beside a run of the same identity, and the most of these.
        var beside = 0
        var mostBeside = 0
    }

    let seed: UInt64
    /// Its schedules let runs overlap, which take long and find places.
    let isCrowded: Bool
    var random: SeededGenerator
    var scheduler: Scheduler
    let limits: SchedulerLimits
    var rules = Table<TaskIndex, TaskSchedulingRules>()
    var isRemoved = Table<TaskIndex, Bool>()
    /// The tasks that run after each.
    var followers: [TaskIndex: [TaskIndex]] = [:]
    var schedules = Table<ScheduleIndex, ScheduleRule>()

    var now = ClockReading(
        instant: Instant(nanoseconds: 5_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    var conditions = DeviceConditions()
    /// The windows of the configuration; nil: none.
    var windows: WorkWindows?
    /// A user said what the window is.
    var isWindowSet = false
    var isStopped = false

    var rows: [Int64: Row] = [:]
    var memories = Table<ApplicationIndex, ApplicationMemory>()
    var runs: [RequestHandle: Run] = [:]
    /// Failed tries of the pending request of each identity, and when its pause ends.
    var failures: [Int64: UInt32] = [:]
    /// Applications that are in front, and those whose process is of an earlier revision.
    var inFront: Set<ApplicationIndex> = []
    var outdated: Set<ApplicationIndex> = []
    /// The tasks' own conditions that are met.
    var met: [TaskIndex: ConditionSet] = [:]
    var pauses: [Int64: Instant] = [:]
    /// When the pace after the last run of each identity ends.
    var paceEnds: [Int64: Instant] = [:]
    /// What the user holds back.
    var stops: [PausedPart: WorkPause] = [:]
    /// Identities whose pending request a user forced.
    var forced: Set<Int64> = []
    /// How often others of their kind went past them.
    var passed: [TaskKind: [WorkPriority: Int]] = [:]
    /// What the request whose run ends is remembered with.
    var retrying: (identity: Int64, failures: UInt32, pause: Instant?)?
    /// Identities that got a request after a success, in the current call.
    var followed: Set<Int64> = []
    /// Identities whose next times were cancelled.
    var skipped: Set<Int64> = []
    var count = Count()
    var trace: [String] = []

    init(seed: UInt64) {
        self.seed = seed
        isCrowded = seed % 4 == 0
        random = SeededGenerator(seed: seed)
        var limits = SchedulerLimits()
        limits.concurrency = Int.random(in: 1...6, using: &random)
        limits.refreshes = Int.random(in: 1...3, using: &random)
        limits.processings = Int.random(in: 1...3, using: &random)
        limits.continued = Int.random(in: 1...2, using: &random)
        limits.startsPerTurn = Int.random(in: 1...4, using: &random)
        if isCrowded { (limits.concurrency, limits.refreshes, limits.processings) = (40, 30, 30) }
        if random.chance(0.5) { limits.quota = .seconds(Int64.random(in: 20...500, using: &random)) }
        limits.quotaWindow = .seconds(3600)
        limits.pace = random.chance(0.5) ? .zero : .seconds(Int64.random(in: 1...600, using: &random))
        self.limits = limits
        scheduler = Scheduler(limits: limits)
        if random.chance(0.5) { windows = makeWindows() }
        windows?.tell(&conditions, at: now.time)
        makeTables()
    }

    private func makeWindows() -> WorkWindows? {
        let definitions = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let hours = UInt32.random(in: 1..<1 << 24, using: &random)
            let from = CalendarExpression(
                text: "", minutes: 1 << UInt64.random(in: 0..<60, using: &random), hours: hours,
                days: .max - 1, months: 0x1FFE, weekdays: 0x7F, hasFreeDays: true,
                hasFreeWeekdays: true)
            return WindowDefinition(
                from: from, length: .minutes(Int64.random(in: 1...600, using: &random)), isClosed: random.chance(0.4))
        }
        return WorkWindows(definitions) { _ in .utc }
    }

    /// Sets the condition as a host does at each edge, and when its clock was set.
    func followWindows() throws {
        guard let windows, !isWindowSet else { return }
        var told = conditions
        windows.tell(&told, at: now.time)
        guard told != conditions else { return }
        if told.windowClosed != conditions.windowClosed { count.edges += 1 }
        conditions = told
        try call("windows") { $0.setConditions(told, at: $1) }
    }

    private func makeTables() {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let application = memories.append(ApplicationMemory())
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                _ = rules.append(makeRules(application, identity: Int64(rules.count)))
                _ = isRemoved.append(false)
            }
            for kind in [TaskKind.backgroundFetch, .remoteNotification] where random.chance(0.6) {
                var event = TaskSchedulingRules(application: application, kind: kind)
                event.identity = Int64(rules.count)
                _ = rules.append(event)
                _ = isRemoved.append(false)
            }
        }
        for task in rules.indices where random.chance(0.3) {
            let later = rules.indices.filter {
                $0.number > task.number && rules[$0].application == rules[task].application && !rules[$0].isWildcard
                    && !rules[$0].kind.isEvent
            }
            if let follower = later.randomElement(using: &random) { followers[task] = [follower] }
        }
        fill(&scheduler)
    }

    func makeRules(_ application: ApplicationIndex, identity: Int64) -> TaskSchedulingRules {
        let kind = TaskKind.declarable.randomElement(using: &random) ?? .processing
        var rules = TaskSchedulingRules(application: application, kind: kind)
        rules.identity = identity
        rules.requires.externalPower = random.chance(0.3)
        if random.chance(0.3) { rules.requires.network = Bool.random(using: &random) ? .ok : .constrained }
        rules.requires.idle = kind != .continuedProcessing && random.chance(0.3)
        if random.chance(0.3) { rules.requires[.disk] = UInt64.random(in: 1...4, using: &random) << 28 }
        if random.chance(0.2) {
            rules.awaits = random.chance(0.5) ? ConditionSet(.paths) : [.init(.paths), .init(.changed)]
        }
        if isCrowded {
            rules.requires = Requirements()
            rules.awaits = ConditionSet()
        }
        rules.isWildcard = kind == .continuedProcessing
        if !rules.isWildcard { rules.priority = WorkPriority.allCases.randomElement(using: &random) ?? .normal }
        rules.attempts = UInt32.random(in: 1...4, using: &random)
        rules.backoff = .seconds(Int64.random(in: 1...600, using: &random))
        if !rules.isWildcard && random.chance(0.3) {
            let schedule = Schedule(
                every: .minutes(Int64.random(in: 1...300, using: &random)),
                catchUp: Bool.random(using: &random) ? .none : .latest,
                overlap: isCrowded && random.chance(0.8)
                    ? .allow : Overlap.allCases.randomElement(using: &random) ?? .queue)
            rules.schedule = schedules.append(ScheduleRule(schedule, zone: .utc, seed: 0))
        }
        return rules
    }

    /// Fills a new scheduler's tables.
    private func fill(_ scheduler: inout Scheduler) {
        for memory in memories { _ = scheduler.addApplication(memory) }
        for schedule in schedules { _ = scheduler.addSchedule(schedule) }
        for rule in rules { _ = scheduler.addTask(rule) }
        for (task, list) in followers { scheduler.setFollowers(list, of: task) }
    }

    // MARK: Calls

    /// One call: what it decides is remembered and judged.
    @discardableResult
    func call<Answer>(
        _ name: String, _ body: (inout Scheduler, ClockReading) throws -> Answer
    ) throws -> Answer {
        note("\(now.time.iso8601) \(name)")
        // What was decided before a refusal counts too.
        let result = Swift.Result { try body(&scheduler, now) }
        let decisions = scheduler.decisions
        scheduler.removeDecisions()
        // It takes time for all that there is, so that not every call can pay for it.
        let fault = count.steps % 16 == 0 ? scheduler.check() : nil
        try expect(fault == nil, "\(name): the scheduler is in disorder: \(fault ?? "")")
        for decision in decisions {
            note("  \(decision)")
            try take(decision)
        }
        try judge()
        return try result.get()
    }

    /// The host dies and comes back: nothing but the store is left.
    func restart() throws {
        count.restarts += 1
        note("\(now.time.iso8601) restart")
        scheduler = Scheduler(limits: limits)
        isStopped = false
        runs = [:]
        passed = [:]
        pauses = [:]
        failures = [:]
        forced = []
        inFront = []
        outdated = []
        met = [:]
        fill(&scheduler)
        for task in isRemoved.indices where isRemoved[task] {
            scheduler.setRemoved(true, task: task, at: now)
        }
        for (part, pause) in stops {
            scheduler.pause(part, pause, at: now)
        }
        paceEnds = [:]
        for (identity, row) in rows.sorted(by: { $0.key < $1.key }) {
            var row = row
            if row.isRunning {
                row.isRunning = false
                row.request.attempt += 1
                row.request.notBefore = nil
                row.request.deferrals = 0
                if let time = row.request.scheduledFor, time > now.time { row.request.scheduledFor = nil }
            }
            row.hasStarted = row.request.attempt > 1 || row.request.deferrals > 0
            row.request.kind = rules[row.task].kind
            row.needsForeground = row.request.kind == .continuedProcessing
            rows[identity] = row
            _ = scheduler.restore(row.request, of: row.task)
            // No restart uses up a try.
            failures[identity] = row.request.failures
            if let end = row.request.notBefore {
                let longest = max(limits.longestBackoff, row.request.deferrals > 0 ? .seconds(7 * 86_400) : .zero)
                pauses[identity] = now.instant + min(span(from: now.time, to: end), longest)
            }
        }
        let conditions = conditions
        scheduler.setConditions(conditions, at: now)
        scheduler.removeDecisions()
        try call("begin") { $0.begin(at: $1) }
    }

    func span(from: Timestamp, to: Timestamp) -> TimeSpan {
        TimeSpan(nanoseconds: max(0, to.nanoseconds - from.nanoseconds))
    }

    func note(_ text: @autoclosure () -> String) {
        trace.append(text())
        if trace.count > 60 { trace.removeFirst(20) }
    }

    func expect(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
        guard !condition else { return }
        throw Violation(
            description: "TASKHOST_SEED=\(seed): \(rule())\n" + trace.suffix(40).joined(separator: "\n"))
    }
}
