import TaskModel

// The life of a worker: launched, ready, idle, leaving, killed, gone.
extension Engine {
    /// The pause between two kills of a tree that is not empty yet.
    private static let killRepeat = TimeSpan.milliseconds(20)
    /// How long a worker without its wire has to exit.
    private static let afterlife = TimeSpan.milliseconds(200)

    mutating func ready(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].phase == .launching else { return }
        workers[worker].phase = .ready
        launching -= 1
        let application = workers[worker].application
        let wasHeld = applications[application].isHeld
        applications[application].tally = nil
        endHold(of: application)
        if workers[worker].disconnectedUntil == nil { workerDeadlines.remove(worker) }
        tellFirstState(worker)
        // Before it rests: a worker of isolated runs would leave at once, and be launched again without end.
        deliverSessions(of: application)
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].phase == .launching else { return }
            engine.start(run, on: worker)
        }
        if workers[worker].runs.isEmpty {
            leaveWorker(worker)
        } else if wasHeld {
            placeWaiting()
        }
        if sleep.isAsleep { freezeForSleep(worker) }
    }

    /// It cannot be launched, or cannot serve: every run that waited for it is refused.
    mutating func refused(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker) else { return }
        switch workers[worker].phase {
        case .launching: refuse(worker)
        case .spare: kill(worker)
        case .ready, .leaving, .killing, .gone: return
        }
    }

    /// Its library did not let it be ready in time.
    mutating func hung(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].phase == .launching else { return }
        forEachRun(of: worker) { engine, run in engine.runs[run].isHung = true }
        noteTermination(
            of: worker, because: .appWatchdog, in: .launch, took: limits.profile.launch)
        refuse(worker)
    }

    private mutating func refuse(_ worker: WorkerIndex) {
        kill(worker)
        while let run = workers[worker].runs.first { end(run, as: .refused) }
        placeWaiting()
    }

    /// It broke the protocol: an honest worker never does, so its runs count as crashed.
    mutating func violated(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker) else { return }
        let phase = workers[worker].phase
        guard phase != .gone && phase != .killing else { return }
        forEachRun(of: worker) { engine, run in engine.markForKill(run, as: .crashed) }
        kill(worker)
    }

    /// It exceeded its frame budget. When all frames were about one run, that run is at fault, and its siblings are
    /// interrupted. Otherwise the run is unknown, as with any other breach.
    mutating func flooded(
        _ worker: WorkerHandle, by run: RunHandle?
    ) {
        guard let run, let (run, worker) = active(run, of: worker) else {
            return violated(worker)
        }
        guard workers[worker].phase != .killing else { return }
        kill(for: run, as: .crashed)
    }

    /// Memory ran out: at fault are the runs whose budget limits the tree. Their siblings are interrupted.
    mutating func outOfMemory(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].phase == .ready else { return }
        let limit = workers[worker].memoryLimit
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].rules.memory <= limit else { return }
            engine.markForKill(run, as: .exceededMemory)
        }
        noteTermination(of: worker, because: .memoryResourceLimit)
        kill(worker)
    }

    /// Its end usually follows, and the exit report says more. New runs wait for the next worker.
    mutating func disconnected(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].disconnectedUntil == nil else { return }
        switch workers[worker].phase {
        case .launching, .ready:
            workers[worker].disconnectedUntil = now.instant + Self.afterlife
            workerDeadlines.set(worker, to: now.instant + Self.afterlife)
            reconsider(workers[worker].application)
        case .spare: kill(worker)
        case .leaving, .killing, .gone: return
        }
    }

    mutating func exited(_ handle: WorkerHandle, _ exit: WorkerExit) {
        guard let worker = workers.index(handle), workers[worker].phase != .gone else { return }
        workers[worker].exit = exit
        // The outcomes of runs whose worker was killed are known already.
        guard workers[worker].phase != .killing else { return }
        // Its siblings are interrupted when the tree is gone.
        let guilty = exit.outOfMemory ? nil : exit.guilty.flatMap { active($0, of: handle)?.run }
        forEachRun(of: worker) { engine, run in
            if let guilty, run != guilty { return }
            // The user has ended it already.
            guard engine.runs[run].phase != .ending else { return }
            // The kernel kills the whole tree for the smallest budget in it: runs with more room did nothing wrong.
            let memory = engine.runs[run].rules.memory
            if exit.outOfMemory && memory > engine.workers[worker].memoryLimit { return }
            let outcome: Outcome = exit.outOfMemory ? .exceededMemory : exit.signal != 0 ? .crashed : .exited
            engine.markForKill(run, as: outcome)
            engine.runs[run].killed = nil
            engine.runs[run].figures.signal = exit.signal == 0 ? nil : exit.signal
            engine.runs[run].figures.exitStatus = exit.signal == 0 ? exit.status : nil
        }
        if exit.outOfMemory { noteTermination(of: worker, because: .memoryResourceLimit) }
        // Processes that it left behind are killed too; `treeExited` follows.
        kill(worker)
    }

    mutating func treeExited(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].phase == .killing else { return }
        let outOfMemory = workers[worker].exit?.outOfMemory ?? false
        while let run = workers[worker].runs.first {
            var outcome = runs[run].outcome ?? .interrupted
            if runs[run].phase != .ending {
                runs[run].reason = .applicationTerminated
            } else if outOfMemory && outcome == .exceededCPU {
                outcome = .exceededMemory
            }
            end(run, as: outcome)
        }
        let application = workers[worker].application
        workerDeadlines.remove(worker)
        watchdogs.remove(worker)
        workers[worker].phase = .gone
        actions.append(.effect(.retire(workers.handle(worker))))
        if applications[application].isolatesRuns { isolatedWorkers -= 1 }
        if applications[application].worker == worker {
            applications[application].worker = nil
            if workers[worker].isOutdated { noteRenewal(of: application) }
            reconsider(application)
        }
        placeWaiting()
        launchIfWanted(application)
    }

    /// Runs that are not the cause end as interrupted when the tree has ended, unless a report of theirs is on its way.
    /// Their deadlines no longer apply.
    mutating func kill(_ worker: WorkerIndex) {
        forEachRun(of: worker) { engine, run in engine.runDeadlines.remove(run) }
        forgetStillness(of: worker)
        watchdogs.remove(worker)
        sessionDeadlines.remove(worker)
        close(worker, as: .killing)
        workerDeadlines.set(worker, to: now.instant + Self.killRepeat)
        actions.append(.effect(.kill(workers.handle(worker))))
    }

    /// From now on it takes no runs and its application is not in the foreground. If the user opens the application again,
    /// it gets the next worker.
    private mutating func close(_ worker: WorkerIndex, as phase: WorkerSlot.Phase) {
        let (application, before) = (workers[worker].application, workers[worker].phase)
        workers[worker].phase = phase
        idle.remove(worker)
        if before == .launching { launching -= 1 }
        if before == .spare { forgetSpare(worker) }
        guard before == .launching || before == .ready else { return }
        applications[application].living -= 1
        if applications[application].worker == worker {
            applications[application].isForeground = false
            reconsider(application)
        }
        noteState(of: application)
    }

    mutating func workerIsDue(_ worker: WorkerIndex) {
        let due = workerDeadlines[worker]
        workerDeadlines.remove(worker)
        if let end = workers[worker].disconnectedUntil, workers[worker].phase != .killing {
            // An earlier deadline, such as a reading, must not precede the exit report.
            guard now.instant >= end else { return workerDeadlines.set(worker, to: end) }
            forEachRun(of: worker) { engine, run in engine.markForKill(run, as: .exited) }
            kill(worker)
            return
        }
        switch workers[worker].phase {
        case .gone: break
        case .spare: kill(worker)
        case .launching: launchIsOver(worker, since: due)
        case .leaving:
            noteTermination(
                of: worker, because: .appWatchdog, in: .willTerminate, took: limits.profile.lifecycleCallback)
            kill(worker)
        case .killing: kill(worker)
        case .ready:
            if !workers[worker].runs.isEmpty {
                actions.append(.effect(.meter(workers.handle(worker))))
            } else {
                idleIsDue(worker)
            }
        }
    }

    /// It had the time of a launch and is not ready.
    private mutating func launchIsOver(
        _ worker: WorkerIndex, since due: Instant
    ) {
        guard (now.instant - due).nanoseconds < limits.profile.launch.nanoseconds / 2 else {
            // The host itself had no processor for that long, so the worker had none either.
            return lacked(workers.handle(worker), .time)
        }
        workerDeadlines.set(worker, to: now.instant + limits.profile.launch)
        actions.append(.effect(.examine(workers.handle(worker))))
    }

    /// Asks it to exit. A frozen tree is killed: a suspended application gets no callback at its end; a spare has no code for one.
    mutating func terminate(_ worker: WorkerIndex) {
        guard workers[worker].stillness == nil, workers[worker].phase != .spare else { return kill(worker) }
        watchdogs.remove(worker)
        sessionDeadlines.remove(worker)
        close(worker, as: .leaving)
        workerDeadlines.set(worker, to: now.instant + limits.profile.lifecycleCallback)
        actions.append(.effect(.terminate(workers.handle(worker))))
    }

    /// The first request warns what runs and lets idle workers go; the second kills. The first one's reason stays.
    mutating func stop(because reason: Reason) {
        if stopRequests == 0 { stopReason = reason }
        let reason = stopReason
        stopRequests += 1
        awake()
        wakes = SlotHeap<ApplicationIndex>()
        holds = DeadlineHeap<ApplicationIndex>()
        if waiting > 0 {
            for application in applications.indices {
                while let run = applications[application].waiting.first {
                    dequeue(run)
                    endUnstarted(run, because: reason)
                }
            }
        }
        forEachWorker { engine, worker in
            switch engine.workers[worker].phase {
            case .killing, .gone: return
            case .spare: engine.kill(worker)
            case .launching: engine.abandon(worker, because: reason)
            case .ready, .leaving:
                if engine.stopRequests > 1 {
                    engine.abandon(worker, because: reason)
                } else if engine.workers[worker].runs.isEmpty {
                    if engine.workers[worker].phase == .ready { engine.terminate(worker) }
                } else {
                    engine.forEachRun(of: worker) { engine, run in
                        engine.interrupt(engine.runs.handle(run), because: reason)
                    }
                }
            }
        }
    }

    /// All workers except retired ones. The body may retire the worker and launch others.
    mutating func forEachWorker(_ body: (inout Engine, WorkerIndex) -> Void) {
        for worker in workers.indices where workers.isTaken(worker) { body(&self, worker) }
    }

    /// Oldest first. The body may end the run.
    mutating func forEachRun(of worker: WorkerIndex, _ body: (inout Engine, RunIndex) -> Void) {
        var next = workers[worker].runs.first
        while let run = next {
            next = runs.next(after: run)
            body(&self, run)
        }
    }
}
