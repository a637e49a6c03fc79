import Scheduling
import TaskModel
import Testing

struct FetchTests {
    private static let day = TimeSpan.seconds(86_400)

    /// A bench whose application has a fetch.
    private func bench(_ interval: TimeSpan? = .minutes(30), memory: ApplicationMemory = ApplicationMemory()) -> (
        Bench, TaskIndex
    ) {
        let bench = Bench(memory: memory)
        let task = bench.add(.backgroundFetch)
        bench.begin()
        if let interval { set(interval, bench) }
        return (bench, task)
    }

    private func set(_ interval: TimeSpan?, _ bench: Bench) {
        bench.call { $0.setFetchInterval(interval, application: bench.application, at: $1) }
    }

    /// The date of the one request that is pending.
    private func date(_ bench: Bench) -> Timestamp? {
        let pending = bench.pending()
        return pending.count == 1 ? bench.request(pending[0])?.request.terms.earliestBeginDate : nil
    }

    @Test func `Nothing is fetched until the application asks for it`() {
        let (bench, _) = bench(nil)
        #expect(bench.pending().isEmpty)
        bench.pass(Self.day)
        #expect(bench.started.isEmpty)
    }

    @Test func `It comes each interval, counted from the end of the one before`() throws {
        let (bench, _) = bench()
        #expect(date(bench) == bench.time(in: .minutes(30)))
        for _ in 0..<3 {
            bench.pass(.minutes(30) - .seconds(1))
            #expect(bench.started.isEmpty)
            bench.pass(.seconds(1))
            let run = try #require(bench.started.first)
            #expect(bench.pending().isEmpty, "none waits while one continues")
            bench.skip(.seconds(20))
            bench.end(run)
            #expect(date(bench) == bench.time(in: .minutes(30)))
        }
    }

    @Test func `No interval is shorter than the host's least one`() {
        let (bench, _) = bench(.seconds(1))
        #expect(date(bench) == bench.time(in: .minutes(15)))
    }

    @Test func `Asking for the same again changes nothing, for another restarts it, for none ends it`() {
        let (bench, _) = bench()
        let first = date(bench)
        bench.skip(.minutes(10))
        set(.minutes(30), bench)
        #expect(date(bench) == first && bench.decisions.isEmpty)
        set(.minutes(60), bench)
        #expect(date(bench) == bench.time(in: .minutes(60)))
        set(nil, bench)
        #expect(bench.pending().isEmpty)
        #expect(bench.decisions.contains(.rememberApplication(bench.application)))
        set(.minutes(20), bench)
        #expect(date(bench) == bench.time(in: .minutes(20)))
    }

    @Test(arguments: [Outcome.overran, .unreported])
    func `One that is not answered doubles the pause, and an answer restores it`(outcome: Outcome) throws {
        let (bench, _) = bench(.minutes(60))
        for count in 1...10 {
            bench.pass(Self.day * 8)
            bench.end(try #require(bench.started.first), outcome)
            let doubled = TimeSpan.minutes(60 << Int64(count))
            #expect(date(bench) == bench.time(in: min(doubled, Self.day * 7)), "\(count)")
        }
        #expect(bench.scheduler.memory(of: bench.application).unansweredFetches == 10)
        bench.pass(Self.day * 8)
        bench.end(try #require(bench.started.first), .failed)
        #expect(date(bench) == bench.time(in: .minutes(60)))
    }

    @Test func `A crash, an interruption and a refusal say nothing of answers`() throws {
        let (bench, _) = bench()
        for outcome in [Outcome.crashed, .refused, .exceededCPU] {
            bench.pass(Self.day)
            bench.end(try #require(bench.started.first), outcome)
            #expect(bench.scheduler.memory(of: bench.application).unansweredFetches == 0)
            #expect(bench.pending().count == 1)
            bench.call { $0.liftQuarantine(application: bench.application, at: $1) }
        }
    }

    @Test func `One of more than a week keeps its own interval`() throws {
        let (bench, _) = bench(Self.day * 10)
        bench.pass(Self.day * 10)
        bench.end(try #require(bench.started.first), .overran)
        #expect(date(bench) == bench.time(in: Self.day * 10))
    }

    @Test func `Its gates are a refresh's`() throws {
        let (bench, _) = bench()
        bench.set {
            $0.lowPowerMode = .yes
            $0.backgroundRefresh = .no
        }
        bench.call { $0.setRefreshDenied(true, application: bench.application, at: $1) }
        bench.pass(.minutes(30))
        #expect(bench.started.isEmpty)
        #expect(bench.holding(bench.pending()[0]) == [.backgroundRefresh, .lowPowerMode])
        bench.set {
            $0.lowPowerMode = .no
            $0.backgroundRefresh = .yes
        }
        #expect(bench.holding(bench.pending()[0]) == [.backgroundRefresh])
        bench.call { $0.setRefreshDenied(false, application: bench.application, at: $1) }
        #expect(bench.started.count == 1)
    }

    @Test func `Quitting the application drops it, and opening it asks for a fresh one`() throws {
        let (bench, _) = bench()
        bench.skip(.minutes(10))
        bench.call { $0.quit(application: bench.application, at: $1) }
        #expect(bench.pending().isEmpty)
        bench.pass(Self.day)
        #expect(bench.started.isEmpty && bench.pending().isEmpty)
        bench.call { $0.open(application: bench.application, at: $1) }
        #expect(date(bench) == bench.time(in: .minutes(30)))
    }

    @Test func `What was running when it was quit is not followed by another`() throws {
        let (bench, _) = bench()
        bench.pass(.minutes(30))
        let run = try #require(bench.started.first)
        bench.call { $0.quit(application: bench.application, at: $1) }
        bench.end(run, .interrupted, .userCancelled)
        #expect(bench.pending().isEmpty)
    }

    @Test func `Cancelled by a user it comes an interval later, and the application cannot cancel it`() {
        let (bench, task) = bench()
        bench.skip(.minutes(10))
        bench.call { $0.cancelAll(application: bench.application, at: $1) }
        #expect(date(bench) == bench.time(in: .minutes(20)))
        #expect(bench.call { $0.cancel(identity: bench.identity(task), at: $1) })
        #expect(date(bench) == bench.time(in: .minutes(30)))
    }

    @Test func `It comes back with its manifest`() {
        let (bench, task) = bench()
        bench.call { $0.setRemoved(true, task: task, at: $1) }
        bench.pass(Self.day)
        #expect(bench.started.isEmpty)
        bench.call { $0.setRemoved(false, task: task, at: $1) }
        #expect(bench.started.count == 1)
    }

    @Test func `A host that starts again continues what was pending, and begins where nothing was`() {
        var memory = ApplicationMemory()
        memory.fetchInterval = .minutes(30)
        memory.unansweredFetches = 1
        let (fresh, _) = bench(nil, memory: memory)
        #expect(date(fresh) == fresh.time(in: .minutes(60)))
        let bench = Bench(memory: memory)
        let task = bench.add(.backgroundFetch)
        let request = bench.request(task) {
            $0.origin = .host
            $0.earliestBeginDate = bench.time(in: .minutes(7))
        }
        _ = bench.scheduler.restore(request, of: task)
        bench.begin()
        #expect(date(bench) == bench.time(in: .minutes(7)))
        bench.pass(.minutes(7))
        #expect(bench.started.count == 1)
    }

    @Test func `A date that a wrong clock set is set again`() {
        let (bench, _) = bench()
        bench.jump(by: .zero - Self.day)
        bench.advance()
        #expect(date(bench) == bench.time(in: .minutes(30)))
    }

    @Test func `Why says who asked, and what was not answered`() throws {
        let (bench, _) = bench()
        #expect(
            bench.report(.earliestBeginDate, of: bench.pending()[0])?.found.hasSuffix(
                ": the application asked for a fetch every 30 m") == true)
        bench.pass(.minutes(30))
        bench.end(try #require(bench.started.first), .overran)
        #expect(
            bench.report(.earliestBeginDate, of: bench.pending()[0])?.found.hasSuffix(
                "every 30 m, which doubled with a fetch that it did not answer") == true)
    }
}

private func * (span: TimeSpan, count: Int64) -> TimeSpan { TimeSpan(nanoseconds: span.nanoseconds * count) }
