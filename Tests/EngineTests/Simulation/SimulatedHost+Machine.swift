import Engine
import TaskModel
import TestSupport

// What happens in the simulated machine, and how the host learns about it.
extension SimulatedHost {
    func take(_ happening: Happening) throws {
        if let worker = happening.actor.flatMap({ workers[$0] }), worker.frozenSince != nil {
            worker.held.append(happening)
            return
        }
        switch happening {
        case .burst(let left): burst(left)
        case .submission: try submit()
        case .ready(let worker): ready(worker)
        case .refusal(let worker): refuse(worker)
        case .disappearance(let worker, let shortage): lose(worker, shortage)
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
        case .loss(let run, let reason):
            runs[run]?.losses.insert(reason)
            feed(.expired(run, reason))
        case .foreground(let application, let isInFront):
            if isInFront && stops == 0 {
                inFront.insert(application)
            } else {
                inFront.remove(application)
            }
            feed(.foreground(application: application, isInFront))
        case .wake(let application): feed(.wake(application: application))
        case .quit(let application, let reason):
            inFront.remove(application)
            for (run, known) in runs where world.tasks[known.task].application == application {
                runs[run]?.quitReasons.insert(reason)
            }
            feed(.terminateApplication(application: application, reason))
            let state = engine.state(of: application)
            try expect(state == .notRunning, "an application that was quit is \(state)")
        case .assertions(let handle, let count):
            guard let worker = workers[handle], worker.isAlive, !worker.isStuck, worker.isReady else { return }
            send(.assertions(handle, count: count), from: worker)
        case .callback(let handle, let state):
            // Two may be due at one moment, such as that of waking up: a worker says them in their order.
            guard let worker = workers[handle], worker.isAlive, !worker.isStuck, state > worker.lastSaid else { return }
            worker.lastSaid = state
            send(.returned(handle, state: state), from: worker)
        case .sessionEvents(let application): feed(.sessionEvents(application: application))
        case .sessionsHandled(let handle):
            guard let worker = workers[handle], worker.isAlive, !worker.isStuck else { return }
            send(.sessionsHandled(handle), from: worker)
        case .sleep: fallAsleep()
        case .wakeUp: wakeUp()
        case .pressure(let isShort):
            isMemoryShort = isShort
            feed(.memoryPressure(isShort))
            guard !isClosing else { return }
            agenda.add(
                .pressure(!isShort), at: now.instant + random.span(.seconds(1), .minutes(isShort ? 10 : 24 * 60)))
        case .stop:
            stops += 1
            (isAsleep, isSleepAllowed) = (false, false)
            feed(.stopping)
        }
    }

    // MARK: Sleep

    /// It waits for a while, or only says that it sleeps.
    private func fallAsleep() {
        guard !isClosing, stops == 0 else { return }
        isAsleep = true
        feed(
            .sleeps(
                waitsUntil: Bool.random(using: &random) ? .distantFuture : now.instant + random.span(.zero, .seconds(6))
            ))
        // Now and then something wakes it at once.
        let longest = random.chance(0.2) ? TimeSpan.milliseconds(20) : .minutes(8 * 60)
        agenda.add(.wakeUp, at: now.instant + random.span(TimeSpan(nanoseconds: 1), longest))
    }

    private func wakeUp() {
        (isAsleep, isSleepAllowed) = (false, false)
        feed(.awoke)
        if !isClosing { agenda.add(.sleep, at: now.instant + random.span(.milliseconds(1), .minutes(12 * 60))) }
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
        let task = world.tasks.indices.randomElement(using: &random) ?? .first
        count.runs += 1
        let requester = UInt32(truncatingIfNeeded: count.runs)
        let id = ULID(high: seed, low: UInt64(count.runs))
        let first = actions.count
        // Some come together and share a launch.
        if random.chance(0.7) { launch = random.chance(0.5) ? launch + 1 : 0 }
        let hasRequest = Bool.random(using: &random)
        feed(
            .submitted(
                Submission(
                    task: task, id: id, requester: requester, launch: launch, hasRequest: hasRequest)))
        guard actions.count > first, case .write(.insert(let run)) = actions[first] else {
            return try expect(false, "a submission is not inserted first of all")
        }
        try expect(runs[run] == nil, "a run has the slot of another that was not released")
        try expect(givenRuns.insert(run).inserted, "a run has the handle of an earlier one")
        var known = SimulatedRun(task: task, id: id, requester: requester)
        known.plan = HandlerPlan(of: world.tasks[task], malice: world.malice, using: &random)
        known.launch = launch
        known.hasRequest = hasRequest
        runs[run] = known
        if random.chance(0.05) {
            let reason = [Reason.powerLost, .networkLost, .userCancelled].randomElement(using: &random) ?? .thermal
            agenda.add(.loss(run, reason), at: now.instant + random.span(.milliseconds(1), .seconds(30)))
        }
        if random.chance(0.1) { disturb(world.tasks[task].application) }
        if random.chance(0.05) {
            agenda.add(.cancellation(run), at: now.instant + random.span(.milliseconds(1), .seconds(30)))
        }
        if random.chance(0.05) {
            agenda.add(.simulation(run), at: now.instant + random.span(.milliseconds(1), .seconds(30)))
        }
    }

    /// A user does something with an application.
    private func disturb(_ application: ApplicationIndex) {
        let time = now.instant + random.span(.milliseconds(1), .minutes(2))
        if random.chance(0.3) { agenda.add(.sessionEvents(application), at: time) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            agenda.add(.foreground(application, true), at: time)
            if random.chance(0.8) {
                agenda.add(.foreground(application, false), at: time + random.span(.milliseconds(1), .minutes(5)))
            }
        case 2: agenda.add(.wake(application), at: time)
        default:
            agenda.add(
                .quit(application, Bool.random(using: &random) ? .userCancelled : .applicationTerminated), at: time)
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

    private func lose(_ handle: WorkerHandle, _ shortage: Shortage) {
        guard let worker = workers[handle], worker.isAlive else { return }
        // What it sent before counts.
        readFrames(of: handle)
        worker.wasLost = true
        count.losses += 1
        feed(worker.isSpare ? .stale(handle) : .lacked(handle, shortage))
        die(handle, WorkerExit(signal: 9, status: 0, outOfMemory: false))
    }

    private func take(_ step: HandlerStep, of run: RunHandle, in handle: WorkerHandle) {
        guard let worker = workers[handle], worker.isAlive, !worker.isStuck else { return }
        switch step {
        case .complete(let success): complete(run, of: worker, success: success, automatic: false)
        case .completeLater(let deferral): completeLater(run, of: worker, deferral)
        case .completeAutomatically: complete(run, of: worker, success: false, automatic: true)
        case .advance(let count):
            guard let pace = runs[run]?.plan.pace else { return }
            send(.progressed(handle, run, completed: count), from: worker)
            // Now and then it stalls.
            guard !random.chance(0.05) else { return }
            agenda.add(.step(handle, run, .advance(count + 1)), at: now.instant + pace)
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
        finish(run, of: worker)
        send(.completed(worker.handle, run, success: success, result: nil, automatic: automatic), from: worker)
    }

    private func completeLater(_ run: RunHandle, of worker: SimulatedWorker, _ deferral: Deferral) {
        finish(run, of: worker)
        send(.deferred(worker.handle, run, deferral), from: worker)
    }

    private func finish(_ run: RunHandle, of worker: SimulatedWorker) {
        if let plan = runs[run]?.plan {
            let appetite = plan.appetite
            worker.end(run, leaving: engine.runs[run]?.isActive == true ? plan.leaves : 0, at: now.instant)
            worker.children += plan.children
            if plan.keepsBurning { worker.idleRate = appetite.cpu }
        }
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
        case .completed(_, let run, let success, _, let automatic, _):
            if runs[run]?.worker == worker.handle, runs[run]?.completion == nil {
                runs[run]?.completion = (success, automatic)
            }
            meter(worker)
        case .deferred(_, let run, let deferral):
            if runs[run]?.worker == worker.handle, runs[run]?.completion == nil {
                runs[run]?.completion = (false, false)
                runs[run]?.deferral = deferral
            }
            meter(worker)
        case .unreported(_, let run):
            if runs[run]?.worker == worker.handle { runs[run]?.wasForgotten = true }
            meter(worker)
        case .declined(_, let run, _):
            if runs[run]?.worker == worker.handle { runs[run]?.wasDeclined = true }
            meter(worker)
        case .ready:
            worker.isReady = true
            if random.chance(0.05) { feed(.leavesWhenIdle(worker.handle)) }
        case .returned(_, let state):
            worker.returned = max(worker.returned, state)
            worker.pending.removeAll { $0.state <= state }
            // It has the time of another call for what it received meanwhile.
            if !worker.pending.isEmpty {
                worker.pending[0].due = now.instant + world.limits.profile.lifecycleCallback
            }
        case .assertions(_, let count):
            worker.assertions = count
            worker.warnedAssertions = min(worker.warnedAssertions, count)
        case .sessionsHandled:
            worker.sessionsDue = nil
            worker.lastUse = now.instant
        case .progressed(_, let run, _): if runs[run]?.worker == worker.handle { runs[run]?.progressed = now.instant }
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

    /// The host reads what was sent before; after the exit report it no longer looks at the wire.
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
        if worker.isSpare { feed(.stale(handle)) }
        feed(.exited(handle, exit))
        if worker.isEmpty { empty(worker) }
    }

    private func becomeEmpty(_ handle: WorkerHandle) {
        guard let worker = workers[handle], !worker.isAlive, !worker.isEmpty else { return }
        worker.update(to: now.instant)
        worker.isEmpty = true
        worker.children = 0
        guard world.announcesEmptiness else { return }
        // Now and then the host learns about it before it learns about the exit.
        if worker.exit != nil || (worker.lastKill != nil && random.chance(0.2)) { empty(worker) }
    }

    func empty(_ worker: SimulatedWorker) {
        worker.wasEmptied = true
        feed(.treeExited(worker.handle))
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
        feed(.outOfMemory(handle))
    }

    func watchMemory(of worker: SimulatedWorker) {
        guard !world.limits.metersMemory, let time = worker.timeOfLimit(from: now.instant) else { return }
        agenda.add(.memoryLimit(worker.handle), at: time)
    }
}
