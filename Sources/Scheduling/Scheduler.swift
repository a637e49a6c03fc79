package import TaskModel

/// Decides which request may run when: dates, conditions, quotas, limits, fair order, retries, quarantine.
///
/// A value without clock, files or randomness, like the engine: events and the time go in, `decisions` come out. Tables
/// hold plain integers and are reused. An event costs time for its own objects and the logarithm of the rest: a change
/// of conditions touches classes of requests, a charge the lanes of its application, a due date its request. Not copyable: otherwise
/// every query would copy the references of all its tables.
///
/// Every call gives the moment of its turn; the calendar of it may jump both ways.
package struct Scheduler: ~Copyable, Sendable {
    /// Requests whose dates come at the same time are released in portions, so that a clock that jumps stalls no turn.
    static let releasesPerTurn = 1024

    package let limits: SchedulerLimits
    let measure: UsageMeasure
    var tasks = Table<TaskIndex, TaskSlot>()
    var schedules = Table<ScheduleIndex, ScheduleRule>()
    var applications = Table<ApplicationIndex, ScheduledApplication>()
    /// Tasks with a schedule, and of fetches, that came after `begin`; the next call submits for them.
    var newcomers: [TaskIndex] = []
    /// The tasks that run when a run of the key has succeeded; few tasks have any.
    var followers: [TaskIndex: [TaskIndex]] = [:]

    var requests = RequestTable()
    /// The pending request of each identity, and the one of those that run that began last.
    var pendingByIdentity = IdentityTable()
    var runningByIdentity = IdentityTable()
    /// The others that run, in the order of their starts, by identity; only schedules that let runs overlap have any.
    var overtaken: [Int64: [RequestIndex]] = [:]
    /// In the order of their starts.
    var running = SlotList<RequestIndex>()
    var occupied = Occupancy()
    var nextSequence: UInt64 = 1
    var nextLaunch: UInt32 = 1

    /// Dates of requests, on the calendar; ends of pauses after an attempt, on the monotonic clock; ends of quarantines and quota
    /// windows by application, on the calendar.
    var dates = SlotHeap<RequestIndex>()
    var backoffs = SlotHeap<RequestIndex>()
    var applicationDates = SlotHeap<ApplicationIndex>()
    /// Ends of tasks' pauses by the user, on the calendar.
    var pauseEnds = SlotHeap<TaskIndex>()
    /// The user holds all work back.
    var hostPause: WorkPause?
    /// The user holds the task back; few tasks have an entry.
    var taskPauses: [TaskIndex: WorkPause] = [:]
    var queues = ReadyQueues()
    /// The resources that launches of requests lacked, by slot: few have an entry.
    var shortages: [RequestIndex: ShortageTally] = [:]
    /// Since when conditions of tasks have been in their state; few tasks have any.
    var metSince: [TaskCondition: Int64] = [:]

    package internal(set) var conditions = DeviceConditions()
    /// What requests ask of the machine, and whether it lets them pass.
    var classes: ClassTable
    var holdLog = HoldLog()
    /// Counts what may let tasks start or hold them, beside the machine's conditions and the room for runs.
    var gateChanges: UInt64 = 0

    /// By how much the calendar was set back in small steps since schedules last went by it.
    var setBack = TimeSpan.zero
    /// Times of schedules that a clock far behind had requests wait for, by identity; few have an entry.
    var doubts: [Int64: DoubtedTime] = [:]
    var turn: UInt64 = 0
    var startsInTurn = 0
    /// More could start, but not in this turn.
    var isStaggered = false
    /// Due requests start. Otherwise requests are accepted and kept, and only a simulated launch starts one: for a host that
    /// serves one verb.
    package var startsByItself = true
    var hasBegun = false
    var isStopped = false
    /// The moment of the turn, as the last call gave it.
    var now = ClockReading(instant: Instant(nanoseconds: 0), time: Timestamp(nanoseconds: 0))
    /// There has been a call that gave it.
    var hasMoment = false
    /// What the host has to do, in order, until `removeDecisions`. The list is reused.
    package internal(set) var decisions: [Decision] = []

    package init(limits: SchedulerLimits) {
        self.limits = limits
        measure = UsageMeasure(halfLife: limits.usageHalfLife)
        classes = ClassTable(conditions, limits)
    }

    // MARK: Tables

    /// Adds an application with its stored state.
    package mutating func addApplication(_ memory: ApplicationMemory) -> ApplicationIndex {
        let index = applications.append(ScheduledApplication(memory))
        queues.addApplication(usage: memory.usage)
        if hasMoment { settle(index) }
        return index
    }

    package mutating func addTask(_ rules: TaskSchedulingRules) -> TaskIndex {
        precondition(applications.contains(rules.application), "a task needs its application to be added first")
        let index = tasks.append(
            TaskSlot(rules: TaskSlot.Rules(rules), set: classes.number(rules.requires), unmet: rules.awaits))
        if rules.kind == .backgroundFetch { applications[rules.application].fetch = index }
        gateChanges &+= 1
        if hasBegun && (rules.schedule != nil || rules.kind == .backgroundFetch) { newcomers.append(index) }
        return index
    }

    /// A rule for tasks to name by its number.
    ///
    /// - Parameter old: the number of the task's schedule so far, which stays when the rule is the same.
    package mutating func addSchedule(_ rule: ScheduleRule, insteadOf old: ScheduleIndex? = nil) -> ScheduleIndex {
        if let old, schedules[old] == rule { return old }
        return schedules.append(rule)
    }

    /// Takes the first decision; nil: there is none. It takes time for all of them.
    package mutating func takeDecision() -> Decision? { decisions.isEmpty ? nil : decisions.removeFirst() }

    /// Its decisions have been taken.
    package mutating func removeDecisions() { decisions.removeAll(keepingCapacity: true) }

    // MARK: Time

    /// No more starts.
    package mutating func stop(at now: ClockReading) {
        setClock(now)
        isStopped = true
        gateChanges &+= 1
        isStaggered = false
    }

    /// Performs everything that is due by now, and begins a turn: up to `startsPerTurn` requests may start until the
    /// next one.
    package mutating func advance(to now: ClockReading) {
        beginTurn()
        observe(now)
        while let application = applicationDates.first(upTo: now.time.nanoseconds) {
            applicationIsDue(application)
        }
        endPauses()
        while let index = backoffs.first(upTo: Int64(clamping: now.instant.nanoseconds)) {
            backoffs.remove(index)
            place(index)
        }
        var released = 0
        while released < Self.releasesPerTurn, let index = dates.first(upTo: now.time.nanoseconds) {
            released += 1
            dates.remove(index)
            place(index)
        }
        startReady()
    }

    /// When `advance` has something to do; `distantFuture` when only an event can bring news.
    package func nextDeadline(at now: ClockReading) -> Instant {
        guard hasBegun, !isStopped else { return .distantFuture }
        guard newcomers.isEmpty else { return now.instant }
        guard startsByItself else { return .distantFuture }
        guard !isStaggered else { return now.instant }
        var deadline = Instant.distantFuture
        if let pause = backoffs.least { deadline = Instant(nanoseconds: UInt64(max(0, pause))) }
        let ends = min(pauseEnds.least ?? .max, hostPause?.until?.nanoseconds ?? .max)
        let date = min(dates.least ?? .max, applicationDates.least ?? .max, ends)
        if date < .max { deadline = min(deadline, now.instant + Self.span(from: now.time.nanoseconds, to: date)) }
        return max(deadline, now.instant)
    }

    /// The distance between two times of the calendar; zero when the second is earlier.
    static func span(from: Int64, to: Int64) -> TimeSpan {
        guard to > from else { return .zero }
        let (distance, overflow) = to.subtractingReportingOverflow(from)
        return TimeSpan(nanoseconds: overflow ? .max : distance)
    }
}

/// The time that a request waits for by a clock that may be wrong, and the one that it had before.
struct DoubtedTime: Sendable, BitwiseCopyable {
    var time: Int64
    var before: Int64
}

/// A task and whether its manifest still has it, packed: a machine may have a million of them.
struct TaskSlot: Sendable, BitwiseCopyable {
    /// What `TaskSchedulingRules` has, except for the requirements, which many tasks share. Wide fields come first, so that none
    /// leaves a gap.
    struct Rules: Sendable, BitwiseCopyable {
        let backoff: TimeSpan
        let identity: Int64
        let application: ApplicationIndex
        let attempts: UInt32
        /// Milliseconds.
        let retryJitter: UInt32
        var schedule: ScheduleIndex?
        let kind: TaskKind
        let priority: WorkPriority
        let lacksMode: Bool
        let isWildcard: Bool
        let awaits: ConditionSet

        init(_ rules: TaskSchedulingRules) {
            backoff = rules.backoff
            identity = rules.identity
            application = rules.application
            attempts = rules.attempts
            retryJitter = UInt32(clamping: rules.retryJitter.nanoseconds / 1_000_000)
            schedule = rules.schedule
            kind = rules.kind
            priority = rules.priority
            lacksMode = rules.lacksMode
            isWildcard = rules.isWildcard
            awaits = rules.awaits
        }
    }

    var rules: Rules
    /// The number of the set of requirements.
    var set: RequirementSet
    /// Its own conditions that are not met.
    var unmet: ConditionSet
    var isRemoved = false
    /// Times of its schedule that passed while no host ran, and that it does not make up for.
    var missed: UInt32 = 0
    /// Since when it has been in its state; nanoseconds of the calendar.
    var since = RequestSlot.none
    /// The end of the pace after its last run; nanoseconds of the monotonic clock, 0 before the first.
    var paceEnd: UInt64 = 0
}

/// How many requests run, in all and by kind.
struct Occupancy: Sendable, BitwiseCopyable {
    var total = 0
    var refreshes = 0
    var processings = 0
    var continued = 0

    mutating func add(_ change: Int, _ kind: TaskKind) {
        total += change
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: refreshes += change
        case .processing, .healthResearch: processings += change
        case .continuedProcessing: continued += change
        }
    }

    func isFull(_ kind: TaskKind, _ limits: SchedulerLimits) -> Bool {
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: refreshes >= limits.refreshes
        case .processing, .healthResearch: processings >= limits.processings
        case .continuedProcessing: continued >= limits.continued
        }
    }

    /// Kinds that have room.
    func free(_ limits: SchedulerLimits) -> KindSet {
        guard total < limits.concurrency else { return [] }
        var kinds = KindSet()
        if !isFull(.appRefresh, limits) { kinds.formUnion(.refresh) }
        if !isFull(.processing, limits) { kinds.formUnion(.long) }
        if !isFull(.continuedProcessing, limits) { kinds.formUnion(.continued) }
        return kinds
    }

    /// One of these kinds runs.
    func has(_ kinds: KindSet) -> Bool {
        refreshes > 0 && kinds.contains(.refresh) || processings > 0 && !kinds.isDisjoint(with: .long)
            || continued > 0 && kinds.contains(.continued)
    }
}
