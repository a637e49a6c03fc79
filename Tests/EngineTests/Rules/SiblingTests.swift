import Engine
import TaskModel
import Testing

/// Runs that share a worker.
struct SiblingTests {
    /// Three runs in one worker; the first has a short budget, the second ends its grace soon after.
    private func family() throws -> (bench: Bench, worker: WorkerHandle, runs: [RunHandle]) {
        let bench = Bench()
        let application = bench.application()
        let short = bench.task(of: application, wallClock: .seconds(2), grace: .seconds(1))
        let soon = bench.task(of: application, wallClock: .milliseconds(2010), grace: .seconds(1))
        let long = bench.task(of: application, wallClock: .milliseconds(3010), grace: .seconds(1))
        let (first, worker) = try #require(bench.running(short))
        let second = try #require(bench.joining(worker, soon))
        let third = try #require(bench.joining(worker, long))
        return (bench, worker, [first, second, third])
    }

    @Test func `Killing one run interrupts its siblings`() throws {
        let (bench, worker, runs) = try family()
        _ = bench.pass(.milliseconds(1010))
        #expect(bench.pass(.milliseconds(990)) == [.kill(worker)])
        let actions = bench.gone(worker)
        #expect(Set(actions.finished) == Set(runs))
        #expect(runs.map { bench.outcome($0) } == [.overran, .interrupted, .interrupted])
        #expect(runs.map { bench.reason($0) } == [.budget, .applicationTerminated, .applicationTerminated])
        #expect(bench.isQuiet(after: actions))
    }

    @Test func `While the tree is being killed its runs are neither warned nor judged`() throws {
        let (bench, worker, runs) = try family()
        _ = bench.pass(.milliseconds(1010))
        _ = bench.pass(.milliseconds(990))
        // The second run's budget and the third one's warning fall due while the kernel takes its time.
        for _ in 0..<200 { #expect(bench.pass(.milliseconds(20)) == [.kill(worker)]) }
        #expect(bench.feed(.cancelled(runs[2])) == [])
        #expect(bench.feed(.simulatedExpiration(runs[2])) == [])
        #expect(bench.meter(worker, cpu: .minutes(5)) == [])
        #expect(bench.feed(.violated(worker)) == [])
        #expect(bench.feed(.stopping) == [])
        #expect(bench.feed(.stopping) == [])
        _ = bench.gone(worker)
        #expect(runs.map { bench.outcome($0) } == [.overran, .interrupted, .interrupted])
        #expect(runs.map { bench.reason($0) } == [.budget, .applicationTerminated, .applicationTerminated])
    }

    @Test func `A sibling's completion that was on its way when the tree was killed counts`() throws {
        let (bench, worker, runs) = try family()
        _ = bench.pass(.milliseconds(1010))
        _ = bench.pass(.milliseconds(990))
        #expect(bench.complete(runs[2], of: worker) == [.finish(runs[2]), .reply(runs[2])])
        #expect(bench.outcome(runs[2]) == .succeeded)
        let actions = bench.gone(worker)
        #expect(actions.finished == [runs[0], runs[1]])
        #expect(bench.isQuiet(after: [.reply(runs[2])] + actions))
    }

    @Test func `A crash ends every run in the worker as crashed`() throws {
        let (bench, worker, runs) = try family()
        _ = bench.gone(worker, signal: 11)
        #expect(runs.map { bench.outcome($0) } == [.crashed, .crashed, .crashed])
        #expect(runs.map { bench.slot($0)?.figures.signal } == [11, 11, 11])
    }

    @Test func `A run that completed before the crash of its worker has completed`() throws {
        let (bench, worker, runs) = try family()
        _ = bench.complete(runs[1], of: worker)
        _ = bench.gone(worker, signal: 11)
        #expect(runs.map { bench.outcome($0) } == [.crashed, .succeeded, .crashed])
    }

    @Test func `A garbage frame ends every run in the worker as crashed`() throws {
        let (bench, worker, runs) = try family()
        #expect(bench.feed(.violated(worker)) == [.kill(worker)])
        #expect(bench.feed(.violated(worker)) == [])
        _ = bench.gone(worker)
        #expect(runs.map { bench.outcome($0) } == [.crashed, .crashed, .crashed])
        #expect(runs.map { bench.slot($0)?.figures.signal } == [nil, nil, nil])
    }

    @Test func `The crash of one application leaves the runs of another alone`() throws {
        let (bench, worker, _) = try family()
        let neighbour = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.gone(worker, signal: 11)
        #expect(bench.slot(neighbour.run)?.phase == .running)
        _ = bench.complete(neighbour.run, of: neighbour.worker)
        #expect(bench.outcome(neighbour.run) == .succeeded)
    }
}
