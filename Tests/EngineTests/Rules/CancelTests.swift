import Engine
import TaskModel
import Testing

/// A user cancels a run, or simulates its expiration, in every phase.
struct CancelTests {
    @Test func `A waiting run is cancelled without having begun`() throws {
        let bench = Bench(concurrency: 1)
        let task = bench.task(of: bench.application())
        _ = try #require(bench.running(task))
        let runs = try (0..<3).map { _ in try #require(bench.submit(task)) }
        // From the middle, the end and the beginning of the waiting list.
        for (left, run) in zip([2, 1, 0], [runs[1], runs[2], runs[0]]) {
            #expect(bench.feed(.cancelled(run)) == [.finish(run), .reply(run)])
            #expect(bench.outcome(run) == .cancelled)
            #expect(bench.reason(run) == .userCancelled)
            #expect(bench.slot(run)?.started == nil)
            #expect(bench.engine.waiting == left)
        }
        #expect(bench.engine.occupied == 1)
    }

    @Test func `A run whose worker is being launched is cancelled and its worker stays for the next`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        #expect(bench.feed(.cancelled(run)) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == .cancelled)
        #expect(bench.engine.occupied == 0)
        #expect(bench.feed(.ready(worker)) == [.state(worker, .background)])
        #expect(bench.joining(worker, task) != nil)
    }

    @Test func `An isolated run that is cancelled before it begins takes its worker with it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(isolated: true))
        let (run, worker) = try #require(bench.launching(task))
        #expect(bench.feed(.cancelled(run)) == [.finish(run), .reply(run), .kill(worker)])
        #expect(bench.isQuiet(after: [.reply(run)] + bench.gone(worker)))
    }

    @Test func `A cancelled launch makes room for a run that waits`() throws {
        let bench = Bench(concurrency: 1)
        let first = try #require(bench.launching(bench.task(of: bench.application())))
        let waiting = try #require(bench.submit(bench.task(of: bench.application())))
        let actions = bench.feed(.cancelled(first.run))
        #expect(actions.prefix(2) == [.finish(first.run), .reply(first.run)])
        #expect(actions.launched != nil)
        #expect(bench.slot(waiting)?.phase == .launching)
    }

    @Test func `Cancelling a run that is ending or has ended does nothing`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(25))
        _ = bench.pass(.seconds(5))
        #expect(bench.slot(run)?.phase == .ending)
        #expect(bench.feed(.cancelled(run)) == [])
        _ = bench.gone(worker)
        #expect(bench.feed(.cancelled(run)) == [])
        #expect(bench.outcome(run) == .overran)
        bench.engine.release(run)
        #expect(bench.feed(.cancelled(run)) == [])
    }

    @Test func `Only a run that was started expires by simulation`() throws {
        let bench = Bench(concurrency: 1)
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        let waiting = try #require(bench.submit(task))
        #expect(bench.feed(.simulatedExpiration(run)) == [])
        #expect(bench.feed(.simulatedExpiration(waiting)) == [])
        _ = bench.feed(.ready(worker))
        #expect(
            bench.feed(.simulatedExpiration(run)) == .expiration(worker, run, .simulated))
        #expect(bench.feed(.simulatedExpiration(run)) == [])
    }
}
