import Engine
import TaskModel
import Testing

/// An engine, a clock that the test moves by hand, and an application with one task to begin with.
final class Bench {
    var engine: Engine
    private(set) var now = ClockReading(
        instant: Instant(nanoseconds: 1_000_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    private var submissions: UInt64 = 0
    private var readings: [WorkerHandle: (cpu: TimeSpan, peak: ByteCount)] = [:]

    init(
        profile: LimitsProfile = .modern, concurrency: Int = 8, cores: Int = 2, metersMemory: Bool = false,
        nextSequence: Int64 = 1, idleWorkers: Int = 64, launches: Int = 8, spares: Int = 0,
        diskFloor: ByteCount? = nil
    ) {
        engine = Engine(
            limits: EngineLimits(
                profile: profile, concurrency: concurrency, cores: cores, metersMemory: metersMemory,
                idleWorkers: idleWorkers, launches: launches, spares: spares, diskFloor: diskFloor),
            nextSequence: nextSequence)
    }

    // MARK: Tables

    func application(isolated: Bool = false, hasLifecycle: Bool = false) -> ApplicationIndex {
        engine.addApplication(
            ApplicationRules(isolatesRuns: isolated, hasLifecycle: hasLifecycle, mayHaveSpare: isolated))
    }

    func task(
        of application: ApplicationIndex, wallClock: TimeSpan = .seconds(30), grace: TimeSpan = .seconds(5),
        cpuTime: TimeSpan? = nil, memory: ByteCount = .mebibytes(64),
        disk: ByteCount = .mebibytes(256), isMonitored: Bool = false, stall: TimeSpan? = nil,
        sharesDeadline: Bool = false, callback: ApplicationCallback? = nil
    ) -> TaskIndex {
        engine.addTask(
            TaskRules(
                application: application, wallClock: wallClock, grace: grace, cpuTime: cpuTime, memory: memory,
                disk: disk, isMonitored: isMonitored, stall: stall, sharesDeadline: sharesDeadline,
                callback: callback))
    }

    // MARK: Input

    func feed(_ event: Event) -> [Action] {
        engine.handle(event, at: now)
        return taken()
    }

    /// What the engine has decided since the last time.
    private func taken() -> [Action] {
        // It takes time for all that there is: tests of many runs are not about that.
        if engine.occupied + engine.waiting <= 64, let fault = engine.check() {
            Issue.record("the engine is in disorder: \(fault)")
        }
        defer { engine.removeActions() }
        return engine.actions
    }

    func submit(_ task: TaskIndex) -> RunHandle? { submitted(task).run }

    /// Submits a run; the run and everything that was to be done for it.
    func submitted(
        _ task: TaskIndex, launch: UInt32 = 0, hasRequest: Bool = false
    ) -> (run: RunHandle?, actions: [Action]) {
        submissions += 1
        let submission = Submission(
            task: task, id: ULID(high: 0, low: submissions), requester: UInt32(submissions), launch: launch,
            hasRequest: hasRequest)
        let actions = feed(.submitted(submission))
        guard case .write(.insert(let run))? = actions.first else { return (nil, actions) }
        return (run, actions)
    }

    /// Moves the clock on and does what is due then.
    func pass(_ span: TimeSpan) -> [Action] {
        skip(span)
        engine.advance(to: now)
        return taken()
    }

    /// Moves the clock on, and does not do what is due yet.
    func skip(_ span: TimeSpan) {
        now.instant = now.instant + span
        now.time = Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds)
    }

    /// Moves the clock to the engine's next deadline and does what is due; nil when nothing will ever be.
    func passToDeadline() -> [Action]? {
        let deadline = engine.nextDeadline
        guard deadline < .distantFuture else { return nil }
        return pass(deadline - now.instant)
    }

    func complete(
        _ run: RunHandle, of worker: WorkerHandle, success: Bool = true, automatic: Bool = false
    ) -> [Action] {
        feed(.completed(worker, run, success: success, result: nil, automatic: automatic))
    }

    func meter(_ worker: WorkerHandle, cpu: TimeSpan = .zero, peak: ByteCount = .mebibytes(1)) -> [Action] {
        readings[worker] = (cpu, peak)
        return feed(.metered(worker, cpu: cpu, peak: peak))
    }

    /// Answers what was asked with the last reading; nothing has changed since.
    func answer(_ actions: [Action]) {
        for case .effect(.meter(let worker)) in actions {
            let last = readings[worker] ?? (.zero, ByteCount(bytes: 0))
            _ = feed(.metered(worker, cpu: last.cpu, peak: last.peak))
        }
    }

    /// The tree is gone: its first process ended in this way, and nothing is left.
    func gone(_ worker: WorkerHandle, signal: Int32 = 9, status: Int32 = 0) -> [Action] {
        feed(.exited(worker, WorkerExit(signal: signal, status: status, outOfMemory: false)))
            + feed(.treeExited(worker))
    }

    // MARK: Shortcuts

    /// A run that waits for its worker to be ready.
    func launching(_ task: TaskIndex) -> (run: RunHandle, worker: WorkerHandle)? {
        let (run, actions) = submitted(task)
        guard let run, let worker = actions.launched else { return nil }
        return (run, worker)
    }

    /// A run that has been started in its own worker.
    func running(_ task: TaskIndex) -> (run: RunHandle, worker: WorkerHandle)? {
        guard let pair = launching(task) else { return nil }
        let actions = feed(.ready(pair.worker))
        answer(actions)
        return actions.contains(.start(pair.worker, pair.run)) ? pair : nil
    }

    /// Starts a run on the worker that is there already.
    func joining(_ worker: WorkerHandle, _ task: TaskIndex) -> RunHandle? {
        let (run, actions) = submitted(task)
        answer(actions)
        guard let run, actions.contains(.start(worker, run)) else { return nil }
        return run
    }

    /// A worker without runs that has been launched and is ready; what was to be done when it was.
    func inFront(_ application: ApplicationIndex) -> (worker: WorkerHandle, actions: [Action])? {
        guard let worker = feed(.foreground(application: application, true)).launched else { return nil }
        return (worker, feed(.ready(worker)))
    }

    /// The states that were sent since the last time.
    func stateChanges() -> [ApplicationState] {
        var list: [ApplicationState] = []
        while let change = engine.takeStateChange() { list.append(change.state) }
        return list
    }

    func slot(_ run: RunHandle) -> RunSlot? { engine.runs[run] }
    func outcome(_ run: RunHandle) -> Outcome? { engine.runs[run]?.outcome }
    func reason(_ run: RunHandle) -> Reason? { engine.runs[run]?.reason }

    /// Releases what these actions end, as a host does, and says whether nothing is left then.
    func isQuiet(after actions: [Action]) -> Bool {
        for action in actions {
            switch action {
            case .effect(.reply(let run)): engine.release(run)
            case .effect(.retire(let worker)): engine.release(worker)
            default: break
            }
        }
        return engine.isQuiet && engine.nextDeadline == .distantFuture
    }
}

extension [Action] {
    /// The first worker that is launched.
    var launched: WorkerHandle? {
        for case .urgent(.launch(let worker, _, _)) in self { return worker }
        return nil
    }

    /// The first worker that is made ahead.
    var prepared: WorkerHandle? {
        for case .urgent(.prepare(let worker, _, _)) in self { return worker }
        return nil
    }

    /// The first worker that was made ahead and that a run takes.
    var adopted: WorkerHandle? {
        for case .urgent(.adopt(let worker, _)) in self { return worker }
        return nil
    }

    /// The runs that are started, in order.
    var started: [RunHandle] {
        compactMap { action in
            if case .effect(.start(_, let run)) = action { run } else { nil }
        }
    }

    /// The runs that have ended, in order.
    var finished: [RunHandle] {
        compactMap { action in
            if case .write(.finish(let run)) = action { run } else { nil }
        }
    }
}
