import Engine
import TaskModel
import TestSupport
import Testing

/// Runs that wait for a place.
struct WaitingTests {
    @Test func `Places go to the oldest run over all applications that can run`() throws {
        let bench = Bench(concurrency: 1)
        let (first, worker) = try #require(bench.running(bench.task(of: bench.application())))
        let tasks = (0..<3).map { _ in bench.task(of: bench.application()) }
        let runs = try [2, 0, 1, 0, 2].map { try #require(bench.submit(tasks[$0])) }
        var actions = bench.complete(first, of: worker)
        for run in runs {
            if let launched = actions.launched { actions = bench.feed(.ready(launched)) }
            #expect(actions.started == [run] || bench.slot(run)?.phase == .running)
            let place = try #require(
                (0..<8).map { WorkerHandle(index: $0, generation: 0) }.first {
                    bench.engine.runs(of: $0).contains(run)
                })
            actions = bench.complete(run, of: place)
        }
        #expect(bench.engine.waiting == 0)
    }

    @Test func `A reload changes the numbers of later runs alone`() throws {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application, wallClock: .seconds(30))
        let (first, worker) = try #require(bench.running(task))
        var rules = TaskRules(
            application: application, wallClock: .seconds(60), grace: .seconds(1), cpuTime: nil,
            memory: .mebibytes(16), isMonitored: false)
        bench.engine.setRules(rules, of: task)
        #expect(
            bench.pass(.seconds(25)) == .expiration(worker, first, .budget))
        let second = try #require(bench.joining(worker, task))
        #expect(bench.slot(second)?.budgetEnd == bench.now.instant + .seconds(60))
        // The first one's budget of memory is what it was: the tree stays bound by the second's.
        #expect(bench.complete(first, of: worker) == [.finish(first), .reply(first)])
        rules.memory = .mebibytes(128)
        bench.engine.setRules(rules, of: task)
        #expect(bench.complete(second, of: worker) == [.finish(second), .reply(second)])
        let (_, actions) = bench.submitted(task)
        #expect(actions.contains(.limitMemory(worker, .mebibytes(128))))
    }

    /// In processor time of this thread, the best of several: steady enough for a bound of 8 × on a busy machine. A scan of
    /// what waits would be 1,000 × and more.
    @Test
    func `Many waiting runs cost an event no more than few`() throws {
        let few = try Self.cost(waiting: 100)
        let many = try Self.cost(waiting: 200_000)
        #expect(many < few * 8, "\(few) ns an event with 100 waiting runs, \(many) ns with 200,000")
    }

    /// Nanoseconds for one run of another application while so many wait behind a worker that does not leave.
    private static func cost(waiting: Int) throws -> Double {
        let bench = Bench(concurrency: 8)
        let blocked = bench.task(of: bench.application())
        let (first, stubborn) = try #require(bench.running(blocked))
        _ = bench.feed(.violated(stubborn))
        for _ in 0..<waiting { _ = bench.submit(blocked) }
        let (_, worker) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .minutes(60))))
        let task = bench.task(of: bench.application(), wallClock: .minutes(60))
        let (warm, other) = try #require(bench.running(task))
        bench.engine.release(first)
        _ = bench.complete(warm, of: other)
        _ = worker
        var best = Double.infinity
        for _ in 0..<5 {
            let begin = processorTime
            for _ in 0..<500 {
                let run = try #require(bench.submit(task))
                _ = bench.complete(run, of: other)
                bench.engine.release(run)
            }
            best = min(best, (processorTime - begin) / 500)
        }
        #expect(bench.engine.waiting == waiting)
        return best
    }
}
