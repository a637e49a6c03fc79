import Engine
import TaskModel
import TestSupport

// The host's part of each action, and what the action must find.
extension SimulatedHost {
    /// What is remembered, before anything is done.
    func commit(_ action: Action) throws {
        switch action {
        case .write(.insert(let run)):
            guard let slot = engine.runs[run], runs[run] != nil else {
                return try expect(false, "an unknown run is inserted")
            }
            try expect(runs[run]?.isInserted == false, "a run is inserted twice")
            try expect(slot.sequence == lastSequence + 1, "runs are not numbered without a gap")
            try expect(slot.id == runs[run]?.id && slot.requester == runs[run]?.requester, "a run has another's id")
            lastSequence = slot.sequence
            open.insert(slot.sequence)
            runs[run]?.isInserted = true
            runs[run]?.sequence = slot.sequence
        case .write(.markExpired(let run)):
            try expect(runs[run]?.isInserted == true, "a run expires before it is inserted")
            try expect(runs[run]?.isMarkedExpired == false, "a run is marked expired twice")
            runs[run]?.isMarkedExpired = true
        case .write(.finish(let run)):
            try expect(runs[run]?.isInserted == true, "a run finishes before it is inserted")
            try expect(runs[run]?.isFinished == false, "a run finishes twice")
            runs[run]?.isFinished = true
            try judge(run)
        default: break
        }
    }

    func act(on action: Action) throws {
        note("-> \(action)")
        defer { if case .effect(.sweep(let worker)) = action { lastSwept = worker } else { lastSwept = nil } }
        switch action {
        case .write(.insert), .write(.markExpired), .write(.finish), .urgent(.launch), .urgent(.prepare),
            .urgent(.adopt), .urgent(.kill):
            break
        case .effect(.freeze(let handle)): try freeze(handle)
        case .effect(.thaw(let handle)): try thaw(handle)
        case .effect(.allowSleep): try allowSleep()
        case .write(.terminated(let handle, let reason, _, _)):
            let worker = try living(handle)
            try expect(world.applications[worker.application].hasLifecycle, "a plugin without a life is terminated")
            count.terminations[reason, default: 0] += 1
        case .write(.pause(let run)):
            count.pauses += 1
            try expect(runs[run]?.pause(at: now.instant) == true, "a run is paused twice")
        case .write(.resume(let run)):
            try expect(runs[run]?.resume(at: now.instant) == true, "a run continues that did")
        case .effect(.start(let worker, let run)): try start(run, in: worker)
        case .urgent(.expire(let worker, let run, let reason)): try expire(run, in: worker, reason)
        case .effect(.expired(_, let run, _)):
            try expect(
                runs[run].map { $0.expired != nil } ?? false, "watchers hear of an expiration that the run does not")
        case .effect(.setDeadline(let handle, let run)):
            _ = try living(handle)
            try expect(
                runs[run].map { $0.started != nil && ($0.launch != 0 || $0.stood > .zero) } ?? false,
                "a run alone has another deadline")
        case .effect(.limitMemory(let handle, let limit)):
            let worker = try living(handle)
            worker.limit = limit
            watchMemory(of: worker)
        case .effect(.state(let handle, let state)): try tell(handle, state)
        case .effect(.expireAssertions(let handle)): try warn(handle)
        case .effect(.handleSessionEvents(let handle)): try tellSessions(handle)
        case .effect(.meter(let handle)): meter(try living(handle))
        case .effect(.weigh(let handle)):
            let worker = workers[handle].flatMap { $0.lastKill == nil ? $0 : nil }
            try expect(worker?.runs.isEmpty != false, "a worker is weighed while a run is in it")
            feed(.weighed(handle, memory: worker?.weigh(at: now.instant)))
        case .effect(.examine(let handle)):
            let worker = try living(handle)
            try expect(!worker.isReady, "a launch is examined that has ended")
            try expect(now.instant >= worker.born + world.limits.profile.launch, "a launch is examined too early")
            count.examinations += 1
            worker.hung = Bool.random(using: &random)
            worker.wasLost = !worker.hung
            feed(worker.hung ? .hung(handle) : .lacked(handle, .time))
        case .effect(.sweep(let handle)):
            let worker = try living(handle)
            try expect(worker.runs.isEmpty, "a tree is swept while a run is in it")
            worker.update(to: now.instant)
            worker.children = 0
        case .effect(.terminate(let handle)): try terminate(handle)
        case .effect(.kill(let handle)): try kill(handle)
        case .effect(.reply(let run)): try reply(run)
        case .effect(.retire(let handle)): try retire(handle)
        case .effect(.meterSpace): try tellSpace()
        case .effect(.weighFolders(let application)): try weighFolders(application)
        }
    }

    /// The worker, which must neither be gone nor being killed.
    private func living(_ handle: WorkerHandle) throws -> SimulatedWorker {
        guard let worker = workers[handle] else { throw violation("an action for a worker that is gone") }
        try expect(worker.lastKill == nil, "an action for a worker that is being killed")
        return worker
    }

    private func violation(_ rule: String) -> any Error {
        do { try expect(false, rule) } catch { return error }
        return Violation(description: rule)
    }

    private func soon(_ longest: TimeSpan) -> Instant { now.instant + random.span(.milliseconds(1), longest) }

    private func tellSessions(_ handle: WorkerHandle) throws {
        let worker = try living(handle)
        try expect(worker.isReady && !worker.isTerminated, "a worker gets sessions while it comes or goes")
        try expect(worker.frozenSince == nil, "a worker gets sessions while it is frozen")
        try expect(worker.sessionsDue == nil, "a worker gets sessions while it handles others")
        worker.sessionsDue = now.instant + world.limits.profile.eventTime
        count.sessions += 1
        // Its background time starts again after them, and with it the warning.
        if worker.runs.isEmpty { worker.wasWarned = false }
        guard !random.chance(world.malice / 2) else { return }
        agenda.add(.sessionsHandled(handle), at: soon(.seconds(20)))
    }

    // MARK: Standing still

    private func freeze(_ handle: WorkerHandle) throws {
        let worker = try living(handle)
        try expect(worker.frozenSince == nil, "a tree is frozen twice")
        try expect(worker.isReady && !worker.isTerminated, "a worker is frozen that comes or goes")
        worker.update(to: now.instant)
        worker.frozenSince = now.instant
        // A suspended worker is swept just before.
        worker.isSuspended = lastSwept == handle
        count.freezes += 1
        guard worker.isSuspended else {
            // It may have fallen asleep and woken within this turn, and does both here.
            let goesOn = work.contains(.thaw(handle)) || work.contains(.kill(handle))
            return try expect(isAsleep || goesOn, "a tree is frozen while the machine is awake")
        }
        try expect(!isMemoryShort, "an application is suspended while memory is short")
        try expect(
            worker.runs.isEmpty && worker.assertions == 0 && worker.sessionsDue == nil,
            "an application is suspended that has something to do")
        try expect(worker.states.last == .background && worker.pending.isEmpty, "it does not know that it is suspended")
        try expect(worker.children == 0, "what an application has left is suspended with it")
        feed(.frozen(handle, holdsLock: random.chance(world.malice / 4)))
    }

    private func thaw(_ handle: WorkerHandle) throws {
        let worker = try living(handle)
        guard let since = worker.frozenSince else { return try expect(false, "a tree is thawed that moves") }
        worker.update(to: now.instant)
        worker.frozenSince = nil
        worker.isSuspended = false
        let span = now.instant - since
        worker.lastUse = worker.lastUse + span
        for run in worker.runs {
            guard let progressed = runs[run]?.progressed else { continue }
            runs[run]?.progressed = progressed + span
            if let expired = runs[run]?.expired { runs[run]?.expired?.at = expired.at + span }
        }
        if let due = worker.sessionsDue { worker.sessionsDue = due + span }
        for place in worker.pending.indices { worker.pending[place].due = worker.pending[place].due + span }
        let goesOn = soon(.milliseconds(5))
        for happening in worker.held { agenda.add(happening, at: goesOn) }
        worker.held.removeAll()
        watchMemory(of: worker)
    }

    private func allowSleep() throws {
        guard isAsleep else { return }
        isSleepAllowed = true
        for worker in workers.values where worker.isReady && worker.lastKill == nil && !worker.isTerminated {
            try expect(worker.frozenSince != nil || !worker.isAlive, "the machine sleeps, and a tree does not")
        }
    }

    // MARK: Workers

    /// What does not wait for the record.
    func hurry(_ action: Action.Urgent) throws {
        switch action {
        case .launch(let handle, let application, let memory):
            note("-> launch \(handle)")
            begin(try make(handle, application, memory))
        case .prepare(let handle, let application, let memory):
            note("-> prepare \(handle)")
            try expect(world.applications[application].isolatesRuns, "a process is made ahead that runs share")
            // What came later in this turn may have ended it already.
            let isWanted = !work.contains(.kill(handle))
            try expect(!isWanted || !isMemoryShort && stops == 0, "a process is made ahead at a bad time")
            let others = workers.values.filter { $0.application == application && $0.isSpare && $0.lastKill == nil }
            try expect(others.allSatisfy { work.contains(.kill($0.handle)) }, "an application has two spare processes")
            _ = try make(handle, application, memory, isSpare: true)
            count.spares += 1
        case .adopt(let handle, let memory): try adopt(handle, memory)
        case .expire, .kill: break
        }
    }

    private func adopt(_ handle: WorkerHandle, _ memory: ByteCount) throws {
        note("-> adopt \(handle)")
        let worker = try living(handle)
        try expect(worker.isSpare, "a run takes a process that is another's")
        worker.adopt(at: now.instant)
        worker.limit = memory
        count.adoptions += 1
        if random.chance(0.1) { feed(.stale(handle)) } else if worker.isAlive { begin(worker) }
    }

    private func make(
        _ handle: WorkerHandle, _ application: ApplicationIndex, _ memory: ByteCount, isSpare: Bool = false
    ) throws -> SimulatedWorker {
        try expect(workers[handle] == nil, "a worker has the slot of another that was not released")
        try expect(givenWorkers.insert(handle).inserted, "a worker has the handle of an earlier one")
        let isolated = world.applications[application].isolatesRuns
        let others = workers.values.filter { $0.application == application && !$0.wasEmptied }
        if isolated {
            let isolatedOnes = workers.values.filter {
                world.applications[$0.application].isolatesRuns && !$0.wasEmptied && !$0.isSpare
            }
            // One more for each application that a user opens.
            let most = world.limits.concurrency + Engine.mostLeaving + world.applications.count
            try expect(isolatedOnes.count < most, "isolated workers pile up")
        } else {
            try expect(others.isEmpty, "an application has two workers")
        }
        count.workers += 1
        let worker = SimulatedWorker(
            handle: handle, application: application, limit: memory, cores: world.limits.cores, isSpare: isSpare,
            at: now.instant)
        workers[handle] = worker
        worker.killTime =
            random.chance(0.02) ? random.span(.milliseconds(1), .seconds(3)) : random.span(.zero, .milliseconds(30))
        if random.chance(world.malice) {
            worker.killsSurvived = random.chance(0.2) ? Int.random(in: 1...5, using: &random) : 0
        }
        if random.chance(0.02) {
            let shortage = Shortage.allCases.randomElement(using: &random) ?? .memory
            agenda.add(.disappearance(handle, shortage), at: soon(.minutes(1)))
        }
        return worker
    }

    /// It maps its library, and is ready then, or does something else.
    private func begin(_ worker: SimulatedWorker) {
        let handle = worker.handle
        let time = soon(.milliseconds(300))
        guard random.chance(world.malice / 2) else { return agenda.add(.ready(handle), at: time) }
        switch Int.random(in: 0..<7, using: &random) {
        case 6:
            // No process was made: the machine lacked something.
            worker.isAlive = false
            worker.isEmpty = true
            worker.wasLost = true
            worker.exit = WorkerExit(signal: 0, status: 0, outOfMemory: false)
            count.losses += 1
            feed(.lacked(handle, Shortage.allCases.randomElement(using: &random) ?? .memory))
            feed(.exited(handle, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
            empty(worker)
        case 0: agenda.add(.ready(handle), at: soon(.seconds(12)))
        case 1: agenda.add(.refusal(handle), at: time)
        case 2: agenda.add(.death(handle, WorkerExit(signal: 11, status: 0, outOfMemory: false)), at: time)
        case 3: agenda.add(.death(handle, WorkerExit(signal: 0, status: 3, outOfMemory: false)), at: time)
        case 4:
            // No process was made.
            worker.isAlive = false
            worker.isEmpty = true
            worker.wasRefused = true
            worker.exit = WorkerExit(signal: 0, status: 0, outOfMemory: false)
            feed(.refused(handle))
            feed(.exited(handle, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
            empty(worker)
        default: break  // It hangs.
        }
    }

    private func tell(_ handle: WorkerHandle, _ state: ApplicationState) throws {
        let worker = try living(handle)
        try expect(worker.isReady, "a worker gets a state before it is ready")
        try expect(worker.frozenSince == nil, "a worker gets a state while it is frozen")
        let isNext: Bool =
            switch (worker.states.last, state) {
            case (nil, .background), (nil, .inactive), (.background, .inactive), (.active, .inactive): true
            case (.inactive, .active), (.inactive, .background): true
            default: false
            }
        try expect(isNext, "\(state) comes after \(worker.states)")
        worker.states.append(state)
        worker.lastUse = now.instant
        worker.told += 1
        if world.applications[worker.application].hasLifecycle { promiseReturn(of: state, worker) }
        if state == .active { worker.wasWarned = false }
        if worker.states == [.inactive, .active] { count.launchesToFront += 1 }
    }

    /// Its callback returns soon, or not in time.
    private func promiseReturn(of state: ApplicationState, _ worker: SimulatedWorker) {
        if state == .background {
            let due = now.instant + world.limits.profile.lifecycleCallback
            worker.pending.append((worker.told, due))
        }
        guard worker.isAlive, !worker.isStuck, !worker.isBlocked else { return }
        worker.isBlocked = random.chance(world.malice / 8)
        // They come one after another.
        worker.callbackEnd = max(worker.callbackEnd, soon(.milliseconds(40)))
        agenda.add(.callback(worker.handle, worker.told), at: worker.callbackEnd)
    }

    private func warn(_ handle: WorkerHandle) throws {
        let worker = try living(handle)
        try expect(worker.runs.isEmpty, "assertions are expired while a run continues")
        try expect(worker.states.last == .background, "assertions are expired in the foreground")
        try expect(worker.assertions > 0, "assertions are expired that no process holds")
        try expect(!worker.wasWarned || worker.assertions > worker.warnedAssertions, "assertions are expired twice")
        worker.wasWarned = true
        worker.warnedAssertions = worker.assertions
        count.assertionsWarned += 1
        guard worker.isAlive, !worker.isStuck, !random.chance(0.5) else { return }
        agenda.add(.assertions(handle, 0), at: now.instant + random.span(.milliseconds(1), .seconds(6)))
    }

    private func terminate(_ handle: WorkerHandle) throws {
        let worker = try living(handle)
        try expect(worker.isReady, "a worker is asked to leave before it is ready")
        try expect(!worker.isTerminated, "a worker is asked to leave twice")
        let isQuit = worker.runs.allSatisfy { runs[$0]?.quitReasons.isEmpty == false }
        try expect(worker.runs.isEmpty || isQuit, "a worker is asked to leave while a run is in it")
        try expect(worker.frozenSince == nil, "a suspended application is notified of its end")
        worker.isTerminated = true
        guard worker.isAlive, !worker.isStuck, !random.chance(world.malice / 2) else { return }
        let signal: Int32 = random.chance(0.1) ? 11 : 0
        agenda.add(
            .death(handle, WorkerExit(signal: signal, status: 0, outOfMemory: false)), at: soon(.milliseconds(200)))
    }

    private func kill(_ handle: WorkerHandle) throws {
        guard let worker = workers[handle] else { return try expect(false, "a worker is killed that is gone") }
        if worker.lastKill == nil && worker.wasWarned && worker.assertions > 0 && worker.runs.isEmpty {
            count.assertionsKilled += 1
        }
        if worker.frozenSince != nil {
            worker.update(to: now.instant)
            worker.frozenSince = nil
            for run in worker.runs { runs[run]?.resume(at: now.instant) }
        }
        worker.isSuspended = false
        worker.lastKill = now.instant
        if worker.exit != nil && worker.isEmpty {
            if !worker.wasEmptied { empty(worker) }
            return
        }
        let gone = now.instant + worker.killTime
        if worker.isAlive {
            agenda.add(.death(handle, WorkerExit(signal: 9, status: 0, outOfMemory: false)), at: gone)
        }
        if worker.killsSurvived > 0 {
            worker.killsSurvived -= 1
            worker.children = max(1, worker.children)
        } else {
            agenda.add(.emptiness(handle), at: gone + .milliseconds(1))
        }
    }

    private func retire(_ handle: WorkerHandle) throws {
        guard let worker = workers[handle] else { return try expect(false, "a worker is retired twice") }
        try expect(worker.wasEmptied, "a worker is retired before its tree is empty")
        try expect(worker.runs.isEmpty, "a worker is retired with a run in it")
        workers[handle] = nil
        engine.release(handle)
    }

    // MARK: Runs

    private func start(_ run: RunHandle, in handle: WorkerHandle) throws {
        let worker = try living(handle)
        guard let known = runs[run] else { return try expect(false, "a run is started after its release") }
        try expect(known.isInserted, "a run is started before it is inserted")
        try expect(known.started == nil, "a run is started twice")
        let application = world.tasks[known.task].application
        try expect(worker.application == application, "a run is started in another application's worker")
        try expect(worker.isReady && !worker.isTerminated, "a run is started on a worker that is not ready")
        try expect(worker.frozenSince == nil, "a run is started in a frozen tree")
        let isDeaf = worker.disconnected.map { $0 < now.instant } ?? false
        try expect(!isDeaf, "a run is started on a worker without its wire")
        let isolated = world.applications[application].isolatesRuns
        try expect(!isolated || worker.starts == 0, "an isolated run is not alone")
        let overtaken = runs.values.contains {
            !isolated && world.tasks[$0.task].application == application && $0.started == nil && !$0.isFinished
                && $0.isInserted && $0.sequence < known.sequence
        }
        try expect(!overtaken, "a run overtakes another of its application")
        try expect(worker.states.last != nil, "a run is started on a worker that does not know its state")
        try inspectMemory(of: run, known, in: worker)
        worker.starts += 1
        worker.lastUse = now.instant
        worker.wasWarned = false
        runs[run]?.worker = handle
        runs[run]?.started = engine.runs[run]?.started?.instant
        runs[run]?.cpuAtStart = worker.cpuTime(at: now.instant)
        // It may have ended in the turn in which it was started.
        guard !known.isFinished else { return }
        if world.resetsPeak && worker.runs.isEmpty { worker.resetPeak(at: now.instant) }
        worker.runs.insert(run)
        worker.begin(run, known.plan.appetite, at: now.instant)
        watchMemory(of: worker)
        guard worker.isAlive, !worker.isStuck else { return }
        if known.plan.sticks { worker.isStuck = true }
        if known.plan.isDeclined {
            worker.sent.append(.declined(handle, run))
            agenda.add(.frames(handle), at: soon(.milliseconds(5)))
        }
        runs[run]?.progressed = now.instant
        if known.plan.pace != nil && world.tasks[known.task].stall != nil {
            agenda.add(.step(handle, run, .advance(1)), at: soon(.seconds(1)))
        }
        if random.chance(0.1) {
            agenda.add(.assertions(handle, UInt32.random(in: 1...3, using: &random)), at: soon(.seconds(10)))
            if Bool.random(using: &random) { agenda.add(.assertions(handle, 0), at: soon(.minutes(2))) }
        }
        guard let (after, step) = known.plan.step else { return }
        agenda.add(.step(handle, run, step), at: now.instant + after)
        if known.plan.repeats {
            agenda.add(.step(handle, run, step), at: now.instant + after + random.span(.milliseconds(1), .seconds(1)))
        }
    }

    private func expire(_ run: RunHandle, in handle: WorkerHandle, _ reason: Reason) throws {
        let worker = try living(handle)
        guard let known = runs[run], let started = known.started else {
            return try expect(false, "a run expires that was not started")
        }
        try expect(known.worker == handle, "a run expires in another's worker")
        try expect(known.expired == nil, "a run expires twice")
        try expect(known.isMarkedExpired, "a run expires unrecorded")
        let rules = world.tasks[known.task]
        switch reason {
        case .budget:
            try expect(now.instant >= earliestWarning(of: known, started, in: handle), "a run is warned too early")
        case .userCancelled: try expect(known.isUnwanted, "no user cancelled the run")
        case .powerLost, .networkLost: try expect(known.losses.contains(reason), "the run lost nothing")
        case .noProgress:
            guard let stall = rules.stall else { return try expect(false, "a run needs no progress") }
            try expect(now.instant >= known.progressed + stall, "a run is said to stall that does not")
        case .diskLow: try expect(wasDiskLow, "the disk has room")
        case .simulated: try expect(known.wasSimulated, "no request simulated the expiration")
        case .hostStopping: try expect(stops > 0, "the host is not stopping")
        default: try expect(false, "no run expires because of \(reason)")
        }
        runs[run]?.expired = (now.instant, reason)
        count.warnings[reason, default: 0] += 1
        guard worker.isAlive, !worker.isStuck, let answer = known.plan.answer else { return }
        agenda.add(.step(handle, run, answer.what), at: now.instant + answer.after)
    }

    /// What earlier runs have left is not charged to this one, or is reported.
    private func inspectMemory(of run: RunHandle, _ known: SimulatedRun, in worker: SimulatedWorker) throws {
        let application = world.applications[worker.application]
        let least = application.tasks.map { world.tasks[$0].memory.bytes }.min() ?? 0
        guard worker.runs.isEmpty, worker.isAlive, worker.left > least / 4 else { return }
        try expect(
            engine.runs[run]?.figures.memoryAtStart != nil, "a run is charged with what others left, unreported")
        count.chargedStarts += 1
    }

    /// A declared budget is never cut: only runs that share deadlines may be warned for a sibling that does so as well and goes
    /// on, or is warned and ended in this turn.
    private func earliestWarning(of known: SimulatedRun, _ started: Instant, in handle: WorkerHandle) -> Instant {
        let rules = world.tasks[known.task]
        let own = started + (rules.wallClock - rules.grace) + known.stood
        guard known.launch != 0, rules.sharesDeadline else { return own }
        return runs.values.reduce(own) { earliest, sibling in
            let others = world.tasks[sibling.task]
            guard sibling.worker == handle, sibling.launch == known.launch, others.sharesDeadline,
                let began = sibling.started
            else { return earliest }
            return min(earliest, began + (others.wallClock - others.grace) + sibling.stood)
        }
    }

    private func reply(_ run: RunHandle) throws {
        guard let known = runs[run] else { return try expect(false, "a run has two replies") }
        try expect(known.isFinished, "a requester gets a reply before the record has the run")
        if let handle = known.worker, let worker = workers[handle] {
            worker.runs.remove(run)
            worker.lastUse = now.instant
            worker.peaks[run] = nil
        }
        runs[run] = nil
        engine.release(run)
        // Some requesters ask again at once.
        if !isClosing && random.chance(0.1) { try submit() }
    }
}
