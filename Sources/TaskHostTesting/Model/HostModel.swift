internal import Engine
internal import Foundation
internal import Manifests
internal import Scheduling
internal import TaskModel

/// Engine and scheduler of taskhost with a clock that only the test moves, and one application. What a host does with
/// processes becomes effects.
///
/// Thread: under the lock of `HostCore`.
final class HostModel {
    var engine: Engine
    var scheduler: Scheduler
    private(set) var now: ClockReading
    /// Not yet passed on.
    var effects: [Effect] = []

    let definition: ApplicationDefinition
    let profile: LimitsProfile
    let application: ApplicationIndex
    private(set) var tasks: [TaskIndex: TaskDefinition] = [:]
    private var concrete: [String: Int64] = [:]
    var conditions = DeviceConditions.quiet

    var facts: [RunHandle: RunFacts] = [:]
    var requests: [RequestFacts.Key: RequestFacts] = [:]
    private var lastSubmitted = Timestamp(nanoseconds: 0)
    private var nextRun: UInt64 = 1
    private(set) var results: [RunResult] = []
    private(set) var terminations: [String] = []
    var misuses: [String] = []
    /// What the runs of each task are given, by name.
    var secrets: [TaskIndex: [String: [UInt8]]] = [:]
    var notes: [String] = []

    /// The process of the application; nil: there is none.
    var process: WorkerHandle?
    var toldStates: UInt32 = 0
    var state = ApplicationState.background
    var assertions = AssertionTable()
    var transfers = TransferTable()
    /// The next launch does not end.
    var launchesSlowly = false
    /// Why the launch closure failed.
    var launchFault: String?

    init(_ definition: ApplicationDefinition, _ profile: LimitsProfile, time: Timestamp) {
        self.definition = definition
        self.profile = profile
        engine = Engine(
            limits: EngineLimits(
                profile: profile, concurrency: 16, cores: 1, metersMemory: false, diskFloor: ByteCount(bytes: 1)))
        var limits = SchedulerLimits()
        limits.fetchInterval = profile.fetchInterval
        limits.notificationsPerHour = profile.notificationsPerHour
        scheduler = Scheduler(limits: limits)
        now = ClockReading(instant: Instant(nanoseconds: 1_000_000_000), time: time)
        application = engine.addApplication(ApplicationRules(isolatesRuns: false, hasLifecycle: true))
        _ = scheduler.addApplication(ApplicationMemory())
        scheduler.setConditions(conditions, at: now)
        let events = EventTasks.tasks(of: definition, profile)
        for (place, task) in (definition.tasks + events).enumerated() {
            let index = engine.addTask(TaskRules(task, of: application))
            var rules = TaskSchedulingRules(task, of: definition, application: application)
            rules.identity = Int64(place) + 1
            if let schedule = task.schedule {
                rules.schedule = scheduler.addSchedule(
                    ScheduleRule(
                        schedule, zone: ZoneFiles.rules(named: schedule.timeZone),
                        seed: ScheduleRule.seed(machine: [], identifier: task.identifier)))
            }
            _ = scheduler.addTask(rules)
            tasks[index] = task
        }
        for (index, task) in tasks {
            let followers = tasks.filter { $0.value.after == task.identifier }.map(\.key).sorted {
                $0.number < $1.number
            }
            scheduler.setFollowers(followers, of: index)
        }
        scheduler.begin(at: now)
        settle()
    }

    // MARK: Names

    /// The task of a concrete identifier.
    func task(of identifier: String) -> TaskIndex? {
        if IdentifierPattern.isOne(identifier) { return nil }
        let pattern = IdentifierPattern.pattern(for: identifier)
        return tasks.first { $0.value.identifier == identifier }?.key
            ?? tasks.first { $0.value.identifier == pattern }?.key
    }

    func identity(of identifier: String, _ task: TaskIndex) -> Int64 {
        guard tasks[task]?.identifier != identifier else { return Int64(task.number) + 1 }
        let known = concrete[identifier] ?? Int64(tasks.count + concrete.count) + 1
        concrete[identifier] = known
        return known
    }

    // MARK: Time

    /// When something happens without an event.
    var nextDeadline: Instant { min(engine.nextDeadline, scheduler.nextDeadline(at: now)) }

    /// Lets time pass, no farther than to the next deadline.
    /// - Returns: whether nothing is due until `end` any more.
    func step(to end: Instant) -> Bool {
        let next = max(now.instant, min(nextDeadline, end))
        let span = next - now.instant
        now = ClockReading(instant: next, time: now.time + span)
        engine.advance(to: now)
        scheduler.advance(to: now)
        settle()
        return now.instant >= end && nextDeadline > end
    }

    // MARK: Deciding

    /// Feeds an event to the engine.
    func hear(_ event: Event) {
        engine.handle(event, at: now)
        settle()
    }

    private var isSettling = false

    /// Carries out what was decided, until nothing is left.
    func settle() {
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        while true {
            if let decision = scheduler.takeDecision() {
                carryOut(decision)
            } else if let action = engine.takeAction() {
                perform(action)
            } else if !passOnState() && !passOnRenewal() {
                return
            }
        }
    }

    // Two functions that are not inlined: of both calls in one the optimizer of Swift 6.3 makes a single access to `engine`,
    // and does not end it when the first call has a result. The next access ends the process ("Simultaneous accesses").
    // Inline them when a release build passes the tests of `taskhost new --template ios`.

    /// Tells the scheduler of a change of the application's state.
    /// - Returns: whether there was one.
    @inline(never)
    private func passOnState() -> Bool {
        guard let change = engine.takeStateChange() else { return false }
        scheduler.setState(change.state, application: change.application, at: now)
        return true
    }

    /// Tells the scheduler that workers of an earlier revision are there, or no longer.
    /// - Returns: whether something changed.
    @inline(never)
    private func passOnRenewal() -> Bool {
        guard let renewal = engine.takeRenewal() else { return false }
        scheduler.setOutdated(renewal.isOutdated, application: renewal.application, at: now)
        return true
    }

    /// Starts a run without a request, as `taskhost run` does.
    func admit(_ facts: RunFacts, of task: TaskIndex, launch: UInt32 = 0, isOnPower: Bool = false) -> RunHandle {
        let id = ULID(at: now.time, random: (high: 0, low: nextRun))
        nextRun += 1
        let run = engine.admit(
            Submission(
                task: task, id: id, attempt: facts.attempt, requester: 0, launch: launch, isOnPower: isOnPower,
                hasRequest: facts.request != nil), at: now)
        self.facts[run] = facts
        self.facts[run]?.id = id.description
        if self.facts[run]?.settings.isEmpty == true {
            self.facts[run]?.settings = Array((tasks[task]?.settings ?? "{}").utf8)
        }
        self.facts[run]?.isWatched = true
        return run
    }

    // MARK: Notes

    func note(_ code: DiagnosticCode, _ run: RunHandle) {
        let reason = engine.runs[run]?.reason
        facts[run]?.diagnostics.append(code.sentence(because: reason))
        // An ended run has its result already.
        if let result = facts[run]?.result, let place = results.firstIndex(of: result) {
            results[place].diagnostics.append(code.sentence(because: reason))
        }
    }

    func ended(_ result: RunResult) { results.append(result) }

    func terminated(_ reason: TerminationReason) { terminations.append(reason.name) }

    func stamp() -> Timestamp {
        lastSubmitted = max(now.time, lastSubmitted + TimeSpan(nanoseconds: 1))
        return lastSubmitted
    }

    func feed(_ body: (inout Engine, ClockReading) -> Void) {
        body(&engine, now)
        settle()
    }
}
