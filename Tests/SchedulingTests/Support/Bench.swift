import Scheduling
import TaskModel
import Testing

/// A scheduler, a clock that the test moves by hand, and an application to begin with.
final class Bench {
    var scheduler: Scheduler
    private(set) var now = ClockReading(
        instant: Instant(nanoseconds: 1_000_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    let application: ApplicationIndex
    /// What the last call decided.
    private(set) var decisions: [Decision] = []
    var conditions = DeviceConditions.ideal

    init(_ limits: SchedulerLimits = SchedulerLimits(), memory: ApplicationMemory = ApplicationMemory()) {
        scheduler = Scheduler(limits: limits)
        application = scheduler.addApplication(memory)
    }

    /// Every condition is met and no other work is in the way.
    func begin() {
        call {
            $0.setConditions(conditions, at: $1)
            $0.begin(at: $1)
        }
    }

    /// Calls the scheduler and keeps what it decides.
    @discardableResult
    func call<Result>(_ body: (inout Scheduler, ClockReading) throws -> Result) rethrows -> Result {
        scheduler.removeDecisions()
        defer {
            decisions = scheduler.decisions
            // It takes time for all that there is: tests of many requests are not about that.
            if scheduler.pendingCount <= 64, let fault = scheduler.check() {
                Issue.record("the scheduler is in disorder: \(fault)")
            }
        }
        return try body(&scheduler, now)
    }

    // MARK: Tables

    private var kinds = Table<TaskIndex, TaskKind>()

    /// Tasks whose identities are their numbers plus 100.
    func identity(_ task: TaskIndex) -> Int64 { Int64(task.number) + 100 }

    /// A task of the first application, or of another.
    func add(
        _ kind: TaskKind, of application: ApplicationIndex? = nil,
        change: (inout TaskSchedulingRules) -> Void = { _ in }
    ) -> TaskIndex {
        var rules = TaskSchedulingRules(application: application ?? self.application, kind: kind)
        rules.identity = identity(kinds.append(kind))
        change(&rules)
        return scheduler.addTask(rules)
    }

    /// A schedule with a run at each multiple of that span.
    func every(_ span: TimeSpan, catchUp: CatchUp = .latest, overlap: Overlap = .queue) -> ScheduleIndex {
        scheduler.addSchedule(
            ScheduleRule(Schedule(every: span, catchUp: catchUp, overlap: overlap), zone: .utc, seed: 0))
    }

    // MARK: Requests

    func request(
        _ task: TaskIndex, identity: Int64? = nil, _ change: (inout RequestTerms) -> Void = { _ in }
    ) -> TaskRequest {
        var terms = RequestTerms()
        change(&terms)
        return TaskRequest(
            identity: identity ?? self.identity(task), kind: kinds[task], terms: terms,
            submitted: now.time)
    }

    @discardableResult
    func submit(
        _ task: TaskIndex, identity: Int64? = nil, _ change: (inout RequestTerms) -> Void = { _ in }
    ) throws -> RequestHandle {
        let request = request(task, identity: identity, change)
        return try call { try $0.submit(request, of: task, at: $1) }
    }

    /// The code with which the submission is refused; nil: it is taken.
    func refusal(
        _ task: TaskIndex, identity: Int64? = nil, _ change: (inout RequestTerms) -> Void = { _ in }
    ) -> SubmissionError? {
        do {
            try submit(task, identity: identity, change)
            return nil
        } catch {
            return (error as? SubmissionFault)?.code
        }
    }

    func end(
        _ request: RequestHandle, _ outcome: Outcome = .succeeded, _ reason: Reason? = nil, cpu: TimeSpan? = nil
    ) {
        let end = RequestEnd(outcome: outcome, reason: reason, cpuTime: cpu)
        call { $0.ended(request, end, at: $1) }
    }

    // MARK: World and time

    func set(_ change: (inout DeviceConditions) -> Void) {
        change(&conditions)
        let conditions = conditions
        call { $0.setConditions(conditions, at: $1) }
    }

    /// Moves both clocks on and does what is due then.
    func pass(_ span: TimeSpan) {
        skip(span)
        advance()
    }

    func advance() { call { $0.advance(to: $1) } }

    /// Moves both clocks on, and does not do what is due yet.
    func skip(_ span: TimeSpan) {
        now.instant = now.instant + span
        now.time = Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds)
    }

    /// Sets the calendar; the monotonic clock does not notice.
    func jump(by span: TimeSpan) { now.time = Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds) }

    func time(in span: TimeSpan) -> Timestamp { Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds) }

    // MARK: Looking

    /// Requests that the last call started, in order.
    var started: [RequestHandle] {
        decisions.compactMap { if case .start(let request, _) = $0 { request } else { nil } }
    }

    var expired: [Reason] { decisions.compactMap { if case .expire(_, let reason) = $0 { reason } else { nil } } }

    func pending(_ application: ApplicationIndex? = nil) -> [RequestHandle] {
        scheduler.pending(application: application)
    }

    // A macro would copy the scheduler.

    func request(_ handle: RequestHandle) -> RequestView? { scheduler.request(handle) }

    func pendingRequest(of task: TaskIndex) -> RequestHandle? { scheduler.handle(identity: identity(task)) }

    func awaits(_ name: ConditionName) -> Bool { scheduler.awaits(name) }

    func couldStart(_ task: TaskIndex) -> Bool { scheduler.couldStart(task) }

    /// Gates that hold the request.
    func holding(_ request: RequestHandle) -> [Gate] {
        scheduler.explain(request, at: now).filter(\.holds).map(\.gate)
    }

    func report(_ gate: Gate, of request: RequestHandle) -> GateReport? {
        scheduler.explain(request, at: now).first { $0.gate == gate }
    }

    func summary(_ request: RequestHandle) -> String { Scheduler.summary(of: scheduler.explain(request, at: now)) }

    /// The deadline as a distance from now; nil: never.
    var untilDeadline: TimeSpan? {
        let deadline = scheduler.nextDeadline(at: now)
        return deadline == .distantFuture ? nil : deadline - now.instant
    }
}

extension DeviceConditions {
    /// On mains with a full battery and a network, and no user is active.
    static var ideal: DeviceConditions {
        var conditions = DeviceConditions.quiet
        conditions.batteryLevel = 100
        return conditions
    }
}
