import Scheduling
import TaskModel
import Testing

/// Playing a scheduler on a virtual clock.
@Suite struct ForecastTests {
    private static let start = Timestamp(nanoseconds: 1_800_000_000_000_000_000)

    private static func after(_ minutes: Int64) -> Timestamp {
        Timestamp(nanoseconds: start.nanoseconds + minutes * 60_000_000_000)
    }

    private static func minutes(_ time: Timestamp) -> Int64 {
        (time.nanoseconds - start.nanoseconds) / 60_000_000_000
    }

    /// Everything is well.
    private static func conditions(_ change: (inout DeviceConditions) -> Void = { _ in }) -> DeviceConditions {
        var conditions = DeviceConditions.quiet
        change(&conditions)
        return conditions
    }

    /// A scheduler with as many tasks of one application, each with a request that waits.
    private static func scheduler(
        _ count: Int, kind: TaskKind = .processing, limits: SchedulerLimits = SchedulerLimits(),
        submitted: Timestamp = start, _ change: (inout TaskSchedulingRules) -> Void = { _ in }
    ) -> Scheduler {
        var scheduler = Scheduler(limits: limits)
        let application = scheduler.addApplication(ApplicationMemory())
        for task in 0..<count {
            var rules = TaskSchedulingRules(application: application, kind: kind)
            rules.identity = Int64(task + 1)
            change(&rules)
            let index = scheduler.addTask(rules)
            let request = TaskRequest(identity: rules.identity, kind: kind, submitted: submitted)
            _ = scheduler.restore(request, of: index)
        }
        return scheduler
    }

    @Test("A request without conditions starts at once and runs once")
    func once() {
        let forecast = Forecast(Self.scheduler(1), lengths: [.minutes(3)], from: Self.start, limit: 10)
        forecast.play(
            over: [Forecast.Change(at: Self.start, conditions: Self.conditions())], until: Self.after(600))
        #expect(forecast.runs.map { Self.minutes($0.start) } == [0])
        #expect(forecast.runs.map { Self.minutes($0.end) } == [3])
        #expect(forecast.end == Self.after(600) && !forecast.isCut)
        #expect(forecast.gates(identity: 1).isEmpty, "it is done")
    }

    @Test("The forecast does not list what held a request before it begins", arguments: [0, 10])
    func beginning(_ minutes: Int64) {
        let scheduler = Self.scheduler(1, submitted: Self.after(-60)) { $0.requires.externalPower = true }
        let forecast = Forecast(scheduler, lengths: [.minutes(3)], from: Self.start, limit: 10)
        let changes = [
            Forecast.Change(at: Self.start, conditions: Self.conditions { $0.externalPower = .no }),
            Forecast.Change(at: Self.after(minutes), conditions: Self.conditions()),
        ]
        forecast.play(over: changes, until: Self.after(600))
        #expect(forecast.runs.map { Self.minutes($0.start) } == [minutes])
        let wait = GateWait(gate: .externalPower, from: Self.start, to: Self.after(minutes))
        #expect(forecast.runs.map(\.waits) == [minutes > 0 ? [wait] : []])
    }

    @Test("Requests take turns where the host has no more room, and say that they waited for it")
    func capacity() {
        var limits = SchedulerLimits()
        limits.processings = 1
        let forecast = Forecast(
            Self.scheduler(3, limits: limits), lengths: [.minutes(5), .minutes(5), .minutes(5)], from: Self.start,
            limit: 10)
        forecast.play(over: [Forecast.Change(at: Self.start, conditions: Self.conditions())], until: Self.after(60))
        #expect(forecast.runs.map { Self.minutes($0.start) } == [0, 5, 10])
        #expect(forecast.runs.map { $0.waits.map(\.gate) } == [[], [.kindCapacity], [.kindCapacity]])
    }

    @Test("A condition that is lost stops a run; its request starts again when the condition is back")
    func lost() {
        let scheduler = Self.scheduler(1) { $0.requires.externalPower = true }
        let forecast = Forecast(scheduler, lengths: [.minutes(10)], from: Self.start, limit: 10)
        forecast.play(
            over: [
                Forecast.Change(at: Self.after(-9), conditions: Self.conditions { $0.externalPower = .no }),
                Forecast.Change(at: Self.after(-5), conditions: Self.conditions()),
                Forecast.Change(at: Self.after(4), conditions: Self.conditions { $0.externalPower = .no }),
                Forecast.Change(at: Self.after(30), conditions: Self.conditions()),
            ], until: Self.after(60))
        #expect(forecast.runs.map { Self.minutes($0.start) } == [0, 30])
        #expect(forecast.runs.map { Self.minutes($0.end) } == [4, 40])
        #expect(forecast.runs.map(\.stopped) == [.powerLost, nil])
        // It did nothing wrong.
        #expect(forecast.runs.map(\.request.attempt) == [1, 1])
        #expect(forecast.runs[1].waits.map(\.gate) == [.externalPower])
    }

    @Test("A run pauses while the machine sleeps, and continues afterwards; none starts meanwhile")
    func sleep() {
        var limits = SchedulerLimits()
        limits.processings = 1
        let forecast = Forecast(
            Self.scheduler(2, limits: limits), lengths: [.minutes(10), .minutes(10)], from: Self.start, limit: 10)
        forecast.play(
            over: [
                Forecast.Change(at: Self.start, conditions: Self.conditions()),
                Forecast.Change(at: Self.after(4), conditions: Self.conditions { $0.isAsleep = .yes }),
                Forecast.Change(at: Self.after(60), conditions: Self.conditions()),
            ], until: Self.after(600))
        #expect(forecast.runs.map { Self.minutes($0.start) } == [0, 66])
        #expect(forecast.runs.map { Self.minutes($0.end) } == [66, 76])
        #expect(forecast.runs[1].waits.map(\.gate) == [.sleep, .kindCapacity])
    }

    @Test("The forecast reports what holds a request at the end")
    func held() throws {
        let scheduler = Self.scheduler(1) { $0.requires.network = .ok }
        let forecast = Forecast(scheduler, lengths: [.minutes(10)], from: Self.start, limit: 10)
        let metered = Self.conditions { $0.network = .constrained }
        forecast.play(over: [Forecast.Change(at: Self.start, conditions: metered)], until: Self.after(60))
        #expect(forecast.runs.isEmpty)
        #expect(forecast.gates(identity: 1).filter(\.holds).map(\.gate) == [.network])
        #expect(forecast.gates(identity: 2).isEmpty)
    }

    @Test("A schedule starts at its times, in the same number however long each run takes", arguments: [1, 10, 25])
    func schedule(_ length: Int64) {
        var scheduler = Scheduler(limits: SchedulerLimits())
        let application = scheduler.addApplication(ApplicationMemory())
        var rules = TaskSchedulingRules(application: application, kind: .appRefresh)
        rules.identity = 1
        rules.schedule = scheduler.addSchedule(
            ScheduleRule(Schedule(every: .minutes(20)), zone: .utc, seed: 0))
        _ = scheduler.addTask(rules)
        let forecast = Forecast(scheduler, lengths: [.minutes(length)], from: Self.start, limit: 1000)
        forecast.play(
            over: [Forecast.Change(at: Self.start, conditions: Self.conditions())], until: Self.after(24 * 60))
        let starts = forecast.runs.map { Self.minutes($0.start) }
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= max(20, length) })
        #expect(
            zip(forecast.runs, forecast.runs.dropFirst()).allSatisfy { $0.end <= $1.start }, "no run overlaps the next")
        #expect(length > 20 ? starts.count >= 36 : starts.count == 71)
    }

    @Test func theLimitEndsAForecast() {
        let forecast = Forecast(
            Self.scheduler(5), lengths: [.zero, .zero, .zero, .zero, .zero], from: Self.start, limit: 3)
        forecast.play(over: [], until: Self.after(60))
        #expect(forecast.runs.count == 3 && forecast.isCut && forecast.end == Self.start)
    }
}
