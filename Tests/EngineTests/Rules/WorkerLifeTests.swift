import Engine
import TaskModel
import Testing

/// A worker's life beside its runs: launched, refused, hanging, idle, leaving, killed.
struct WorkerLifeTests {
    private static let nanosecond = TimeSpan(nanoseconds: 1)

    // MARK: Launching

    @Test func `A worker that cannot serve refuses every run that waits for it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.launching(task))
        let second = try #require(bench.submit(task))
        let refused = bench.feed(.refused(worker))
        #expect(refused == [.kill(worker), .finish(first), .reply(first), .finish(second), .reply(second)])
        #expect(bench.outcome(first) == .refused && bench.outcome(second) == .refused)
        #expect(bench.slot(first)?.figures.wallTime == nil)
        #expect(bench.isQuiet(after: refused + bench.gone(worker)))
    }

    @Test func `A launch that failed at once is refused, exited and emptied in one turn`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        var actions = bench.feed(.refused(worker))
        actions += bench.gone(worker, signal: 0)
        #expect(bench.outcome(run) == .refused)
        #expect(actions.filter { $0 == .retire(worker) }.count == 1)
        #expect(bench.isQuiet(after: actions))
    }

    @Test(arguments: [(Int32(11), Outcome.crashed), (0, .exited)])
    func `A worker that ends while it is launched gives its runs its own outcome`(
        _ signal: Int32, _ outcome: Outcome
    ) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        let actions = bench.gone(worker, signal: signal, status: 3)
        #expect(bench.outcome(run) == outcome)
        #expect(bench.slot(run)?.started == nil)
        #expect(bench.isQuiet(after: actions))
    }

    @Test(arguments: [true, false])
    func `A crash is the run's in whose thread it was, and all runs' when that is unknown`(_ isKnown: Bool) throws {
        let bench = Bench()
        let application = bench.application()
        let (first, worker) = try #require(bench.running(bench.task(of: application)))
        let second = try #require(bench.submit(bench.task(of: application)))
        let exit = WorkerExit(signal: 11, status: 0, outOfMemory: false, guilty: isKnown ? first : nil)
        #expect(bench.feed(.exited(worker, exit)) == [.kill(worker)])
        let actions = bench.feed(.treeExited(worker))
        #expect(bench.outcome(first) == .crashed)
        #expect(bench.outcome(second) == (isKnown ? .interrupted : .crashed))
        #expect(bench.slot(second)?.reason == (isKnown ? .applicationTerminated : nil))
        #expect(bench.slot(second)?.figures.signal == (isKnown ? nil : 11))
        #expect(bench.isQuiet(after: actions))
    }

    @Test func `A crash in the thread of a run that has ended is that of those that continue`() throws {
        let bench = Bench()
        let application = bench.application()
        let (first, worker) = try #require(bench.running(bench.task(of: application)))
        let second = try #require(bench.submit(bench.task(of: application)))
        _ = bench.feed(.completed(worker, first, success: true, result: nil, automatic: false))
        _ = bench.feed(.exited(worker, WorkerExit(signal: 11, status: 0, outOfMemory: false, guilty: first)))
        _ = bench.feed(.treeExited(worker))
        #expect(bench.outcome(first) == .succeeded)
        #expect(bench.outcome(second) == .crashed)
    }

    @Test func `A refusal that follows the exit changes nothing`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        _ = bench.feed(.exited(worker, WorkerExit(signal: 11, status: 0, outOfMemory: false)))
        #expect(bench.feed(.refused(worker)) == [])
        #expect(bench.feed(.ready(worker)) == [])
        _ = bench.feed(.treeExited(worker))
        #expect(bench.outcome(run) == .crashed)
    }

    @Test func `A launch that its library holds up is refused at the end of its time`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        #expect(bench.pass(.seconds(10) - Self.nanosecond).isEmpty)
        #expect(bench.pass(Self.nanosecond) == [.examine(worker)])
        #expect(bench.feed(.hung(worker)) == [.kill(worker), .finish(run), .reply(run)])
        #expect(bench.outcome(run) == .refused)
        #expect(bench.slot(run)?.isHung == true)
        #expect(bench.isQuiet(after: [.reply(run)] + bench.gone(worker)))
    }

    @Test func `A run waits for its worker for the whole time of a launch, however short its budget is`() throws {
        let bench = Bench()
        let hasty = bench.task(of: bench.application(), wallClock: .seconds(1), grace: .milliseconds(200))
        let (run, worker) = try #require(bench.launching(hasty))
        #expect(bench.pass(.seconds(9)).isEmpty)
        #expect(bench.feed(.ready(worker)).started == [run])
        #expect(bench.slot(run)?.budgetEnd == bench.now.instant + .seconds(1))
    }

    @Test func `A hanging launch whose runs were cancelled is killed all the same`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        _ = bench.feed(.cancelled(run))
        #expect(bench.pass(.seconds(10)) == [.examine(worker)])
        #expect(bench.feed(.hung(worker)) == [.kill(worker)])
    }

    @Test func `A second report of being ready starts nothing twice`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (_, worker) = try #require(bench.running(task))
        #expect(bench.feed(.ready(worker)) == [])
        #expect(bench.feed(.refused(worker)) == [])
    }

    // MARK: Without its wire

    @Test(arguments: [(Int32(11), Outcome.crashed), (0, .exited)])
    func `A worker that ends closes its wire first, and its exit report has the outcome`(
        _ signal: Int32, _ outcome: Outcome
    ) throws {
        // Memory is looked at every 100 ms: that look must not take a crash for an exit.
        let bench = Bench(metersMemory: true)
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.milliseconds(90))
        #expect(bench.feed(.disconnected(worker)) == [])
        #expect(bench.pass(.milliseconds(110)) == [])
        _ = bench.gone(worker, signal: signal)
        #expect(bench.outcome(run) == outcome)
    }

    @Test func `A worker that lives on without its wire is killed soon`() throws {
        let bench = Bench(metersMemory: true)
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.disconnected(worker))
        #expect(bench.pass(.milliseconds(200) - Self.nanosecond) == [])
        _ = bench.feed(.disconnected(worker))
        #expect(bench.pass(Self.nanosecond) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exited)
    }

    @Test func `A launch or an idle worker without its wire is killed soon as well`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (_, launching) = try #require(bench.launching(task))
        _ = bench.feed(.disconnected(launching))
        #expect(bench.pass(.milliseconds(200)) == [.kill(launching)])
        _ = bench.gone(launching)
        let idle = try idle()
        _ = idle.bench.feed(.disconnected(idle.worker))
        #expect(idle.bench.pass(.milliseconds(199)) == [])
        #expect(idle.bench.pass(.milliseconds(1)) == [.kill(idle.worker)])
    }

    @Test func `A run is not given to a worker without its wire`() throws {
        let (bench, task, worker) = try idle()
        _ = bench.feed(.disconnected(worker))
        let (submitted, actions) = bench.submitted(task)
        let run = try #require(submitted)
        #expect(actions == [.insert(run)])
        let fresh = try #require(bench.gone(worker, signal: 0).launched)
        #expect(bench.feed(.ready(fresh)).started == [run])
    }

    @Test func `A run on a worker without its wire has no more than its budget`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .milliseconds(100), grace: .zero)
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.disconnected(worker))
        #expect(bench.pass(.milliseconds(100)).contains(.kill(worker)))
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
    }

    // MARK: Idle

    /// A worker that has just become idle.
    private func idle() throws -> (bench: Bench, task: TaskIndex, worker: WorkerHandle) {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.isQuiet(after: bench.complete(run, of: worker))
        return (bench, task, worker)
    }

    @Test func `An idle worker is swept, watched, left alone and let go`() throws {
        let (bench, _, worker) = try idle()
        let since = bench.now.instant
        #expect(bench.passToDeadline() == [.sweep(worker), .meter(worker)])
        #expect(bench.now.instant - since == .milliseconds(50))
        #expect(bench.meter(worker, cpu: .seconds(1)) == [])
        #expect(bench.passToDeadline() == [.meter(worker)])
        #expect(bench.now.instant - since == .milliseconds(1050))
        #expect(bench.meter(worker, cpu: .milliseconds(1100)) == [])
        #expect(bench.passToDeadline() == [.terminate(worker)])
        #expect(bench.now.instant - since == .seconds(10))
        #expect(bench.isQuiet(after: bench.gone(worker, signal: 0)))
    }

    @Test func `An idle worker that burns CPU time is killed`() throws {
        let (bench, _, worker) = try idle()
        _ = bench.passToDeadline()
        _ = bench.meter(worker, cpu: .seconds(1))
        _ = bench.passToDeadline()
        #expect(bench.meter(worker, cpu: TimeSpan(nanoseconds: 1_100_000_001)) == [.kill(worker)])
        #expect(bench.isQuiet(after: bench.gone(worker)))
    }

    @Test func `A reading out of turn neither spares the sweep nor ends the watch`() throws {
        let (bench, _, worker) = try idle()
        // A handler that completes a second time makes the host read the meter.
        #expect(bench.meter(worker, cpu: .seconds(1)) == [])
        #expect(bench.passToDeadline() == [.sweep(worker), .meter(worker)])
        #expect(bench.meter(worker, cpu: .seconds(1)) == [])
        #expect(bench.meter(worker, cpu: .seconds(1)) == [])
        #expect(bench.passToDeadline() == [.meter(worker)])
        #expect(bench.meter(worker, cpu: .seconds(2)) == [.kill(worker)])
    }

    @Test func `A sweep whose reading is lost does not stop the ladder`() throws {
        let (bench, _, worker) = try idle()
        #expect(bench.passToDeadline() == [.sweep(worker), .meter(worker)])
        #expect(bench.passToDeadline() == [.terminate(worker)])
    }

    @Test func `A run that comes in time spares the worker the sweep, and it is idle again afterwards`() throws {
        let (bench, task, worker) = try idle()
        _ = bench.pass(.milliseconds(49))
        let run = try #require(bench.joining(worker, task))
        #expect(bench.pass(.milliseconds(1)) == [.meter(worker)])
        #expect(bench.meter(worker) == [])
        _ = bench.complete(run, of: worker)
        #expect(bench.pass(.milliseconds(49)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.sweep(worker), .meter(worker)])
    }

    @Test func `A worker that runs again is not judged by what it used before`() throws {
        let (bench, task, worker) = try idle()
        _ = bench.passToDeadline()
        _ = bench.meter(worker, cpu: .seconds(1))
        let run = try #require(bench.joining(worker, task))
        _ = bench.pass(.seconds(1))
        #expect(bench.meter(worker, cpu: .milliseconds(1900)) == [])
        #expect(bench.slot(run)?.phase == .running)
    }

    @Test func `An idle span shorter than the sweep just lets the worker go`() throws {
        var profile = LimitsProfile.modern
        profile.idleWorker = .milliseconds(10)
        let bench = Bench(profile: profile)
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.complete(run, of: worker)
        #expect(bench.pass(.milliseconds(10)) == [.terminate(worker)])
    }

    @Test(arguments: [Int32(0), 11])
    func `A worker that ends while it is idle is cleared away`(_ signal: Int32) throws {
        let (bench, task, worker) = try idle()
        #expect(
            bench.feed(.exited(worker, WorkerExit(signal: signal, status: 0, outOfMemory: false))) == [.kill(worker)])
        #expect(bench.isQuiet(after: bench.feed(.treeExited(worker))))
        #expect(bench.launching(task) != nil)
    }

    // MARK: Leaving and being killed

    @Test func `A worker that does not leave in time is killed until nothing is left of it`() throws {
        let (bench, _, worker) = try idle()
        var actions: [Action] = []
        while !actions.contains(.terminate(worker)) { actions = try #require(bench.passToDeadline()) }
        #expect(bench.pass(.seconds(5) - Self.nanosecond).isEmpty)
        #expect(bench.pass(Self.nanosecond) == [.kill(worker)])
        for _ in 0..<10 { #expect(bench.pass(.milliseconds(20)) == [.kill(worker)]) }
        _ = bench.feed(.exited(worker, WorkerExit(signal: 9, status: 0, outOfMemory: false)))
        // A child of it still lives.
        #expect(bench.pass(.milliseconds(20)) == [.kill(worker)])
        let end = bench.feed(.treeExited(worker))
        #expect(end == [.retire(worker)])
        #expect(bench.isQuiet(after: end))
    }

    @Test func `A worker is not gone because its tree looks empty while it is wanted`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        #expect(bench.feed(.treeExited(worker)) == [])
        _ = bench.feed(.ready(worker))
        #expect(bench.feed(.treeExited(worker)) == [])
        #expect(bench.slot(run)?.phase == .running)
    }

    @Test func `An exit report after the tree was empty changes nothing`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.violated(worker))
        let actions = bench.feed(.treeExited(worker))
        #expect(actions == [.finish(run), .reply(run), .retire(worker)])
        let exit = WorkerExit(signal: 9, status: 0, outOfMemory: false)
        #expect(bench.feed(.exited(worker, exit)) == [])
        #expect(bench.feed(.treeExited(worker)) == [])
        #expect(bench.isQuiet(after: actions))
        #expect(bench.feed(.exited(worker, exit)) == [])
        #expect(bench.feed(.treeExited(worker)) == [])
        #expect(bench.feed(.violated(worker)) == [])
        #expect(bench.meter(worker, cpu: .seconds(100)) == [])
        #expect(bench.isQuiet(after: []))
    }

    @Test func `Frames of a worker that is gone miss the worker that has the slot now`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let old = try #require(bench.running(task))
        _ = bench.isQuiet(after: bench.gone(old.worker))
        let new = try #require(bench.launching(task))
        #expect(new.worker.index == old.worker.index)
        #expect(bench.feed(.ready(old.worker)) == [])
        #expect(bench.feed(.refused(old.worker)) == [])
        #expect(bench.feed(.violated(old.worker)) == [])
        #expect(bench.feed(.treeExited(old.worker)) == [])
        #expect(bench.gone(old.worker) == [])
        #expect(bench.feed(.ready(new.worker)).started == [new.run])
        #expect(bench.complete(new.run, of: old.worker) == [])
        #expect(bench.slot(new.run)?.phase == .running)
    }
}
