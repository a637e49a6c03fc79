import Scheduling
import TaskModel
import Testing

/// A request that has become another host's.
struct WithdrawTests {
    @Test func `A request that waits is forgotten, and the next one starts`() throws {
        var limits = SchedulerLimits()
        limits.concurrency = 1
        let bench = Bench(limits)
        let (first, second) = (bench.add(.processing), bench.add(.processing))
        bench.begin()
        let running = try bench.submit(first)
        let waiting = try bench.submit(second)
        #expect(bench.call { $0.withdraw(waiting, at: $1) })
        #expect(bench.decisions == [.forget(identity: bench.identity(second), submitted: bench.now.time)])
        #expect(bench.request(waiting) == nil && bench.request(running) != nil)
        #expect(bench.call { $0.withdraw(waiting, at: $1) } == false)
    }

    @Test(arguments: [Outcome.failed, .interrupted, .deferred, .crashed]) func `One that runs has no further try`(
        outcome: Outcome
    ) throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.attempts = 4 }
        bench.begin()
        let request = try bench.submit(task)
        #expect(bench.call { $0.withdraw(request, at: $1) })
        #expect(bench.decisions.isEmpty)
        bench.end(request, outcome, .powerLost)
        #expect(bench.decisions.contains(.forget(identity: bench.identity(task), submitted: bench.now.time)))
        #expect(bench.request(request) == nil && bench.scheduler.pendingCount == 0)
    }
}
