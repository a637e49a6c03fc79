import Scheduling
import TaskModel
import Testing

struct ScheduleTests {
    /// A bench with one task that runs at every full hour; it is noon.
    private func hourly(
        _ kind: TaskKind = .appRefresh, catchUp: CatchUp = .latest,
        change: (inout TaskSchedulingRules) -> Void = { _ in }
    ) -> (bench: Bench, task: TaskIndex) {
        let bench = Bench()
        let schedule = bench.every(.seconds(3600), catchUp: catchUp)
        let task = bench.add(kind) {
            $0.schedule = schedule
            change(&$0)
        }
        return (bench, task)
    }

    private func scheduledFor(_ bench: Bench, _ request: RequestHandle?) -> Timestamp? {
        request.flatMap { bench.request($0)?.request.scheduledFor }
    }

    @Test func `A schedule submits by itself, the next one when one starts`() throws {
        let (bench, task) = hourly()
        bench.begin()
        let first = try #require(bench.pendingRequest(of: task))
        #expect(bench.decisions == [.remember(first)])
        #expect(scheduledFor(bench, first) == bench.time(in: .seconds(3600)))
        #expect(bench.request(first)?.request.terms.origin == .schedule)
        for _ in 0..<48 {
            bench.pass(.seconds(3600))
            #expect(bench.started.count == 1)
            let started = try #require(bench.started.first)
            let next = try #require(bench.pendingRequest(of: task))
            #expect(bench.decisions == [.start(started, launch: bench.decisions.launch), .remember(next)])
            #expect(scheduledFor(bench, next) == bench.time(in: .seconds(3600)))
            bench.end(started)
        }
    }

    @Test func `Scheduled requests do not count in the limits`() throws {
        let (bench, _) = hourly()
        let other = bench.add(.appRefresh)
        bench.begin()
        #expect(bench.refusal(other) == nil)
    }

    @Test func `A run that takes longer than the distance meets one that waits, and no more`() throws {
        let (bench, _) = hourly(.processing)
        bench.begin()
        bench.pass(.seconds(3600))
        let slow = try #require(bench.started.first)
        bench.pass(.seconds(10 * 3600))
        #expect(bench.pending().count == 1)
        bench.end(slow)
        #expect(bench.started.count == 1)
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3600)))
    }

    @Test(arguments: CatchUp.allCases) func `Years of missed times cost one step`(catchUp: CatchUp) throws {
        let (first, task) = hourly(catchUp: catchUp)
        first.begin()
        let pending = try #require(first.pending().first)
        let kept = try #require(first.request(pending))
        let (bench, _) = hourly(catchUp: catchUp)
        bench.skip(.seconds(5 * 365 * 86_400 + 1800))
        let restored = bench.scheduler.restore(kept.request, of: kept.task)
        bench.begin()
        let next = try #require(bench.pendingRequest(of: task))
        #expect(bench.started == (catchUp == .latest ? [restored] : []))
        #expect(bench.pending() == [next])
        #expect(scheduledFor(bench, next) == bench.time(in: .seconds(1800)))
    }

    @Test(arguments: CatchUp.allCases) func `A machine that slept over many times runs one of them, or none`(
        catchUp: CatchUp
    ) throws {
        let (bench, _) = hourly(catchUp: catchUp)
        bench.begin()
        bench.jump(by: .seconds(86_400 + 600))
        bench.advance()
        #expect(bench.started.count == (catchUp == .latest ? 1 : 0))
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3000)))
    }

    @Test func `A time that waited for a gate is not missed`() throws {
        let (bench, _) = hourly(catchUp: .none)
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        bench.pass(.seconds(3600))
        bench.pass(.seconds(7200))
        bench.set { $0.lowPowerMode = .no }
        #expect(bench.started.count == 1)
    }

    @Test func `A clock set back by years does not stop a schedule`() {
        let (bench, _) = hourly()
        bench.begin()
        bench.jump(by: .seconds(-3 * 365 * 86_400 - 600))
        bench.advance()
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(600)))
        bench.pass(.seconds(600))
        #expect(bench.started.count == 1)
    }

    @Test(arguments: [600, 1800, 7200, 10_799] as [Int64])
    func `A clock set back a little holds no pace up and repeats nothing`(step: Int64) throws {
        let (bench, _) = hourly()
        bench.begin()
        bench.pass(.seconds(3600))
        bench.end(try #require(bench.started.first))
        bench.jump(by: .seconds(-step))
        bench.advance()
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3600)))
        bench.pass(.seconds(3599))
        #expect(bench.started == [])
        bench.pass(.seconds(1))
        bench.end(try #require(bench.started.first))
        // The next is one of its times again, no nearer than half of the distance.
        let next = try #require(scheduledFor(bench, bench.pending().first))
        #expect(next.nanoseconds % 3_600_000_000_000 == 0)
        let distance = TimeSpan(nanoseconds: next.nanoseconds - bench.now.time.nanoseconds)
        #expect(distance > .seconds(1800) && distance <= .seconds(5400))
    }

    @Test func `What has come and waits stays due when the clock is set back a little`() throws {
        let (bench, _) = hourly(catchUp: .none)
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        bench.pass(.seconds(3600))
        bench.jump(by: .seconds(-600))
        bench.set { $0.lowPowerMode = .no }
        #expect(bench.started.count == 1)
    }

    @Test func `Small steps that follow each other move a pace each time, until they are a large one`() throws {
        let (bench, _) = hourly()
        bench.begin()
        for _ in 0..<10 {
            bench.jump(by: .seconds(-1000))
            bench.advance()
            #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3600)))
        }
        bench.jump(by: .seconds(-1000))
        bench.advance()
        let next = try #require(scheduledFor(bench, bench.pending().first))
        #expect(next.nanoseconds % 3_600_000_000_000 == 0 && next <= bench.time(in: .seconds(3600)))
    }

    @Test func `A pace stands still over no restart with a clock that was set back`() throws {
        let rule = Schedule(every: .seconds(900), catchUp: .latest)
        let first = Bench()
        let schedule = first.scheduler.addSchedule(ScheduleRule(rule, zone: .utc, seed: 0))
        _ = first.add(.appRefresh) { $0.schedule = schedule }
        first.begin()
        let pending = try #require(first.pending().first)
        let kept = try #require(first.request(pending))
        let bench = Bench()
        _ = bench.scheduler.addSchedule(ScheduleRule(rule, zone: .utc, seed: 0))
        _ = bench.add(.appRefresh) { $0.schedule = schedule }
        bench.jump(by: .seconds(-7200))
        _ = bench.scheduler.restore(kept.request, of: kept.task)
        bench.begin()
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(900)))
    }

    private func calendar(_ hours: UInt32) throws -> (bench: Bench, task: TaskIndex) {
        let expression = CalendarExpression(
            text: "", minutes: 1, hours: hours, days: .max - 1, months: 0x1FFE, weekdays: 0x7F, hasFreeDays: true,
            hasFreeWeekdays: true)
        let bench = Bench()
        let schedule = bench.scheduler.addSchedule(
            ScheduleRule(Schedule(calendar: expression, catchUp: .latest), zone: .utc, seed: 0))
        return (bench, bench.add(.appRefresh) { $0.schedule = schedule })
    }

    // A board without a clock of its own starts at 1970, until the network tells the time.
    @Test(arguments: [0, 3, 30] as [Int64])
    func `A clock that comes late repeats no time that ran, and makes up for one that was missed`(days: Int64) throws {
        let (first, _) = try calendar(1 << 13)
        first.begin()
        first.pass(.seconds(3600))
        first.end(try #require(first.started.first))
        let pending = try #require(first.pending().first)
        let tomorrow = first.time(in: .seconds(86_400))
        let missing = TimeSpan.seconds(first.now.time.nanoseconds / 1_000_000_000 - 30)
        var kept = try #require(first.request(pending))
        // It boots twice before it learns the time.
        let (early, _) = try calendar(1 << 13)
        early.jump(by: .zero - missing)
        _ = early.scheduler.restore(kept.request, of: kept.task)
        early.begin()
        kept = try #require(early.pending().first.flatMap { early.request($0) })
        #expect(try #require(kept.request.scheduledFor) < early.time(in: .seconds(86_400)))
        let (bench, _) = try calendar(1 << 13)
        bench.jump(by: .zero - missing)
        let restored = bench.scheduler.restore(kept.request, of: kept.task)
        bench.begin()
        bench.pass(.seconds(40))
        bench.jump(by: missing + .seconds(86_400 * days + 7200))
        bench.advance()
        if days == 0 {
            #expect(bench.started == [])
            #expect(scheduledFor(bench, bench.pending().first) == tomorrow)
        } else {
            #expect(bench.started == [restored])
            #expect(scheduledFor(bench, restored) == tomorrow)
            #expect(bench.pending().count == 1)
        }
    }

    @Test func `A clock that is set back and forward again repeats no time`() throws {
        for (bench, span) in [(try calendar(1 << 13).bench, 3600), (hourly().bench, 3600)] as [(Bench, Int64)] {
            bench.begin()
            bench.pass(.seconds(span))
            bench.end(try #require(bench.started.first))
            let next = scheduledFor(bench, bench.pending().first)
            for _ in 0..<2 {
                bench.jump(by: .seconds(-3 * 86_400))
                bench.advance()
            }
            #expect(scheduledFor(bench, bench.pending().first) != next)
            bench.jump(by: .seconds(6 * 86_400))
            bench.advance()
            #expect(bench.started == [])
            #expect(scheduledFor(bench, bench.pending().first) == next)
        }
    }

    @Test func `A calendar that fits every hour continues at the nearest full hour, one that names hours repeats none`()
        throws
    {
        // It is noon. Back by 10, 40 and 120 minutes after one o'clock.
        for (step, next) in [(600, 4200), (2400, 2400), (7200, 3600)] as [(Int64, Int64)] {
            let (paced, _) = try calendar(1 << 24 - 1)
            paced.begin()
            paced.pass(.seconds(3600))
            #expect(paced.started.count == 1)
            paced.jump(by: .seconds(-step))
            paced.advance()
            #expect(scheduledFor(paced, paced.pending().first) == paced.time(in: .seconds(next)), "\(step)")

            let (daily, _) = try calendar(1 << 13)
            daily.begin()
            daily.pass(.seconds(3600))
            #expect(daily.started.count == 1)
            daily.jump(by: .seconds(-step))
            daily.advance()
            let tomorrow = daily.time(in: .seconds(86_400 + step))
            #expect(scheduledFor(daily, daily.pending().first) == tomorrow, "\(step)")
        }
    }

    @Test func `A time that is skipped is left out, also over a restart`() throws {
        let (bench, task) = hourly()
        bench.begin()
        let time = bench.call { $0.skip(identity: bench.identity(task), at: $1) }
        #expect(time == bench.time(in: .seconds(3600)))
        let next = try #require(bench.pending().first)
        #expect(scheduledFor(bench, next) == bench.time(in: .seconds(7200)))
        let (second, _) = hourly()
        let kept = try #require(bench.request(next))
        _ = second.scheduler.restore(kept.request, of: kept.task)
        second.begin()
        #expect(scheduledFor(second, second.pending().first) == bench.time(in: .seconds(7200)))
    }

    @Test func `Cancelling leaves the times of a schedule alone, however often`() {
        let (bench, task) = hourly()
        bench.begin()
        for _ in 0..<20 {
            #expect(!bench.call { $0.cancel(identity: bench.identity(task), at: $1) })
            #expect(bench.decisions == [])
        }
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3600)))
    }

    @Test func `Cancelling a further try of a time that has begun takes that try back, and no time`() throws {
        let (bench, task) = hourly { $0.attempts = 3 }
        bench.begin()
        bench.pass(.seconds(3600))
        bench.end(try #require(bench.started.first), .failed)
        #expect(scheduledFor(bench, bench.pending().first) == bench.now.time)
        #expect(bench.call { $0.skip(identity: bench.identity(task), at: $1) } == nil)
        #expect(bench.call { $0.cancel(identity: bench.identity(task), at: $1) })
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3600)))
    }

    @Test func `What a user ran early and failed leaves the time itself alone`() throws {
        let (bench, task) = hourly { $0.attempts = 3 }
        bench.begin()
        let time = bench.time(in: .seconds(3600))
        #expect(bench.call { $0.simulateLaunch(identity: bench.identity(task), at: $1) })
        bench.end(try #require(bench.started.first), .failed)
        #expect(bench.call { $0.cancel(identity: bench.identity(task), at: $1) })
        #expect(scheduledFor(bench, bench.pending().first) == time)
    }

    @Test func `An application that cancels everything keeps its manifest's schedule`() {
        let (bench, _) = hourly()
        bench.begin()
        bench.call { $0.cancelAll(application: bench.application, at: $1) }
        #expect(bench.decisions == [] && bench.pending().count == 1)
    }

    @Test func `The schedule continues after a request of the application took its place`() throws {
        let (bench, task) = hourly()
        bench.begin()
        let mine = try bench.submit(task)
        #expect(bench.started == [mine])
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(3600)))
    }

    @Test func `What a user runs early is still due`() {
        let (bench, task) = hourly()
        bench.begin()
        let due = scheduledFor(bench, bench.pending().first)
        #expect(bench.call { $0.simulateLaunch(identity: bench.identity(task), at: $1) })
        #expect(scheduledFor(bench, bench.pending().first) == due)
    }

    @Test func `A manifest that goes keeps its requests, and one that returns lets them continue`() throws {
        let (bench, task) = hourly()
        let other = bench.add(.processing)
        bench.begin()
        let date = bench.time(in: .seconds(60))
        let request = try bench.submit(other) { $0.earliestBeginDate = date }
        for removed in [task, other] {
            bench.call { $0.setRemoved(true, task: removed, at: $1) }
            #expect(bench.decisions == [])
        }
        bench.pass(.seconds(7300))
        #expect(bench.started == [])
        #expect(bench.untilDeadline == nil)
        #expect(bench.holding(request) == [.manifest])
        #expect(!bench.call { $0.simulateLaunch(identity: bench.identity(other), at: $1) })
        bench.call { $0.setRemoved(false, task: other, at: $1) }
        #expect(bench.started == [request])
        bench.call { $0.setRemoved(false, task: task, at: $1) }
        #expect(bench.started.count == 1)
        #expect(bench.pending().count == 1)
    }

    @Test func `New rules move what waits and leave what runs`() throws {
        let bench = Bench()
        let (waiting, active) = (
            bench.add(.processing) { $0.requires.externalPower = true }, bench.add(.processing)
        )
        bench.conditions.externalPower = .no
        bench.begin()
        let request = try bench.submit(waiting)
        let running = try bench.submit(active)
        #expect(bench.started == [running])
        var rules = TaskSchedulingRules(application: bench.application, kind: .processing)
        rules.identity = bench.identity(active)
        rules.requires.network = .ok
        bench.call { $0.setRules(rules, of: active, at: $1) }
        bench.set { $0.network = .none }
        #expect(bench.expired == [], "it began by the old rules")
        rules.identity = bench.identity(waiting)
        rules.requires.network = nil
        bench.call { $0.setRules(rules, of: waiting, at: $1) }
        #expect(bench.started == [request])
    }

    @Test func `A schedule that a reload adds submits at the next turn`() {
        let bench = Bench()
        bench.begin()
        let schedule = bench.every(.seconds(3600))
        let task = bench.add(.processing) { $0.schedule = schedule }
        #expect(bench.untilDeadline == .zero)
        bench.advance()
        #expect(bench.pendingRequest(of: task) != nil)
        #expect(bench.untilDeadline == .seconds(3600))
    }

    @Test func `A schedule that a reload changes or removes counts from then on`() {
        let (bench, task) = hourly()
        let daily = bench.every(.seconds(86_400))
        bench.begin()
        var rules = TaskSchedulingRules(application: bench.application, kind: .appRefresh)
        rules.identity = bench.identity(task)
        rules.schedule = daily
        bench.call { $0.setRules(rules, of: task, at: $1) }
        #expect(scheduledFor(bench, bench.pending().first) == bench.time(in: .seconds(12 * 3600)))
        rules.schedule = nil
        bench.call { $0.setRules(rules, of: task, at: $1) }
        #expect(bench.decisions == [.forget(identity: bench.identity(task), submitted: bench.now.time)])
        #expect(bench.pending() == [])
    }
}

extension [Decision] {
    /// The launch of the first start.
    var launch: UInt32 {
        for case .start(_, let launch) in self { return launch }
        return 0
    }
}
