import Engine
import Scheduling
import TaskModel
import TestSupport

// What workers do for the engine's actions.
extension JointHost {
    func makeRun(of task: TaskIndex, identity: Int64?) -> JointRun {
        let rules = world.tasks[task].engine
        var run = JointRun(identity: identity, task: task, budget: rules.wallClock)
        let longest = rules.stall == nil ? rules.wallClock : .minutes(20)
        run.work = random.span(.milliseconds(10), longest)
        run.success = random.chance(0.8)
        run.answer = random.span(.milliseconds(1), .milliseconds(500))
        guard random.chance(0.1 + world.malice) else { return run }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: run.work = nil
        case 1:
            run.work = nil
            run.answer = nil
        default: run.crashes = true
        }
        return run
    }

    func act(on action: Action) throws {
        note("-> \(action)")
        switch action {
        case .write, .effect(.limitMemory), .effect(.setDeadline), .effect(.sweep), .effect(.meterSpace): break
        case .effect(.weighFolders), .effect(.allowSleep), .effect(.expired): break
        case .effect(.freeze(let worker)):
            guard workers[worker]?.isGone == false else { return }
            workers[worker]?.isFrozen = true
            feed(.frozen(worker, holdsLock: false))
        case .effect(.thaw(let worker)): workers[worker]?.isFrozen = false
        case .effect(.examine(let worker)):
            // It may have become ready, or ended, until the record allowed it.
            guard workers[worker]?.isReady == false, workers[worker]?.isGone == false else { return }
            feed(Bool.random(using: &random) ? .lacked(worker, .time) : .hung(worker))
        case .urgent(.launch(let worker, let application, _)):
            try make(worker, application)
            begin(worker)
        case .urgent(.prepare(let worker, let application, _)): try make(worker, application, isSpare: true)
        case .urgent(.adopt(let worker, _)):
            try expect(workers[worker]?.isSpare == true, "a run takes a process that is another's")
            workers[worker]?.isSpare = false
            guard workers[worker]?.isGone == false else { return }
            if random.chance(0.1) { feed(.stale(worker)) } else { begin(worker) }
        case .effect(.state(let worker, let state)):
            try expect(workers[worker]?.isReady == true, "a worker gets a state before it is ready")
            workers[worker]?.states.append(state)
            try noteState(state, of: worker)
        case .effect(.start(let worker, let run)): try start(run, in: worker)
        case .urgent(.expire(let worker, let run, _)):
            // It may have ended before the record allowed its beginning.
            if runs[run]?.isFinished == true { return }
            guard let known = workers[worker], known.runs.contains(run) || known.isGone else {
                return try expect(false, "a run is warned in another's worker")
            }
            if let answer = runs[run]?.answer {
                agenda.add(.completion(worker, run, success: false), at: now.instant + answer)
            }
        case .effect(.expireAssertions(let worker)):
            try expect(workers[worker]?.runs.isEmpty == true, "assertions expire while a run continues")
            if random.chance(0.7) { agenda.add(.assertions(worker, 0), at: now.instant + .seconds(1)) }
        case .effect(.handleSessionEvents(let worker)): try tellSessions(worker)
        case .effect(.weigh(let worker)):
            try expect(workers[worker]?.runs.isEmpty != false, "a worker is weighed with a run in it")
            feed(.weighed(worker, memory: .mebibytes(8)))
        case .effect(.meter(let worker)): if workers[worker]?.isGone == false { meter(worker) }
        case .effect(.terminate(let worker)):
            // An application with lifecycle callbacks is asked to leave before its runs have ended.
            let isPolite = workers[worker].map { world.applications[$0.application].hasLifecycle } ?? false
            let isIdle = workers[worker]?.runs.isEmpty == true
            try expect(isIdle || isPolite, "a worker is asked to leave with a run in it")
            if !random.chance(world.malice) {
                agenda.add(.death(worker, signal: 0), at: now.instant + .milliseconds(20))
            }
        case .urgent(.kill(let worker)), .effect(.kill(let worker)):
            guard let known = workers[worker], !known.isKilled else { return }
            known.isKilled = true
            agenda.add(.death(worker, signal: 9), at: now.instant + .milliseconds(5))
        case .effect(.reply(let run)):
            try expect(runs[run]?.isFinished == true, "a requester gets a reply before the record has the run")
            if let worker = runs[run]?.worker { workers[worker]?.runs.remove(run) }
            if let done = runs[run]?.done { acknowledged.insert(done) }
            runs[run] = nil
            engine.release(run)
        case .effect(.retire(let worker)):
            try expect(workers[worker]?.isGone == true, "a worker is let go of that lives")
            let application = workers[worker]?.application
            workers[worker] = nil
            if let application { try forgetSessions(of: worker, application) }
            engine.release(worker)
        }
    }

    /// Applications of this kind answer for their callbacks; any of them may turn to its sessions then.
    private func noteState(_ state: ApplicationState, of worker: WorkerHandle) throws {
        guard let known = workers[worker] else { return }
        if world.applications[known.application].hasLifecycle, !random.chance(world.malice / 8) {
            agenda.add(.callback(worker, UInt32(known.states.count)), at: now.instant + .milliseconds(3))
        }
        if fortune.chance(state == .background ? 0.2 : 0.7) {
            agenda.add(.transfer(.opening(worker, isAsked: false)), at: now.instant + .milliseconds(5))
        }
    }

    private func make(_ worker: WorkerHandle, _ application: ApplicationIndex, isSpare: Bool = false) throws {
        let others = workers.values.contains { $0.application == application && !$0.isGone }
        try expect(world.applications[application].isolatesRuns || !others, "an application has two workers")
        workers[worker] = JointWorker(application: application, isSpare: isSpare)
        workers[worker]?.isOutdated = outdatedLaunches.removeValue(forKey: worker) != nil
    }

    /// It maps its library, and is ready then, or does something else.
    private func begin(_ worker: WorkerHandle) {
        let time = now.instant + random.span(.milliseconds(1), .milliseconds(300))
        if let famine {
            return agenda.add(.loss(worker, famine), at: now.instant + random.span(.milliseconds(1), .seconds(1)))
        }
        if random.chance(0.02) {
            let shortage = Shortage.allCases.randomElement(using: &random) ?? .memory
            agenda.add(.loss(worker, shortage), at: now.instant + random.span(.milliseconds(1), .minutes(1)))
        }
        guard random.chance(world.malice / 3) else { return agenda.add(.ready(worker), at: time) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: agenda.add(.refusal(worker), at: time)
        case 1: agenda.add(.death(worker, signal: 11), at: time)
        default: break  // It hangs.
        }
    }

    private func start(_ run: RunHandle, in worker: WorkerHandle) throws {
        guard let host = workers[worker], let known = runs[run], known.started == nil else {
            return try expect(false, "a run is started twice, or nowhere")
        }
        try expect(host.states.last != nil, "a handler is invoked before its application knows its state")
        if let identity = known.identity, let request = running[identity], request.run == run {
            try expect(kept.running[identity] != nil, "a handler is invoked before the record says so")
            let others = runs.values.count { $0.identity == identity && !$0.isFinished }
            try expect(others == inProgress(identity), "two runs of one identity continue")
        }
        runs[run]?.worker = worker
        runs[run]?.started = engine.runs[run]?.started?.instant
        guard !known.isFinished, !host.isGone else { return }
        host.runs.insert(run)
        if let work = known.work {
            let time = now.instant + work
            if known.crashes {
                agenda.add(.death(worker, signal: 11), at: time)
            } else {
                agenda.add(.completion(worker, run, success: known.success), at: time)
            }
        }
        if world.tasks[known.task].engine.stall != nil, !random.chance(0.2) {
            agenda.add(.progress(worker, run, 1), at: now.instant + .seconds(20))
        }
        if random.chance(0.05) { agenda.add(.assertions(worker, 1), at: now.instant + .milliseconds(5)) }
        if random.chance(0.1) && !isStopping {
            agenda.add(.change, at: now.instant + random.span(.milliseconds(1), .minutes(2)))
        }
        // Most handlers submit their next request first of all.
        if known.identity != nil && random.chance(0.4) && !isStopping {
            let tasks = world.applications[host.application].tasks
            agenda.add(
                .request(task: tasks.randomElement(using: &random) ?? .first), at: now.instant + .milliseconds(1))
        }
    }

    func meter(_ worker: WorkerHandle) {
        guard let known = workers[worker] else { return }
        known.cpu = known.cpu + .milliseconds(5)
        feed(.metered(worker, cpu: known.cpu, peak: .mebibytes(8)))
    }

    func die(_ worker: WorkerHandle, signal: Int32) {
        guard let known = workers[worker], !known.isGone else { return }
        known.isGone = true
        meter(worker)
        if known.isSpare { feed(.stale(worker)) }
        feed(.exited(worker, WorkerExit(signal: signal, status: 0, outOfMemory: false)))
        feed(.treeExited(worker))
    }
}
