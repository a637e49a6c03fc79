import Engine
import TaskModel
import Testing

/// Processes that are made ahead for runs that have one each.
struct SpareTests {
    /// An application with runs of their own processes, two of which have followed one another.
    private struct Following {
        let bench: Bench
        let application: ApplicationIndex
        let task: TaskIndex
        /// What the end of the second asked for.
        var actions: [Action] = []

        init(_ bench: Bench = Bench(spares: 8), pause: TimeSpan = .seconds(1), isolated: Bool = true) throws {
            self.bench = bench
            application = bench.application(isolated: isolated)
            task = bench.task(of: application)
            for _ in 0..<2 {
                actions = try run(apart: pause)
            }
        }

        /// Lets a run come and go, and its process with it.
        func run(apart pause: TimeSpan) throws -> [Action] {
            _ = bench.pass(pause)
            let (run, worker) = try #require(bench.running(task))
            let actions = bench.complete(run, of: worker)
            _ = bench.feed(.exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
            _ = bench.feed(.treeExited(worker))
            bench.engine.release(run)
            bench.engine.release(worker)
            return actions
        }

        /// The process that was made ahead.
        var spare: WorkerHandle {
            get throws { try #require(actions.prepared) }
        }
    }

    private static let idle = LimitsProfile.modern.idleWorker

    @Test func `The second run that follows soon finds none, and leaves one for the third`() throws {
        let it = try Following()
        let spare = try it.spare
        #expect(it.actions.contains(.prepare(spare, application: it.application, memory: .mebibytes(64))))
        #expect(it.bench.engine.state(of: it.application) == .notRunning)
        let (run, actions) = it.bench.submitted(it.task)
        #expect(try actions == [.insert(#require(run)), .adopt(spare, memory: .mebibytes(64))])
        #expect(it.bench.engine.state(of: it.application) == .background)
        #expect(try it.bench.feed(.ready(spare)).contains(.start(spare, #require(run))))
    }

    @Test func `It has the limit of the largest task, and a run's own when that takes it`() throws {
        let bench = Bench(spares: 8)
        let application = bench.application(isolated: true)
        let small = bench.task(of: application, memory: .mebibytes(16))
        _ = bench.task(of: application, memory: .mebibytes(96))
        for _ in 0..<2 {
            let (run, worker) = try #require(bench.running(small))
            _ = bench.complete(run, of: worker) + bench.gone(worker, signal: 0)
        }
        let (run, actions) = bench.submitted(small)
        let spare = try #require(actions.adopted)
        #expect(try actions == [.insert(#require(run)), .adopt(spare, memory: .mebibytes(16))])
    }

    @Test(arguments: [true, false])
    func `Runs that are further apart than an idle worker is kept have none`(_ isApart: Bool) throws {
        let pause = isApart ? Self.idle + TimeSpan(nanoseconds: 1) : Self.idle
        let it = try Following(pause: pause)
        #expect((it.actions.prepared == nil) == isApart)
    }

    @Test func `Runs that share a process have none`() throws {
        let it = try Following(isolated: false)
        #expect(it.actions.prepared == nil)
    }

    @Test func `It leaves when none has come while an idle worker would have been kept`() throws {
        let it = try Following()
        let spare = try it.spare
        #expect(it.bench.pass(Self.idle - TimeSpan(nanoseconds: 1)).isEmpty)
        #expect(it.bench.pass(TimeSpan(nanoseconds: 1)) == [.kill(spare)])
        #expect(it.bench.isQuiet(after: it.bench.gone(spare)))
        #expect(it.bench.submitted(it.task).actions.launched != nil)
    }

    @Test func `None is made while anything else waits to be launched`() throws {
        let bench = Bench(concurrency: 2, spares: 8)
        let it = try Following(bench)
        _ = try bench.feed(.refused(it.spare))
        let (run, worker) = try #require(bench.running(it.task))
        _ = try #require(bench.launching(bench.task(of: bench.application())))
        #expect(bench.complete(run, of: worker).prepared == nil)
    }

    enum Change: CaseIterable { case revision, memory, quit, stop, sleep, shortage, refusal, wire, staleness }

    @Test(arguments: Change.allCases)
    func `It ends with what it was made for`(_ change: Change) throws {
        let it = try Following()
        let (bench, spare) = (it.bench, try it.spare)
        let actions: [Action]
        switch change {
        case .revision: actions = bench.feed(.renewed(application: it.application))
        case .memory: actions = bench.feed(.memoryPressure(true))
        case .quit: actions = bench.feed(.terminateApplication(application: it.application, .userCancelled))
        case .stop: actions = bench.feed(.stopping)
        case .refusal: actions = bench.feed(.refused(spare))
        case .wire: actions = bench.feed(.disconnected(spare))
        case .staleness: actions = bench.feed(.stale(spare))
        case .shortage:
            let (_, other) = try #require(bench.launching(bench.task(of: bench.application())))
            actions = bench.feed(.lacked(other, .memory))
        // It holds nothing that sleep would have to freeze.
        case .sleep: actions = bench.feed(.sleeps(waitsUntil: .distantFuture)) + bench.pass(Self.idle)
        }
        #expect(actions.contains(.kill(spare)), "\(actions)")
        #expect(bench.gone(spare) == [.retire(spare)])
        #expect(bench.engine.state(of: it.application) == .notRunning)
    }

    @Test func `A run whose process is stale gets another, before those that came later`() throws {
        let bench = Bench(concurrency: 1, spares: 8)
        let it = try Following(bench)
        let spare = try it.spare
        let first = try #require(bench.submit(it.task))
        let second = try #require(bench.submit(it.task))
        let actions = bench.feed(.stale(spare))
        let worker = try #require(actions.launched)
        #expect(actions == [.kill(spare), .launch(worker, application: it.application, memory: .mebibytes(64))])
        #expect(bench.feed(.ready(worker)).contains(.start(worker, first)))
        #expect(bench.slot(second)?.phase == .pending)
        #expect(bench.gone(spare) == [.retire(spare)])
    }

    @Test func `No more are made than the limit says, and they take no run's place`() throws {
        let bench = Bench(concurrency: 1, spares: 2)
        var spares = 0
        for _ in 0..<4 {
            let it = try Following(bench, pause: .zero)
            spares += it.actions.prepared == nil ? 0 : 1
        }
        #expect(spares == 2)
        #expect(bench.running(bench.task(of: bench.application(isolated: true))) != nil)
    }

    @Test func `While memory is short none is made`() throws {
        let bench = Bench(spares: 8)
        _ = bench.feed(.memoryPressure(true))
        let it = try Following(bench)
        #expect(it.actions.prepared == nil)
    }
}
