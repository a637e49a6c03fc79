import Record
import Scheduling
import TaskModel
import Testing

/// Handlers that ask for another time.
struct DeferralTests {
    private func deferral(_ seconds: Int64) throws -> Deferral { try #require(Deferral(.seconds(seconds))) }

    @Test func `A deferred request waits for the time that its handler asked for, and no try is used up`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        for (row, words) in [(1, ""), (2, " (2 times in a row)"), (3, " (3 times in a row)")] as [(UInt8, String)] {
            bench.skip(.seconds(5))
            bench.put(off: request, try deferral(90))
            #expect(bench.decisions == [.remember(request)])
            let view = try #require(bench.request(request))
            #expect(view.request.attempt == 1 && view.request.failures == 0 && view.request.deferrals == row)
            #expect(view.request.notBefore == bench.time(in: .seconds(90)))
            #expect(bench.holding(request) == [.backoff])
            #expect(
                bench.report(.backoff, of: request)?.found == "its handler asked for another time\(words), in 1 m 30 s")
            #expect(bench.summary(request) == "waiting: the time that its handler asked for")
            bench.pass(.milliseconds(89_999))
            #expect(bench.started == [])
            bench.pass(.milliseconds(1))
            #expect(bench.started == [request])
        }
        bench.end(request)
        #expect(bench.request(request) == nil)
    }

    @Test func `After a warning it waits as well, and after a user's word it does not`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        for reason in [.budget, .powerLost, .hostStopping, .simulated] as [Reason] {
            bench.put(off: request, try deferral(60), reason)
            #expect(bench.holding(request) == [.backoff])
            bench.pass(.seconds(60))
            #expect(bench.started == [request])
        }
        bench.put(off: request, try deferral(60), .userCancelled)
        #expect(bench.request(request) == nil)
    }

    @Test func `From the tenth in a row on the pause is that of a failure, and tries stay what they were`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.backoff = .seconds(30) }
        bench.begin()
        let request = try bench.submit(task)
        let pauses: [Int64] = Array(repeating: 1, count: 9) + [30, 60, 120, 240]
        for (row, pause) in pauses.enumerated() {
            bench.put(off: request, try deferral(1))
            #expect(bench.untilDeadline == .seconds(pause), "deferral \(row + 1)")
            #expect(bench.request(request)?.request.failures == 0)
            guard row >= 9 else {
                bench.pass(.seconds(pause))
                continue
            }
            let found = try #require(bench.report(.backoff, of: request)?.found)
            #expect(found.hasPrefix("its handler asked for another time \(row + 1) times in a row"))
            bench.pass(.seconds(pause))
        }
        // What it asks for counts where it is more.
        bench.put(off: request, try deferral(7 * 86_400))
        #expect(bench.untilDeadline == .seconds(7 * 86_400))
    }

    @Test func `Rows of hundreds have an upper end`() throws {
        var limits = SchedulerLimits()
        limits.longestBackoff = .seconds(3600)
        let bench = Bench(limits)
        let task = bench.add(.processing) { $0.backoff = .seconds(600) }
        bench.begin()
        let request = try bench.submit(task)
        for _ in 0..<600 {
            bench.put(off: request, try deferral(1))
            let pause = try #require(bench.untilDeadline)
            #expect(pause <= .seconds(3600))
            bench.pass(pause)
            #expect(bench.started == [request])
        }
        #expect(bench.request(request)?.request.deferrals == .max)
    }

    @Test(
        arguments: [(.failed, nil), (.interrupted, .applicationTerminated), (.expired, .powerLost)]
            as [(Outcome, Reason?)])
    func `Another outcome ends the row`(_ outcome: Outcome, _ reason: Reason?) throws {
        let bench = Bench()
        let task = bench.add(.processing) {
            $0.attempts = 3
            $0.backoff = .seconds(30)
        }
        bench.begin()
        let request = try bench.submit(task)
        for _ in 0..<9 {
            bench.put(off: request, try deferral(1))
            bench.pass(.seconds(1))
        }
        bench.end(request, outcome, reason)
        #expect(bench.request(request)?.request.deferrals == 0)
        if outcome == .failed {
            #expect(bench.summary(request) == "waiting: the end of the pause after a failure")
            bench.pass(.seconds(30))
        }
        bench.put(off: request, try deferral(1))
        #expect(bench.untilDeadline == .seconds(1))
    }

    @Test func `It survives a restart, the date and seven days included`() throws {
        var bench = Bench()
        var task = bench.add(.processing)
        bench.begin()
        var request = try bench.submit(task)
        bench.put(off: request, try deferral(7 * 86_400))
        let kept = try #require(bench.request(request))
        bench = Bench()
        task = bench.add(.processing)
        request = bench.scheduler.restore(kept.request, of: kept.task)
        bench.begin()
        #expect(bench.untilDeadline == .seconds(7 * 86_400))
        #expect(bench.summary(request) == "waiting: the time that its handler asked for")
        bench.pass(.seconds(7 * 86_400))
        #expect(bench.started == [request])
        #expect(bench.request(request)?.request.attempt == 1)
    }

    @Test(arguments: [CatchUp.latest, .none])
    func `A time of a schedule is put off as well, over a restart too, and gives way to the next time`(
        _ catchUp: CatchUp
    ) throws {
        func host() -> (Bench, TaskIndex) {
            let bench = Bench()
            let hourly = bench.every(.seconds(3600), catchUp: catchUp)
            return (bench, bench.add(.appRefresh) { $0.schedule = hourly })
        }
        var (bench, _) = host()
        bench.begin()
        bench.pass(.seconds(3600))
        let first = try #require(bench.started.first)
        bench.put(off: first, try deferral(1800))
        #expect(bench.pending() == [first], "it replaces the next time")
        let kept = try #require(bench.request(first))
        let time = bench.now
        (bench, _) = host()
        bench.skip(time.instant - bench.now.instant)
        let restored = bench.scheduler.restore(kept.request, of: kept.task)
        bench.begin()
        #expect(bench.holding(restored) == [.backoff])
        #expect(bench.request(restored)?.request.scheduledFor == kept.request.scheduledFor)
        bench.pass(.seconds(1800))
        #expect(bench.started == [restored])
        let next = try #require(bench.pending().first)
        // Half an hour before the next time, an hour is too long.
        bench.put(off: restored, try deferral(3600))
        #expect(bench.pending() == [next])
    }

    @Test func `What the handler submitted itself takes its place`() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh)
        bench.begin()
        let first = try bench.submit(task)
        bench.skip(.seconds(1))
        let date = bench.time(in: .seconds(900))
        let second = try bench.submit(task) { $0.earliestBeginDate = date }
        bench.put(off: first, try deferral(60))
        #expect(bench.pending() == [second])
    }

    @Test func `A host's death ends the row with the run that it cut short`() throws {
        let now = Timestamp(nanoseconds: 1_000)
        var stored = TaskRequest(
            identity: 7, kind: .processing, submitted: Timestamp(nanoseconds: 5))
        stored.running = TaskRequest.unknownRun
        stored.deferrals = 9
        stored.notBefore = now
        let recovery = Recovery(runs: [], requests: [stored], at: now)
        stored.running = nil
        stored.deferrals = 0
        stored.notBefore = nil
        stored.attempt = 2
        var record = TurnRecord()
        record.append(.requestPut(stored))
        #expect(recovery.record == record)
    }
}

extension Bench {
    /// The request's handler asks for another time.
    fileprivate func put(off request: RequestHandle, _ deferral: Deferral, _ reason: Reason? = nil) {
        let end = RequestEnd(outcome: .deferred, reason: reason, cpuTime: nil, deferral: deferral)
        call { $0.ended(request, end, at: $1) }
    }
}
