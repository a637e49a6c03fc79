import Engine
import Scheduling
import TaskModel
import TestSupport

/// A machine with applications whose tasks are requested, made up from a seed.
struct JointWorld {
    struct Application {
        var isolatesRuns: Bool
        /// It is suspended when it has nothing to do.
        var hasLifecycle: Bool
        /// Background sessions that it has.
        var sessions: Int
        var tasks: [TaskIndex] = []
    }

    struct Task {
        var scheduling: TaskSchedulingRules
        var engine: TaskRules
        /// Index of its schedule, whether or not its manifest has it at the moment.
        var schedule: ScheduleIndex?
        var isRemoved = false
        /// The identities that its requests have.
        var identities: [Int64]
    }

    var limits = SchedulerLimits()
    var engineLimits: EngineLimits
    var applications = Table<ApplicationIndex, Application>()
    var tasks = Table<TaskIndex, Task>()
    var schedules = Table<ScheduleIndex, ScheduleRule>()
    /// Share of handlers, launches and terminations that misbehave.
    var malice: Double

    init(using random: inout SeededGenerator) {
        var profile = LimitsProfile.modern
        profile.idleWorker = random.span(.seconds(1), .seconds(60))
        profile.backgroundTime = random.span(.seconds(10), .minutes(3))
        limits.concurrency = Int.random(in: 1...8, using: &random)
        limits.refreshes = Int.random(in: 1...4, using: &random)
        limits.processings = Int.random(in: 1...3, using: &random)
        limits.continued = Int.random(in: 1...2, using: &random)
        limits.startsPerTurn = Int.random(in: 1...4, using: &random)
        limits.pendingContinued = 3
        limits.pace = random.chance(0.5) ? .zero : random.span(.seconds(1), .minutes(10))
        if random.chance(0.3) {
            limits.quota = random.span(.milliseconds(200), .seconds(20))
            limits.quotaWindow = random.span(.minutes(10), .minutes(24 * 60))
        }
        engineLimits = EngineLimits(
            profile: profile, concurrency: limits.concurrency + 4, cores: 2, metersMemory: false)
        malice = [0, 0.05, 0.3].randomElement(using: &random) ?? 0
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let isolatesRuns = random.chance(0.2)
            let application = applications.append(
                Application(
                    isolatesRuns: isolatesRuns, hasLifecycle: !isolatesRuns && random.chance(0.5),
                    sessions: Int.random(in: 0...3, using: &random)))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                applications[application].tasks.append(tasks.append(makeTask(of: application, using: &random)))
            }
        }
    }

    private mutating func makeTask(of application: ApplicationIndex, using random: inout SeededGenerator) -> Task {
        let kind =
            [.appRefresh, .processing, .processing, .continuedProcessing, .healthResearch].randomElement(
                using: &random) ?? TaskKind.processing
        let identity = Int64(tasks.count * 100)
        var rules = TaskSchedulingRules(application: application, kind: kind)
        rules.identity = identity
        rules.isWildcard = kind == .continuedProcessing
        var schedule: ScheduleIndex?
        if !rules.isWildcard && random.chance(0.5) {
            schedule = schedules.append(Self.makeSchedule(using: &random))
            rules.schedule = schedule
        }
        Self.vary(&rules, using: &random)
        let wallClock =
            kind == .continuedProcessing ? TimeSpan(nanoseconds: .max) : random.span(.seconds(1), .minutes(5))
        return Task(
            scheduling: rules,
            engine: TaskRules(
                application: application, wallClock: wallClock, grace: Budget.defaultGrace(for: wallClock),
                cpuTime: nil,
                memory: .mebibytes(64), isMonitored: false, stall: kind == .continuedProcessing ? .seconds(30) : nil,
                sharesDeadline: random.chance(0.5)),
            schedule: schedule, identities: rules.isWildcard ? (1...4).map { identity + $0 } : [identity])
    }

    /// What a user may change in a manifest.
    static func vary(_ rules: inout TaskSchedulingRules, using random: inout SeededGenerator) {
        guard rules.kind != .continuedProcessing else { return }
        rules.requires.externalPower = random.chance(0.2)
        rules.requires.network = random.chance(0.2) ? [.constrained, .ok].randomElement(using: &random) : nil
        rules.requires.idle = rules.kind != .appRefresh && random.chance(0.4)
        rules.requires[.disk] = random.chance(0.2) ? UInt64.random(in: 1...4, using: &random) << 28 : 0
        rules.priority = random.chance(0.5) ? .normal : WorkPriority.allCases.randomElement(using: &random) ?? .normal
        rules.attempts = UInt32.random(in: 1...4, using: &random)
        rules.backoff = random.span(.seconds(1), .minutes(60))
    }

    private static func makeSchedule(using random: inout SeededGenerator) -> ScheduleRule {
        var schedule = Schedule(
            jitter: random.chance(0.5) ? random.span(.seconds(1), .minutes(30)) : .zero,
            catchUp: Bool.random(using: &random) ? .latest : .none)
        if random.chance(0.6) {
            schedule.every = random.span(.minutes(30), .minutes(48 * 60))
        } else {
            // At some minute, in some hours, on any day or on some days of the week.
            let hours = random.chance(0.3) ? 1 << 24 - 1 : 1 << UInt32.random(in: 0..<24, using: &random)
            let weekdays: UInt32 = random.chance(0.5) ? 0x7F : UInt32.random(in: 1...0x7F, using: &random)
            schedule.calendar = CalendarExpression(
                text: "", minutes: 1 << UInt64.random(in: 0..<60, using: &random), hours: UInt32(hours),
                days: .max - 1, months: 0x1FFE, weekdays: weekdays, hasFreeDays: true,
                hasFreeWeekdays: weekdays == 0x7F)
        }
        return ScheduleRule(schedule, zone: .utc, seed: random.next())
    }

    /// Its schedules let runs overlap from now on: their times come each minute of an hour a week, runs may take longer, and the
    /// host has places for more of them than one task may have.
    mutating func letRunsOverlap() {
        (limits.concurrency, limits.processings, limits.refreshes) = (24, 20, 18)
        limits.quota = nil
        engineLimits.concurrency = limits.concurrency + 4
        for task in tasks.indices {
            guard let index = tasks[task].schedule else { continue }
            let number = Int(task.number)
            var schedule = Schedule(overlap: .allow)
            schedule.calendar = CalendarExpression(
                text: "", minutes: 1 << 60 - 1, hours: 1 << UInt32(number * 5 % 24), days: .max - 1, months: 0x1FFE,
                weekdays: 1 << UInt32(number % 7), hasFreeDays: true, hasFreeWeekdays: false)
            schedules[index] = ScheduleRule(schedule, zone: .utc, seed: 0)
            tasks[task].engine.wallClock = .minutes(40)
            tasks[task].scheduling.requires = Requirements()
        }
    }

    /// Engine and scheduler that know these tables; what the store remembers of applications is given.
    func engine(nextSequence: Int64) -> Engine {
        var engine = Engine(limits: engineLimits, nextSequence: nextSequence)
        for application in applications {
            _ = engine.addApplication(
                ApplicationRules(
                    isolatesRuns: application.isolatesRuns, hasLifecycle: application.hasLifecycle, mayHaveSpare: true))
        }
        for task in tasks { _ = engine.addTask(task.engine) }
        return engine
    }

    /// The task that has the identity.
    func task(of identity: Int64) -> TaskIndex { TaskIndex(number: UInt32(identity / 100)) }

    func scheduler(_ memory: [ApplicationMemory]) -> Scheduler {
        var scheduler = Scheduler(limits: limits)
        for memory in memory { _ = scheduler.addApplication(memory) }
        for schedule in schedules { _ = scheduler.addSchedule(schedule) }
        for task in tasks { _ = scheduler.addTask(task.scheduling) }
        return scheduler
    }
}
