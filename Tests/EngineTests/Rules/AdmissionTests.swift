import Engine
import TaskModel
import Testing

/// Which runs may start, and which wait.
struct AdmissionTests {
    @Test func `No more runs are active at once than the limit, and the others start in order of submission`() throws {
        let bench = Bench(concurrency: 2)
        let task = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.running(task))
        let runs = try [first] + (1..<6).map { _ in try #require(bench.submit(task)) }
        var started = [first, runs[1]]
        #expect(bench.engine.occupied == 2 && bench.engine.waiting == 4)
        for run in runs {
            let actions = bench.complete(run, of: worker)
            #expect(actions.prefix(2) == [.finish(run), .reply(run)])
            started += actions.started
            #expect(bench.engine.occupied <= 2)
        }
        #expect(started == runs)
        #expect(bench.engine.occupied == 0 && bench.engine.waiting == 0)
    }

    @Test func `A later submission does not overtake one that waits`() throws {
        let bench = Bench(concurrency: 1)
        let crowded = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.running(crowded))
        let waiting = try #require(bench.submit(crowded))
        let other = try #require(bench.submit(bench.task(of: bench.application())))
        #expect(bench.complete(first, of: worker).started == [waiting])
        #expect(bench.slot(other)?.phase == .pending)
    }

    @Test func `Runs of one application share a worker, also while it is being launched`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.launching(task))
        let (second, actions) = bench.submitted(task)
        #expect(actions.launched == nil)
        #expect(bench.feed(.ready(worker)).started == [first, second])
    }

    @Test func `Every run of an isolated application has its own worker, which ends with it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(isolated: true))
        let first = try #require(bench.running(task))
        let second = try #require(bench.running(task))
        #expect(first.worker != second.worker)
        #expect(
            bench.complete(first.run, of: first.worker)
                == [.finish(first.run), .reply(first.run), .terminate(first.worker)])
        #expect(bench.slot(second.run)?.phase == .running)
        let third = try #require(bench.launching(task))
        #expect(third.worker != first.worker)
    }

    @Test func `Isolated workers that do not leave hold up further runs before they become too many`() throws {
        let bench = Bench(concurrency: 2)
        let task = bench.task(of: bench.application(isolated: true))
        var stubborn: [WorkerHandle] = []
        for _ in 0..<2 + Engine.mostLeaving {
            let (run, worker) = try #require(bench.running(task))
            _ = bench.complete(run, of: worker)
            stubborn.append(worker)
        }
        let (submitted, actions) = bench.submitted(task)
        let run = try #require(submitted)
        #expect(actions == [.insert(run)])
        // Others are not held up.
        #expect(bench.running(bench.task(of: bench.application())) != nil)
        #expect(bench.gone(stubborn[0], signal: 0).launched != nil)
        #expect(bench.slot(run)?.phase == .launching)
    }

    @Test func `Runs of a leaving worker wait for the next one without holding up the others`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.running(task))
        _ = bench.complete(first, of: worker)
        var actions: [Action] = []
        while !actions.contains(.terminate(worker)) { actions = try #require(bench.passToDeadline()) }
        let (blocked, blockedActions) = bench.submitted(task)
        let run = try #require(blocked)
        #expect(blockedActions == [.insert(run)])
        let (next, nextActions) = bench.submitted(task)
        #expect(nextActions.launched == nil)
        let other = bench.task(of: bench.application())
        let neighbour = try #require(bench.running(other))
        #expect(bench.slot(neighbour.run)?.phase == .running)
        #expect(bench.engine.waiting == 2)
        let gone = bench.gone(worker, signal: 0)
        let fresh = try #require(gone.launched)
        #expect(gone.filter { if case .urgent(.launch) = $0 { true } else { false } }.count == 1)
        #expect(bench.feed(.ready(fresh)).started == [run, next])
    }

    @Test func `Runs of a worker that is being killed wait for the next one`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.running(task))
        _ = bench.feed(.violated(worker))
        let run = try #require(bench.submit(task))
        #expect(bench.slot(run)?.phase == .pending)
        let actions = bench.gone(worker)
        #expect(actions.finished == [first])
        #expect(actions.launched != nil && actions.launched != worker)
    }

    @Test func `A refused launch makes room at once for the runs that wait`() throws {
        let bench = Bench(concurrency: 1)
        let first = try #require(bench.launching(bench.task(of: bench.application())))
        let waiting = try #require(bench.submit(bench.task(of: bench.application())))
        // The kernel may take its time with the refused worker's tree.
        #expect(bench.feed(.refused(first.worker)).launched != nil)
        #expect(bench.slot(waiting)?.phase == .launching)
    }

    @Test func `A launch that hangs makes room at once for the runs that wait`() throws {
        let bench = Bench(concurrency: 1)
        let hanging = try #require(bench.launching(bench.task(of: bench.application())))
        let waiting = try #require(bench.submit(bench.task(of: bench.application())))
        #expect(bench.pass(.seconds(10)) == [.examine(hanging.worker)])
        #expect(bench.feed(.hung(hanging.worker)).launched != nil)
        #expect(bench.slot(waiting)?.phase == .launching)
    }

    @Test func `A worker's slot is used again only after the host has let go of it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let first = try #require(bench.launching(task))
        let gone = bench.feed(.refused(first.worker)) + bench.gone(first.worker)
        let second = try #require(bench.launching(task))
        #expect(second.worker.index != first.worker.index)
        #expect(!bench.isQuiet(after: gone))
        _ = bench.feed(.refused(second.worker)) + bench.gone(second.worker)
        let third = try #require(bench.launching(task))
        #expect(third.worker.index == first.worker.index)
        #expect(third.worker.generation == first.worker.generation + 1)
    }

    @Test func `Releasing twice, too early or with an old handle frees nothing`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        bench.engine.release(run)
        bench.engine.release(worker)
        #expect(bench.slot(run)?.phase == .running)
        let actions = bench.gone(worker)
        #expect(bench.isQuiet(after: actions))
        #expect(bench.isQuiet(after: actions))
        let first = try #require(bench.submit(task))
        let second = try #require(bench.submit(task))
        #expect(first != second)
    }
}
