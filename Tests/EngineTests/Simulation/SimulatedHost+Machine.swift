import Engine
import TaskModel

// What happens in the simulated machine, and how the host hears of it.
extension SimulatedHost {
    func take(_ happening: Happening) throws {
        switch happening {
        case .burst(let left): burst(left)
        case .submission: try submit()
        case .ready(let worker): ready(worker)
        case .refusal(let worker): refuse(worker)
        case .step(let worker, let run, let step): take(step, of: run, in: worker)
        case .frames(let worker): readFrames(of: worker)
        case .wireClosed(let worker): disconnect(worker)
        case .death(let worker, let exit): die(worker, exit)
        case .exitReport(let worker): reportExit(of: worker)
        case .emptiness(let worker): becomeEmpty(worker)
        case .memoryLimit(let worker): checkMemory(of: worker)
        case .cancellation(let run):
            runs[run]?.wasCancelled = true
            feed(.cancelled(run))
        case .simulation(let run):
            runs[run]?.wasSimulated = true
            feed(.simulatedExpiration(run))
        case .stop:
            stops += 1
            feed(.stopping)
        }
    }

    // MARK: Submissions

    private func burst(_ left: Int) {
        guard !isClosing else { return }
        agenda.add(.submission, at: now.instant)
        if left > 1 {
            agenda.add(.burst(left: left - 1), at: now.instant + random.span(TimeSpan(nanoseconds: 1000), .seconds(2)))
        } else {
            let pause = random.span(.seconds(1), .minutes(3 * 24 * 60))
            agenda.add(.burst(left: Int.random(in: 1...20, using: &random)), at: now.instant + pause)
        }
    }

    func submit() throws {
        let task = Int.random(in: 0..<world.tasks.count, using: &random)
        count.runs += 1
        let requester = UInt32(truncatingIfNeeded: count.runs)
        let id = ULID(high: seed, low: UInt64(count.runs))
        let first = actions.count
        feed(.submitted(Submission(task: UInt32(task), id: id, requester: requester)))
        guard actions.count > first, case .insert(let run) = actions[first] else {
            return try expect(false, "a submission is not inserted first of all")
        }
        try expect(runs[run] == nil, "a run has the slot of another that was not released")
        try expect(givenRuns.insert(run).inserted, "a run has the handle of an earlier one")
        var known = SimulatedRun(task: task, id: id, requester: requester)
        known.plan = HandlerPlan(of: world.tasks[task], malice: world.malice, using: &random)
        runs[run] = known
        if random.chance(0.05) {
            agenda.add(.cancellation(run), at: now.instant + random.span(.milliseconds(1), .seconds(30)))
        }
        if random.chance(0.05) {
            agenda.add(.simulation(run), at: now.instant + random.span(.milliseconds(1), .seconds(30)))
        }
    }

    // MARK: Workers

    private func ready(_ handle: WorkerHandle) {
        guard let worker = workers[handle], worker.isAlive, !worker.isStuck else { return }
        worker.sent.append(.ready(handle))
        readFrames(of: handle)
    }

    private func refuse(_ handle: WorkerHandle) {
        guard let worker = workers[handle], worker.isAlive else { return }
        worker.sent.append(.refused(handle))
        // It leaves by itself, or waits to be killed.
        if Bool.random(using: &random) {
            agenda.add(
                .death(handle, WorkerExit(signal: 0, status: 1, outOfMemory: false)),
                at: now.instant + random.span(.milliseconds(1), .milliseconds(50)))
        }
        readFrames(of: handle)
    }

    private func take(_ step: HandlerStep, of run: RunHandle, in handle: WorkerHandle) {
        guard let worker = workers[handle], worker.isAlive, !worker.isStuck else { return }
        switch step {
        case .complete(let success): complete(run, of: worker, success: success, automatic: false)
        case .completeAutomatically: complete(run, of: worker, success: false, automatic: true)
        case .forget: send(.unreported(handle, run), from: worker)
        case .crash(let signal): die(handle, WorkerExit(signal: signal, status: 0, outOfMemory: false))
        case .exit(let status): die(handle, WorkerExit(signal: 0, status: status, outOfMemory: false))
        case .sendGarbage: send(.violated(handle), from: worker)
        case .closeWire:
            worker.isStuck = true
            closeWire(of: worker)
        case .forge(let other):
            send(.completed(handle, other, success: true, result: nil, automatic: false), from: worker)
        }
    }

    private func complete(_ run: RunHandle, of worker: SimulatedWorker, success: Bool, automatic: Bool) {
        if let plan = runs[run]?.plan {
            let appetite = plan.appetite
            worker.end(run, at: now.instant)
            worker.children += plan.children
            if plan.keepsBurning { worker.idleRate = appetite.cpu }
        }
        send(.completed(worker.handle, run, success: success, result: nil, automatic: automatic), from: worker)
    }

    /// The frame is on its way; the host reads it in a later turn, or when the worker's end is reported.
    private func send(_ event: Event, from worker: SimulatedWorker) {
        worker.sent.append(event)
        if random.chance(0.5) {
            readFrames(of: worker.handle)
        } else {
            agenda.add(
                .frames(worker.handle), at: now.instant + random.span(TimeSpan(nanoseconds: 1000), .milliseconds(5)))
        }
    }

    private func readFrames(of handle: WorkerHandle) {
        guard let worker = workers[handle] else { return }
        let sent = worker.sent
        worker.sent.removeAll()
        for event in sent { hear(event, from: worker) }
    }

    private func hear(_ event: Event, from worker: SimulatedWorker) {
        switch event {
        case .completed(_, let run, let success, _, let automatic):
            if runs[run]?.worker == worker.handle, runs[run]?.completion == nil {
                runs[run]?.completion = (success, automatic)
            }
            meter(worker)
        case .unreported(_, let run):
            if runs[run]?.worker == worker.handle { runs[run]?.wasForgotten = true }
            meter(worker)
        case .declined(_, let run): if runs[run]?.worker == worker.handle { runs[run]?.wasDeclined = true }
        case .ready: worker.isReady = true
        case .refused: worker.wasRefused = true
        // The host does not judge a worker that has ended.
        case .violated:
            guard worker.exit == nil else { return }
            worker.wasViolated = true
        default: break
        }
        feed(event)
    }

    func meter(_ worker: SimulatedWorker) {
        let peak = worker.look(at: now.instant)
        feed(.metered(worker.handle, cpu: worker.cpuTime(at: now.instant), peak: peak))
    }

    // MARK: Ends

    /// The first process ends; the others of its tree may not.
    func die(_ handle: WorkerHandle, _ exit: WorkerExit) {
        guard let worker = workers[handle], worker.isAlive else { return }
        worker.update(to: now.instant)
        worker.isAlive = false
        worker.death = exit
        worker.limitAtDeath = worker.limit
        worker.appetites.removeAll()
        if exit.outOfMemory { worker.children = 0 }
        closeWire(of: worker)
        agenda.add(.exitReport(handle), at: now.instant + random.span(TimeSpan(nanoseconds: 1000), .milliseconds(20)))
        if worker.children == 0 { becomeEmpty(handle) }
    }

    private func closeWire(of worker: SimulatedWorker) {
        let time = now.instant + random.span(TimeSpan(nanoseconds: 1000), .milliseconds(5))
        agenda.add(.wireClosed(worker.handle), at: time)
    }

    /// The host reads what was sent before; after the exit report it does not look at the wire any more.
    private func disconnect(_ handle: WorkerHandle) {
        guard let worker = workers[handle], worker.exit == nil, worker.disconnected == nil else { return }
        readFrames(of: handle)
        worker.disconnected = now.instant
        feed(.disconnected(handle))
    }

    private func reportExit(of handle: WorkerHandle) {
        // The report may come after the worker was let go of.
        guard let worker = workers[handle], let exit = worker.death else {
            return feed(.exited(handle, WorkerExit(signal: 9, status: 0, outOfMemory: false)))
        }
        readFrames(of: handle)
        meter(worker)
        worker.exit = exit
        feed(.exited(handle, exit))
        if worker.isEmpty { empty(worker) }
    }

    private func becomeEmpty(_ handle: WorkerHandle) {
        guard let worker = workers[handle], !worker.isAlive, !worker.isEmpty else { return }
        worker.update(to: now.instant)
        worker.isEmpty = true
        worker.children = 0
        guard world.announcesEmptiness else { return }
        // Now and then the host hears of it before it hears of the exit.
        if worker.exit != nil || (worker.lastKill != nil && random.chance(0.2)) { empty(worker) }
    }

    func empty(_ worker: SimulatedWorker) {
        worker.wasEmptied = true
        feed(.emptied(worker.handle))
    }

    private func checkMemory(of handle: WorkerHandle) {
        guard !world.limits.metersMemory, let worker = workers[handle], worker.isAlive else { return }
        guard worker.isOverLimit(at: now.instant) else { return watchMemory(of: worker) }
        // The kernel kills the whole tree, or, where it cannot, one process of it.
        if random.chance(0.7) { return die(handle, WorkerExit(signal: 9, status: 0, outOfMemory: true)) }
        guard !worker.isStarved else { return }
        worker.isStarved = true
        worker.limitAtDeath = worker.limit
        meter(worker)
        feed(.starved(handle))
    }

    func watchMemory(of worker: SimulatedWorker) {
        guard !world.limits.metersMemory, let time = worker.timeOfLimit(from: now.instant) else { return }
        agenda.add(.memoryLimit(worker.handle), at: time)
    }
}
