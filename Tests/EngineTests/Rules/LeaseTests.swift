import Engine
import TaskModel
import Testing

/// The host's lease for a run's request is lost.
struct LeaseTests {
    @Test(arguments: [(TimeSpan.seconds(2), TimeSpan.seconds(2)), (.minutes(1), .seconds(5))])
    func `What runs is warned, and has a few seconds, whatever its manifest says`(
        _ grace: TimeSpan, _ given: TimeSpan
    ) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .minutes(10), grace: grace)
        let (run, worker) = try #require(bench.running(task))
        let actions = bench.feed(.expired(run, .leaseLost))
        #expect(actions.contains(.expire(worker, run, .leaseLost)))
        #expect(bench.pass(given - .milliseconds(1)) == [])
        // Before the turn is durable, and once more when it is.
        #expect(bench.pass(.milliseconds(1)) == [.urgent(.kill(worker)), .kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .interrupted && bench.reason(run) == .leaseLost)
    }

    @Test func `A long grace of another reason is cut short`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .minutes(10), grace: .minutes(1))
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.simulatedExpiration(run))
        #expect(bench.feed(.expired(run, .leaseLost)) == [])
        #expect(bench.pass(.seconds(5)) == [.urgent(.kill(worker)), .kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran && bench.reason(run) == .simulated)
    }

    @Test func `What has not begun ends at once`() throws {
        let bench = Bench()
        let (run, _) = try #require(bench.launching(bench.task(of: bench.application())))
        #expect(bench.feed(.expired(run, .leaseLost)) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == .interrupted && bench.reason(run) == .leaseLost)
    }
}
