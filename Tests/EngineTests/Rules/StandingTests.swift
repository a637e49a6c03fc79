import Engine
import TaskModel
import Testing

/// What a run in progress has left, as documents show it.
struct StandingTests {
    private func times(_ bench: Bench, _ run: RunHandle) -> (state: RunState?, warning: TimeSpan?, end: TimeSpan?) {
        let standing = bench.engine.standing(of: run)
        let now = bench.now.instant
        return (standing?.state, standing?.warning.map { $0 - now }, standing?.end.map { $0 - now })
    }

    @Test func `It waits without times, and runs towards its warning and its end`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        #expect(times(bench, run) == (.waiting, nil, nil))
        bench.answer(bench.feed(.ready(worker)))
        #expect(times(bench, run) == (.running, .seconds(25), .seconds(30)))
        #expect(bench.engine.standing(of: run)?.rules?.memory == .mebibytes(64))
        _ = bench.pass(.seconds(10))
        #expect(times(bench, run) == (.running, .seconds(15), .seconds(20)))
        _ = bench.pass(.seconds(15))
        #expect(times(bench, run) == (.expiring, nil, .seconds(5)))
        _ = bench.pass(.seconds(5))
        #expect(times(bench, run) == (.ending, nil, nil))
        _ = bench.gone(worker)
        #expect(times(bench, run).state == nil)
    }

    @Test func `A stall limit comes first, and moves on with progress`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .unlimited, grace: .seconds(2), stall: .seconds(10))
        let (run, worker) = try #require(bench.running(task))
        #expect(times(bench, run) == (.running, .seconds(10), .seconds(12)))
        bench.skip(.seconds(4))
        _ = bench.feed(.progressed(worker, run, completed: 1))
        #expect(times(bench, run) == (.running, .seconds(10), .seconds(12)))
    }

    @Test func `One that never ends by itself has no times`() throws {
        let bench = Bench()
        let (run, _) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .unlimited)))
        #expect(times(bench, run) == (.running, nil, nil))
    }

    @Test func `Cancelled early, it ends with its grace; while it is frozen it has no times`() throws {
        let bench = Bench()
        let (run, _) = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.feed(.sleeps(waitsUntil: .distantFuture))
        _ = bench.pass(.seconds(5))
        #expect(times(bench, run) == (.suspended, nil, nil))
        bench.skip(.seconds(60))
        _ = bench.feed(.awoke)
        #expect(times(bench, run) == (.running, .seconds(20), .seconds(25)))
        _ = bench.feed(.cancelled(run))
        #expect(times(bench, run) == (.expiring, nil, .seconds(5)))
    }
}
