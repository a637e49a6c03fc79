import TaskModel

// The life of a worker: launched, ready, idle, leaving, killed, gone.
extension Engine {
    /// After a kill the tree is looked at, and killed again, this often until nothing is left.
    private static let killRepeat = TimeSpan.milliseconds(20)
    /// A worker without its wire has this long to end by itself.
    private static let afterlife = TimeSpan.milliseconds(200)

    mutating func ready(_ worker: WorkerHandle, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker), workers[Int(worker.index)].phase == .launching else { return }
        workers[Int(worker.index)].phase = .ready
        launching -= 1
        let application = workers[Int(worker.index)].application
        let wasHeld = applications[Int(application)].isHeld
        applications[Int(application)].tally = nil
        endHold(of: application)
        if workers[Int(worker.index)].disconnectedUntil == nil { workerDeadlines.remove(worker.index) }
        tellFirstState(worker.index, into: &actions)
        var candidate = workers[Int(worker.index)].first
        while let index = candidate {
            candidate = runs[Int(index)].next
            if runs[Int(index)].phase == .launching { start(index, on: worker.index, at: now, into: &actions) }
        }
        if workers[Int(worker.index)].runs == 0 {
            leaveWorker(worker.index, at: now, into: &actions)
        } else if wasHeld {
            placeWaiting(at: now, into: &actions)
        }
    }

    /// It cannot be launched, or cannot serve: every run that waited for it is refused.
    mutating func refused(_ worker: WorkerHandle, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker), workers[Int(worker.index)].phase == .launching else { return }
        refuse(worker.index, at: now, into: &actions)
    }

    /// Its library did not let it be ready in time.
    mutating func hung(_ worker: WorkerHandle, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker), workers[Int(worker.index)].phase == .launching else { return }
        forEachRun(of: worker.index) { engine, index in engine.runs[Int(index)].isHung = true }
        refuse(worker.index, at: now, into: &actions)
    }

    private mutating func refuse(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        kill(worker, at: now, into: &actions)
        while let index = workers[Int(worker)].first { end(index, as: .refused, at: now, into: &actions) }
        placeWaiting(at: now, into: &actions)
    }

    /// It broke the protocol: an honest worker never does, so its runs count as crashed.
    mutating func violated(_ worker: WorkerHandle, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker) else { return }
        let phase = workers[Int(worker.index)].phase
        guard phase != .free && phase != .killing else { return }
        forEachRun(of: worker.index) { engine, index in engine.condemn(index, as: .crashed, at: now) }
        kill(worker.index, at: now, into: &actions)
    }

    /// It drowned the host in words: the run's doing that all of them were about, and its siblings are interrupted. Else
    /// nobody can tell, and it is as any other breach.
    mutating func flooded(
        _ worker: WorkerHandle, by run: RunHandle?, at now: Moment, into actions: inout [Action]
    ) {
        guard let run, let index = active(run, of: worker) else {
            return violated(worker, at: now, into: &actions)
        }
        guard workers[Int(worker.index)].phase != .killing else { return }
        kill(for: index, as: .crashed, at: now, into: &actions)
    }

    /// Memory ran out: for the runs whose budget bounds the tree. Their siblings are interrupted with them.
    mutating func starved(_ worker: WorkerHandle, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker), workers[Int(worker.index)].phase == .ready else { return }
        let limit = workers[Int(worker.index)].memoryLimit
        forEachRun(of: worker.index) { engine, index in
            guard engine.runs[Int(index)].rules.memory <= limit else { return }
            engine.condemn(index, as: .exceededMemory, at: now)
        }
        kill(worker.index, at: now, into: &actions)
    }

    /// Mostly its end is on its way; the exit report will tell more. New runs wait for the next worker.
    mutating func disconnected(_ worker: WorkerHandle, at now: Moment) {
        guard isCurrent(worker), workers[Int(worker.index)].disconnectedUntil == nil else { return }
        switch workers[Int(worker.index)].phase {
        case .launching, .ready:
            workers[Int(worker.index)].disconnectedUntil = now.instant + Self.afterlife
            workerDeadlines.set(worker.index, to: now.instant + Self.afterlife)
            reconsider(workers[Int(worker.index)].application)
        case .free, .leaving, .killing: return
        }
    }

    mutating func exited(_ worker: WorkerHandle, _ exit: WorkerExit, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker), workers[Int(worker.index)].phase != .free else { return }
        let slot = Int(worker.index)
        workers[slot].exit = exit
        // The outcomes of runs whose worker was killed are known already.
        guard workers[slot].phase != .killing else { return }
        forEachRun(of: worker.index) { engine, index in
            // The kernel kills the whole tree for the smallest budget in it: runs with more room did nothing wrong.
            let memory = engine.runs[Int(index)].rules.memory
            if exit.outOfMemory && memory > engine.workers[slot].memoryLimit { return }
            let outcome: Outcome = exit.outOfMemory ? .exceededMemory : exit.signal != 0 ? .crashed : .exited
            guard !engine.runs[Int(index)].awaitsWeight else { return }
            engine.condemn(index, as: outcome, at: now)
            engine.runs[Int(index)].killed = nil
            engine.runs[Int(index)].signal = exit.signal == 0 ? nil : exit.signal
            engine.runs[Int(index)].exitStatus = exit.signal == 0 ? exit.status : nil
        }
        // What it left behind goes too; `emptied` tells when.
        kill(worker.index, at: now, into: &actions)
    }

    mutating func emptied(_ worker: WorkerHandle, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker), workers[Int(worker.index)].phase == .killing else { return }
        let slot = Int(worker.index)
        let outOfMemory = workers[slot].exit?.outOfMemory ?? false
        while let index = workers[slot].first {
            var outcome = runs[Int(index)].outcome ?? .interrupted
            if runs[Int(index)].phase != .ending {
                runs[Int(index)].reason = .applicationTerminated
            } else if outOfMemory && outcome == .exceededCPU {
                outcome = .exceededMemory
            }
            end(index, as: outcome, at: now, into: &actions)
        }
        let application = workers[slot].application
        workerDeadlines.remove(worker.index)
        workers[slot].phase = .free
        actions.append(.retire(worker))
        if applications[Int(application)].isolatesRuns { isolatedWorkers -= 1 }
        if applications[Int(application)].worker == worker.index {
            applications[Int(application)].worker = nil
            if workers[slot].isOutdated { noteRenewal(of: application) }
            reconsider(application)
        }
        placeWaiting(at: now, into: &actions)
        launchIfWanted(application, at: now, into: &actions)
    }

    /// Runs that are not the cause of it end as interrupted when the tree is gone, unless a report of theirs is on its
    /// way. Their deadlines mean nothing any more.
    mutating func kill(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        forEachRun(of: worker) { engine, index in engine.runDeadlines.remove(index) }
        close(worker, as: .killing)
        workerDeadlines.set(worker, to: now.instant + Self.killRepeat)
        actions.append(.kill(handle(ofWorker: worker)))
    }

    /// From now on it takes no runs and its application is not in front. A person who wants it there again meanwhile gets
    /// the next worker.
    private mutating func close(_ worker: UInt32, as phase: WorkerSlot.Phase) {
        let (application, before) = (workers[Int(worker)].application, workers[Int(worker)].phase)
        workers[Int(worker)].phase = phase
        idle.remove(worker)
        if before == .launching { launching -= 1 }
        guard before == .launching || before == .ready else { return }
        applications[Int(application)].living -= 1
        if applications[Int(application)].worker == worker {
            applications[Int(application)].isForeground = false
            reconsider(application)
        }
        noteState(of: application)
    }

    mutating func workerIsDue(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        let due = workerDeadlines[worker]
        workerDeadlines.remove(worker)
        if let end = workers[Int(worker)].disconnectedUntil, workers[Int(worker)].phase != .killing {
            // An earlier deadline, such as a look at its meters, must not anticipate the exit report.
            guard now.instant >= end else { return workerDeadlines.set(worker, to: end) }
            forEachRun(of: worker) { engine, index in engine.condemn(index, as: .exited, at: now) }
            kill(worker, at: now, into: &actions)
            return
        }
        switch workers[Int(worker)].phase {
        case .free: break
        case .launching: launchIsOver(worker, since: due, at: now, into: &actions)
        case .leaving, .killing: kill(worker, at: now, into: &actions)
        case .ready:
            if workers[Int(worker)].runs > 0 {
                actions.append(.meter(handle(ofWorker: worker)))
            } else {
                idleIsDue(worker, at: now, into: &actions)
            }
        }
    }

    /// It had the time of a launch and is not ready.
    private mutating func launchIsOver(
        _ worker: UInt32, since due: Instant, at now: Moment, into actions: inout [Action]
    ) {
        guard (now.instant - due).nanoseconds < limits.profile.launch.nanoseconds / 2 else {
            // The host itself had no processor for so long: nor had anybody else.
            return lacked(handle(ofWorker: worker), .time, at: now, into: &actions)
        }
        workerDeadlines.set(worker, to: now.instant + limits.profile.launch)
        actions.append(.examine(handle(ofWorker: worker)))
    }

    mutating func terminate(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        close(worker, as: .leaving)
        workerDeadlines.set(worker, to: now.instant + limits.profile.lifecycleCallback)
        actions.append(.terminate(handle(ofWorker: worker)))
    }

    /// The first request warns what runs and lets idle workers go; the second kills.
    mutating func stop(at now: Moment, into actions: inout [Action]) {
        stopRequests += 1
        wakes = SlotHeap()
        holds = DeadlineHeap()
        if waiting > 0 {
            for application in applications.indices {
                while let index = applications[application].waitingFirst {
                    dequeue(index)
                    endUnstarted(index, because: .hostStopping, at: now, into: &actions)
                }
            }
        }
        for index in workers.indices {
            let worker = UInt32(index)
            switch workers[index].phase {
            case .free, .killing: continue
            case .launching: abandon(worker, because: .hostStopping, at: now, into: &actions)
            case .ready, .leaving:
                if stopRequests > 1 {
                    abandon(worker, because: .hostStopping, at: now, into: &actions)
                } else if workers[index].runs == 0 {
                    if workers[index].phase == .ready { terminate(worker, at: now, into: &actions) }
                } else {
                    forEachRun(of: worker) { engine, run in
                        engine.interrupt(engine.handle(ofRun: run), because: .hostStopping, at: now, into: &actions)
                    }
                }
            }
        }
    }

    mutating func forEachRun(of worker: UInt32, _ body: (inout Engine, UInt32) -> Void) {
        var candidate = workers[Int(worker)].first
        while let index = candidate {
            candidate = runs[Int(index)].next
            body(&self, index)
        }
    }
}
