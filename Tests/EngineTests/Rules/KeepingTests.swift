import Engine
import TaskModel
import Testing

/// What runs leave in their worker's memory, and workers that are not kept.
struct KeepingTests {
    /// A worker that had 4 MiB before its first run, of an application whose tasks have 256 and 64 MiB.
    private func bench() throws -> (
        bench: Bench, application: ApplicationIndex, task: TaskIndex, run: RunHandle, worker: WorkerHandle
    ) {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application, memory: .mebibytes(64))
        _ = bench.task(of: application, memory: .mebibytes(256))
        let (run, actions) = bench.submitted(task)
        let worker = try #require(actions.launched)
        _ = bench.feed(.ready(worker))
        _ = bench.meter(worker, peak: .mebibytes(4))
        return (bench, application, task, try #require(run), worker)
    }

    private func end(_ run: RunHandle, of worker: WorkerHandle, at peak: UInt64, _ bench: Bench) -> [Action] {
        bench.skip(.seconds(1))
        return bench.meter(worker, peak: .mebibytes(peak)) + bench.complete(run, of: worker)
    }

    @Test func `A worker whose peak stays below a quarter of the smallest budget is never weighed`() throws {
        let (bench, _, task, first, worker) = try bench()
        var run = first
        for _ in 0..<10 {
            #expect(!end(run, of: worker, at: 20, bench).contains(.weigh(worker)))
            run = try #require(bench.joining(worker, task))
        }
        #expect(bench.slot(run)?.figures.memoryAtStart == nil)
    }

    @Test func `One that keeps more is renewed, and the next run starts in a new one`() throws {
        let (bench, _, task, first, worker) = try bench()
        #expect(end(first, of: worker, at: 21, bench).contains(.weigh(worker)))
        let (next, actions) = bench.submitted(task)
        #expect(actions.started == [] && actions.launched == nil, "first it is weighed")
        #expect(bench.feed(.weighed(worker, memory: .mebibytes(21))) == [.terminate(worker)])
        let launched = try #require(bench.gone(worker, signal: 0).launched)
        #expect(bench.feed(.ready(launched)).started == [try #require(next)])
        #expect(bench.slot(try #require(next))?.figures.memoryAtStart == nil)
    }

    @Test func `A peak that has passed is no reason: the run that waits starts at once`() throws {
        let (bench, _, task, first, worker) = try bench()
        _ = end(first, of: worker, at: 60, bench)
        let next = try #require(bench.submit(task))
        #expect(bench.feed(.weighed(worker, memory: .mebibytes(6))).started == [next])
        // Its peak starts again.
        #expect(!end(next, of: worker, at: 7, bench).contains(.weigh(worker)))
    }

    @Test func `What it keeps is unknown: it continues`() throws {
        let (bench, _, task, first, worker) = try bench()
        _ = end(first, of: worker, at: 60, bench)
        let next = try #require(bench.submit(task))
        #expect(bench.feed(.weighed(worker, memory: nil)).started == [next])
    }

    @Test(arguments: [true, false])
    func `In front or with an assertion it is charged and the run says so, and renewed when that ends`(
        isInFront: Bool
    ) throws {
        let (bench, application, task, first, worker) = try bench()
        func hold(_ holds: Bool) -> [Action] {
            isInFront
                ? bench.feed(.foreground(application: application, holds))
                : bench.feed(.assertions(worker, count: holds ? 1 : 0))
        }
        _ = hold(true)
        #expect(end(first, of: worker, at: 30, bench).contains(.weigh(worker)))
        #expect(!bench.feed(.weighed(worker, memory: .mebibytes(30))).contains(.terminate(worker)))
        let next = try #require(bench.joining(worker, task))
        #expect(bench.slot(next)?.figures.memoryAtStart == .mebibytes(30))
        #expect(end(next, of: worker, at: 31, bench).contains(.weigh(worker)))
        _ = bench.feed(.weighed(worker, memory: .mebibytes(31)))
        #expect(hold(false).contains(.weigh(worker)))
        #expect(bench.feed(.weighed(worker, memory: .mebibytes(31))) == [.terminate(worker)])
    }

    @Test func `While a sibling runs nothing is renewed`() throws {
        let (bench, _, task, first, worker) = try bench()
        let sibling = try #require(bench.joining(worker, task))
        #expect(!end(first, of: worker, at: 60, bench).contains(.weigh(worker)))
        #expect(end(sibling, of: worker, at: 60, bench).contains(.weigh(worker)))
    }

    @Test func `A worker that dies before it is weighed is no longer weighed`() throws {
        let (bench, _, task, first, worker) = try bench()
        _ = end(first, of: worker, at: 60, bench)
        _ = bench.gone(worker, signal: 11)
        #expect(bench.feed(.weighed(worker, memory: .mebibytes(60))) == [])
        #expect(bench.running(task) != nil)
    }

    @Test(arguments: [true, false])
    func `One that is not kept leaves with its last run, and a run that comes then gets another`(
        isSaidDuringRun: Bool
    ) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        if !isSaidDuringRun { #expect(bench.feed(.leavesWhenIdle(worker)) == []) }
        #expect(bench.feed(.ready(worker)).started == [run])
        let sibling = try #require(bench.joining(worker, task))
        if isSaidDuringRun { #expect(bench.feed(.leavesWhenIdle(worker)) == []) }
        #expect(!bench.complete(run, of: worker).contains(.terminate(worker)))
        #expect(bench.complete(sibling, of: worker).contains(.terminate(worker)))
        let (next, actions) = bench.submitted(task)
        #expect(actions.started == [] && actions.launched == nil)
        let launched = try #require(bench.gone(worker, signal: 0).launched)
        #expect(bench.feed(.ready(launched)).started == [try #require(next)])
        #expect(!bench.complete(try #require(next), of: launched).contains(.terminate(launched)))
    }

    @Test func `One that is not kept stays as long as it is in front`() throws {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        #expect(bench.feed(.leavesWhenIdle(worker)) == [])
        let run = try #require(bench.joining(worker, bench.task(of: application)))
        #expect(!bench.complete(run, of: worker).contains(.terminate(worker)))
        #expect(bench.feed(.foreground(application: application, false)).contains(.terminate(worker)))
    }
}
