import Scheduling
import TaskModel
import Testing

struct RetryTests {
    static let failures: [Outcome] = [
        .failed, .expired, .overran, .exceededCPU, .exceededMemory, .exceededDisk, .crashed, .exited, .unreported,
    ]

    @Test(arguments: failures) func `A failure is not tried again unless the manifest says so`(outcome: Outcome) throws
    {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        bench.end(request, outcome, .budget)
        #expect(bench.request(request) == nil)
        #expect(bench.decisions.contains(.forget(identity: bench.identity(task), submitted: bench.now.time)))
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test(arguments: failures) func `A failure is tried as often as the manifest says, after pauses that double`(
        outcome: Outcome
    ) throws {
        var limits = SchedulerLimits()
        limits.crashesAllowed = 100
        let bench = Bench(limits)
        let task = bench.add(.processing) {
            $0.attempts = 4
            $0.backoff = .seconds(30)
        }
        bench.begin()
        let request = try bench.submit(task)
        for (attempt, pause) in [30, 60, 120].enumerated() {
            bench.skip(.seconds(5))
            bench.end(request, outcome)
            let view = try #require(bench.request(request))
            #expect(view.request.attempt == UInt32(attempt + 2))
            #expect(view.request.notBefore == bench.time(in: .seconds(Int64(pause))))
            #expect(bench.holding(request) == [.backoff])
            #expect(bench.untilDeadline == .seconds(Int64(pause)))
            bench.pass(.milliseconds(Int64(pause) * 1000 - 1))
            #expect(bench.started == [])
            bench.pass(.milliseconds(1))
            #expect(bench.started == [request])
        }
        bench.end(request, outcome)
        #expect(bench.request(request) == nil)
    }

    @Test func `Jitter spreads the tries of tasks that failed at once, and no pause is shorter than the manifest says`()
        throws
    {
        var limits = SchedulerLimits()
        limits.processings = 8
        let bench = Bench(limits)
        let tasks = (0..<8).map { _ in
            bench.add(.processing) {
                $0.attempts = 4
                $0.backoff = .seconds(30)
                $0.retryJitter = .seconds(20)
            }
        }
        bench.begin()
        var pauses: [TimeSpan] = []
        for task in tasks {
            let request = try bench.submit(task)
            bench.end(request, .failed)
            let notBefore = try #require(bench.request(request)?.request.notBefore)
            pauses.append(notBefore - bench.now.time)
        }
        #expect(pauses.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(50) }, "\(pauses)")
        #expect(Set(pauses.map(\.nanoseconds)).count > 6, "\(pauses)")
        let spread = (pauses.max() ?? .zero) - (pauses.min() ?? .zero)
        #expect(spread > .seconds(8), "\(pauses)")
    }

    @Test(arguments: [Outcome.succeeded, .cancelled, .refused]) func `What did not fail is not tried again`(
        outcome: Outcome
    ) throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.attempts = 10 }
        bench.begin()
        bench.end(try bench.submit(task), outcome)
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test func `What a user cancelled is not tried again`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.attempts = 10 }
        bench.begin()
        bench.end(try bench.submit(task), .expired, .userCancelled)
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test func `An interruption is made up for and does not count as a failure`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.attempts = 2 }
        bench.begin()
        let request = try bench.submit(task)
        for attempt in 2...6 as ClosedRange<UInt32> {
            bench.end(request, .interrupted, .applicationTerminated)
            #expect(bench.started == [request])
            #expect(bench.request(request)?.request.attempt == attempt)
        }
        bench.end(request, .failed)
        #expect(bench.request(request)?.request.attempt == 7)
        bench.pass(.seconds(30))
        bench.end(request, .failed)
        #expect(bench.request(request) == nil)
    }

    @Test func `A host that stops starts nothing, and keeps what it interrupts`() throws {
        let bench = Bench()
        let (one, two) = (bench.add(.processing), bench.add(.processing))
        bench.begin()
        let request = try bench.submit(one)
        bench.call { scheduler, now in scheduler.stop(at: now) }
        let late = try bench.submit(two)
        bench.end(request, .interrupted, .hostStopping)
        #expect(bench.decisions == [.remember(request)])
        #expect(bench.pending() == [request, late])
        #expect(bench.untilDeadline == nil)
        bench.pass(.seconds(3600))
        #expect(bench.decisions == [])
    }

    @Test func `A newer request of the identity takes the place of a retry`() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh) { $0.attempts = 5 }
        bench.begin()
        let first = try bench.submit(task)
        let submitted = bench.now.time
        bench.skip(.seconds(1))
        let date = bench.time(in: .seconds(900))
        let second = try bench.submit(task) { $0.earliestBeginDate = date }
        bench.end(first, .failed)
        #expect(bench.decisions == [.forget(identity: bench.identity(task), submitted: submitted)])
        #expect(bench.pending() == [second])
    }

    @Test func `A retry comes before the schedule's next time, or not at all`() throws {
        let bench = Bench()
        let quick = bench.add(.appRefresh) {
            $0.attempts = 3
            $0.backoff = .seconds(30)
        }
        let hourly = bench.every(.seconds(3600))
        var rules = TaskSchedulingRules(application: bench.application, kind: .appRefresh)
        rules.identity = bench.identity(quick)
        rules.attempts = 3
        rules.schedule = hourly
        bench.begin()
        bench.call { $0.setRules(rules, of: quick, at: $1) }
        bench.pass(.seconds(3600))
        let first = try #require(bench.started.first)
        bench.end(first, .failed)
        #expect(bench.pending() == [first], "the retry replaces the next time")
        bench.pass(.seconds(30))
        #expect(bench.started == [first])
        let next = try #require(bench.pending().first)
        #expect(bench.request(next)?.request.scheduledFor == bench.time(in: .seconds(3570)))
        // Half a minute before the next time a pause of a minute is too long.
        bench.skip(.seconds(3540))
        bench.end(first, .failed)
        #expect(bench.pending() == [next])
    }

    @Test func `Pauses have an upper end and survive large counts`() throws {
        var limits = SchedulerLimits()
        limits.longestBackoff = .seconds(3600)
        let bench = Bench(limits)
        let task = bench.add(.processing) {
            $0.attempts = 100
            $0.backoff = .seconds(600)
        }
        bench.begin()
        let request = try bench.submit(task)
        for _ in 0..<80 {
            bench.end(request, .failed)
            let pause = try #require(bench.untilDeadline)
            #expect(pause <= .seconds(3600))
            bench.pass(pause)
            #expect(bench.started == [request])
        }
    }

    @Test func `A restored pause ends when it would have, and no later than a pause may`() {
        for (notBefore, rest) in [(60, 60), (-60, 0), (86_400 * 365, 5 * 3600)] as [(Int64, Int64)] {
            let bench = Bench()
            let task = bench.add(.processing) { $0.attempts = 5 }
            var request = bench.request(task)
            request.attempt = 2
            request.notBefore = bench.time(in: .seconds(notBefore))
            let restored = bench.scheduler.restore(request, of: task)
            bench.begin()
            if rest > 0 {
                #expect(bench.untilDeadline == .seconds(rest))
                bench.pass(.seconds(rest))
            }
            #expect(bench.started == [restored])
        }
    }

    @Test func `Restarts use up no tries, and failures before them stay counted`() throws {
        let tries: (inout TaskSchedulingRules) -> Void = {
            $0.attempts = 3
            $0.backoff = .seconds(30)
        }
        var bench = Bench()
        let task = bench.add(.processing, change: tries)
        bench.begin()
        var request = try bench.submit(task)
        bench.end(request, .failed)
        bench.pass(.seconds(30))
        #expect(bench.started == [request])
        for _ in 0..<10 {
            // The host stops, or is killed and brings it back one attempt later.
            bench.end(request, .interrupted, .hostStopping)
            let kept = try #require(bench.request(request))
            #expect(kept.request.failures == 1)
            bench = Bench()
            _ = bench.add(.processing, change: tries)
            request = bench.scheduler.restore(kept.request, of: kept.task)
            bench.begin()
            #expect(bench.started == [request])
        }
        #expect(bench.request(request)?.request.attempt == 12)
        bench.end(request, .failed)
        #expect(bench.request(request)?.request.failures == 2)
        bench.pass(.seconds(60))
        #expect(bench.started == [request])
        bench.end(request, .failed)
        #expect(bench.request(request) == nil)
    }
}
