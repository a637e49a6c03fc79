import Engine
import TaskModel
import Testing

/// `beginBackgroundTask`: a worker without runs is kept, as long as background time is left.
struct AssertionTests {
    /// An application in front that holds this many assertions.
    private func holding(
        _ count: UInt32
    ) throws -> (bench: Bench, application: ApplicationIndex, worker: WorkerHandle) {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        #expect(bench.feed(.assertions(worker, count: count)) == [])
        return (bench, application, worker)
    }

    @Test func `Assertions cost nothing in the foreground, and keep the worker in the background`() throws {
        let (bench, application, worker) = try holding(1)
        #expect(bench.engine.nextDeadline == .distantFuture)
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.engine.state(of: application) == .background)
        // Neither swept nor weighed nor let go.
        #expect(bench.pass(.seconds(24)) == [])
        #expect(bench.feed(.assertions(worker, count: 0)) == [])
        #expect(bench.pass(.milliseconds(50)) == [.sweep(worker), .meter(worker)])
    }

    @Test func `Held to the end, they are warned once and the worker is killed`() throws {
        let (bench, application, worker) = try holding(2)
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.pass(.seconds(25)) == [.expireAssertions(worker)])
        #expect(bench.pass(.milliseconds(4999)) == [])
        #expect(bench.feed(.assertions(worker, count: 1)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.kill(worker)])
        #expect(bench.isQuiet(after: bench.gone(worker)))
    }

    @Test func `Ended after the warning, the worker lives on`() throws {
        let (bench, application, worker) = try holding(1)
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.pass(.seconds(25)) == [.expireAssertions(worker)])
        #expect(bench.feed(.assertions(worker, count: 0)) == [])
        #expect(bench.pass(.milliseconds(50)) == [.sweep(worker), .meter(worker)])
    }

    @Test func `A later one shares the countdown from the entry into the background`() throws {
        let (bench, application, worker) = try holding(1)
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.pass(.seconds(10))
        #expect(bench.feed(.assertions(worker, count: 2)) == [])
        #expect(bench.feed(.assertions(worker, count: 0)) == [])
        #expect(bench.feed(.assertions(worker, count: 1)) == [])
        #expect(bench.pass(.seconds(15)) == [.expireAssertions(worker)])
        // Ending and beginning again after the warning gives no new time either.
        #expect(bench.feed(.assertions(worker, count: 0)) == [])
        #expect(bench.feed(.assertions(worker, count: 1)) == [.expireAssertions(worker)])
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
    }

    @Test func `The foreground gives all the time back`() throws {
        let (bench, application, worker) = try holding(1)
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.pass(.seconds(25)) == [.expireAssertions(worker)])
        _ = bench.feed(.foreground(application: application, true))
        #expect(bench.pass(.seconds(60)) == [])
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.pass(.seconds(24)) == [])
        #expect(bench.pass(.seconds(1)) == [.expireAssertions(worker)])
    }

    @Test func `A run keeps the worker itself; the time counts from the last one's end`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .minutes(5))
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.assertions(worker, count: 1))
        _ = bench.pass(.minutes(2))
        #expect(bench.complete(run, of: worker) == [.finish(run), .reply(run)])
        #expect(bench.pass(.seconds(25)) == [.expireAssertions(worker)])
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
    }

    @Test func `One that is never ended is not fed by the runs that come and go`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.assertions(worker, count: 1))
        _ = bench.complete(run, of: worker)
        var warnings = 0
        for round in 1...3 {
            warnings += bench.pass(.seconds(9)).filter { $0 == .expireAssertions(worker) }.count
            let next = try #require(bench.joining(worker, task), "round \(round)")
            _ = bench.pass(.seconds(1))
            _ = bench.complete(next, of: worker)
        }
        // Held for all of the 30 s that were granted: its warning came between two runs.
        #expect(warnings == 1)
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
    }

    @Test func `An isolated run's process is kept by its assertion and leaves with it`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application(isolated: true))))
        _ = bench.feed(.assertions(worker, count: 1))
        #expect(bench.complete(run, of: worker) == [.finish(run), .reply(run)])
        #expect(bench.feed(.assertions(worker, count: 0)) == [.terminate(worker)])
    }

    @Test func `A worker without its wire is not kept by what it held`() throws {
        let (bench, application, worker) = try holding(1)
        _ = bench.feed(.disconnected(worker))
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.pass(.milliseconds(200)) == [.kill(worker)])
    }
}
