import Engine
import Scheduling
import TaskModel
import TestSupport

// Users, the machine, and workers.
extension JointHost {
    /// When the next of its sort happens.
    func soon(_ happening: JointHappening) -> Instant {
        let mean: TimeSpan =
            switch happening {
            case .submission: .minutes(120)
            case .person: .minutes(300)
            case .pause: .minutes(16 * 60)
            case .conditions: .minutes(150)
            case .clockJump, .famine: .minutes(3 * 24 * 60)
            default: .minutes(2 * 24 * 60)
            }
        // Some come in bursts.
        if random.chance(0.3) { return now.instant + random.span(.milliseconds(1), .seconds(90)) }
        return now.instant + TimeSpan(nanoseconds: Int64.random(in: 1...mean.nanoseconds * 2, using: &random))
    }

    func take(_ happening: JointHappening) throws {
        switch happening {
        case .submission:
            try submit()
            if random.chance(0.015) { try crowd() }
            agenda.add(happening, at: soon(happening))
        case .request(let task): try submit(task, isUrgent: true)
        case .leaving(let application): feed(.foreground(application: application, false))
        case .person:
            try person()
            agenda.add(happening, at: soon(happening))
        case .pause:
            try changePause()
            agenda.add(happening, at: soon(happening))
        case .change, .conditions:
            changeConditions()
            try setConditions(conditions)
            if case .conditions = happening { agenda.add(happening, at: soon(happening)) }
        case .clockJump:
            jump()
            agenda.add(happening, at: soon(happening))
        case .reload:
            try reload()
            agenda.add(happening, at: soon(happening))
        case .ready(let worker):
            guard workers[worker]?.isKilled == false else { return }
            workers[worker]?.isReady = true
            if random.chance(0.05) { feed(.leavesWhenIdle(worker)) }
            feed(.ready(worker))
        case .refusal(let worker):
            guard workers[worker]?.isKilled == false else { return }
            feed(.refused(worker))
        case .death(let worker, let signal): die(worker, signal: signal)
        case .loss(let worker, let shortage):
            guard workers[worker]?.isGone == false else { return }
            feed(.lacked(worker, shortage))
            die(worker, signal: 9)
        case .famine(let begins):
            famine = begins ? Shortage.allCases.randomElement(using: &random) : nil
            let span =
                begins ? random.span(.seconds(1), .minutes(90)) : random.span(.minutes(60), .minutes(3 * 24 * 60))
            agenda.add(.famine(begins: !begins), at: now.instant + span)
        case .completion(let worker, let run, let success):
            guard let known = workers[worker], known.runs.contains(run), !known.isGone else { return }
            meter(worker)
            if let deferral = deferral(of: run) {
                count.deferrals += 1
                return feed(.deferred(worker, run, deferral))
            }
            feed(.completed(worker, run, success: success, result: nil, automatic: false))
        case .progress(let worker, let run, let step):
            guard let known = workers[worker], known.runs.contains(run), !known.isGone else { return }
            feed(.progressed(worker, run, completed: step))
            // Sooner or later it stalls.
            if !random.chance(0.05) {
                agenda.add(.progress(worker, run, step + 1), at: now.instant + .seconds(20))
            }
        case .assertions(let worker, let count):
            guard let known = workers[worker], known.isReady, !known.isGone else { return }
            feed(.assertions(worker, count: count))
        case .callback(let worker, let states):
            guard let known = workers[worker], known.isReady, !known.isGone, !known.isFrozen else { return }
            feed(.returned(worker, state: states))
        case .transfer(let happening): try take(happening)
        case .claim(let happening): try take(happening)
        }
    }

    /// What its handler asks for instead of a completion. Who has asked once is likely to ask again.
    private func deferral(of run: RunHandle) -> Deferral? {
        let before = runs[run]?.identity.flatMap { running[$0] }?.deferrals ?? 0
        guard random.chance(before > 0 ? 0.93 : 0.05) else { return nil }
        return Deferral(random.span(.seconds(1), random.chance(0.05) ? Deferral.longest : .minutes(5)))
    }

    // MARK: Users

    /// Every application requests work, again and again: the order matters then.
    private func crowd() throws {
        try setConditions(.quiet)
        for wave in 0..<24 {
            for task in world.tasks.indices where world.tasks[task].scheduling.kind != .continuedProcessing {
                let time = now.instant + .seconds(Int64(wave) * 20) + random.span(.milliseconds(1), .seconds(20))
                agenda.add(.request(task: task), at: time)
            }
        }
    }

    private func submit() throws {
        let task = world.tasks.indices.randomElement(using: &random) ?? .first
        try submit(task)
    }

    /// - Parameter isUrgent: it waits for nothing that its request could name.
    private func submit(_ task: TaskIndex, isUrgent: Bool = false) throws {
        guard let identity = world.tasks[task].identities.randomElement(using: &random) else { return }
        let rules = world.tasks[task].scheduling
        var terms = RequestTerms()
        terms.origin = random.chance(0.5) ? .application : .person
        terms.requiresExternalPower = !isUrgent && random.chance(0.2)
        terms.requiresNetwork = !isUrgent && random.chance(0.2)
        terms.strategy = random.chance(0.5) ? .queue : .fail
        if !isUrgent, random.chance(0.5) {
            terms.earliestBeginDate = now.time.advanced(by: random.span(.seconds(1), .minutes(7 * 24 * 60)))
        }
        let request = TaskRequest(
            identity: identity, kind: rules.kind, terms: terms, submitted: now.time)
        let isInFront = [.active, .inactive].contains(engine.state(of: rules.application))
        let isFull: Bool = {
            guard rules.kind == .processing || rules.kind == .healthResearch else { return false }
            return pendingProcessings(of: rules.application, but: identity) >= world.limits.pendingProcessings
        }()
        do throws(SubmissionFault) {
            _ = try scheduler.submit(request, of: task, at: now)
        } catch {
            try expect(decisions.isEmpty, "a refused submission has consequences")
            count.refusals += 1
            let isTrue: Bool =
                switch error.code {
                case .unavailable: rules.kind == .appRefresh
                case .tooManyPendingTaskRequests: rules.kind != .processing && rules.kind != .healthResearch || isFull
                case .notPermitted: world.tasks[task].isRemoved || rules.kind == .continuedProcessing && !isInFront
                case .immediateRunIneligible: rules.kind == .continuedProcessing && terms.strategy == .fail
                }
            return try expect(isTrue, "a submission is refused: \(error.sentence)")
        }
        count.submissions += 1
        if pending[identity]?.request.terms.origin == .schedule { skipped.insert(identity) }
        try expect(!world.tasks[task].isRemoved && !isFull, "a submission is taken that must not be")
        try expect(rules.kind != .continuedProcessing || isInFront, "continued work is taken from the background")
        try settle(.submission(request))
    }

    private func pendingProcessings(of application: ApplicationIndex, but identity: Int64) -> Int {
        pending.values.count {
            let rules = world.tasks[$0.task].scheduling
            return rules.application == application && [.processing, .healthResearch].contains(rules.kind)
                && $0.request.identity != identity && $0.request.terms.origin != .schedule
        }
    }

    private func person() throws {
        let application = world.applications.indices.randomElement(using: &random) ?? .first
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2:
            opens(application)
            scheduler.open(application: application, at: now)
            try settle(.time)
            feed(.foreground(application: application, true))
            // In front, it has things to continue.
            for task in world.applications[application].tasks
            where world.tasks[task].scheduling.kind == .continuedProcessing {
                agenda.add(.request(task: task), at: now.instant + .seconds(1))
            }
            agenda.add(.leaving(application: application), at: now.instant + random.span(.seconds(10), .minutes(30)))
        case 3, 4: feed(.foreground(application: application, false))
        case 5:
            outside.isLaunched.insert(application)
            feed(.wake(application: application))
        case 6: try quit(application)
        case 7:
            let denied = Bool.random(using: &random)
            scheduler.setRefreshDenied(denied, application: application, at: now)
            try settle(.time)
        case 8:
            scheduler.liftQuarantine(application: application, at: now)
            try settle(.time)
        case 9:
            guard let identity = pending.keys.sorted().randomElement(using: &random) else { return }
            if random.chance(0.5) {
                skipped.insert(identity)
                outside.isLaunched.insert(world.tasks[world.task(of: identity)].scheduling.application)
                let isThere = pending[identity].map { !world.tasks[$0.task].isRemoved } ?? false
                pending[identity]?.isForced = isThere
                let found = scheduler.simulateLaunch(identity: identity, at: now)
                try expect(found == isThere, "a launch by simulation of a task that is \(isThere ? "there" : "gone")")
                return try settle(.time)
            }
            try takeBack(identity)
        case 10:
            guard let run = runs.keys.sorted(by: { $0.index < $1.index }).randomElement(using: &random) else { return }
            feed(Bool.random(using: &random) ? .cancelled(run) : .simulatedExpiration(run))
        default: try force()
        }
    }

    /// A request is cancelled; of a schedule a time is left out, for that alone moves it.
    private func takeBack(_ identity: Int64) throws {
        let before = pending[identity]?.request
        let isTime = scheduler.isScheduledTime(identity: identity)
        try expect(
            !isTime || before?.terms.origin == .schedule && before?.attempt == 1, "no schedule waits for this time")
        let found = scheduler.cancel(identity: identity, at: now)
        try expect(found != isTime, "cancelled \(found), and it is a time of a schedule \(isTime)")
        guard isTime else { return try settle(.cancellation([identity])) }
        try expect(decisions.isEmpty, "a cancel moves a schedule")
        guard random.chance(0.5) else { return }
        skipped.insert(identity)
        let time = scheduler.skip(identity: identity, at: now)
        try expect(time == before?.scheduledFor, "another time is left out")
        try settle(.cancellation([identity]))
    }

    func opens(_ application: ApplicationIndex) {
        outside.isQuit.remove(application)
        outside.quitForGood.remove(application)
        effects.append(.opened(application))
    }

    private func quit(_ application: ApplicationIndex) throws {
        var continued: Set<Int64> = []
        for (identity, known) in pending where isOf(known, application) && known.request.kind == .continuedProcessing {
            continued.insert(identity)
        }
        for (identity, known) in running where isOf(known, application) { running[identity]?.isDoomed = true }
        scheduler.quit(application: application, at: now)
        try settle(.cancellation(continued))
        try quitTransfers(of: application)
        feed(.terminateApplication(application: application, .userCancelled))
        try expect(engine.state(of: application) == .notRunning, "an application that was quit runs")
    }

    private func isOf(_ known: JointRequest, _ application: ApplicationIndex) -> Bool {
        world.tasks[known.task].scheduling.application == application
    }

    /// A user's run of a task, whatever the gates say: no request.
    private func force() throws {
        let task = world.tasks.indices.randomElement(using: &random) ?? .first
        outside.isLaunched.insert(world.tasks[task].scheduling.application)
        let first = actions.count
        feed(.submitted(Submission(task: task, id: nextID(), requester: 1)))
        guard actions.count > first, case .write(.insert(let run)) = actions[first] else {
            return try expect(false, "a submission is not inserted")
        }
        runs[run] = makeRun(of: task, identity: nil)
    }

    /// The application's manifest or library has another form.
    private func renew(_ application: ApplicationIndex) throws {
        if !world.applications[application].isolatesRuns {
            for worker in workers.values where worker.application == application { worker.isOutdated = true }
            for case .urgent(.launch(let worker, application, _)) in held.flatMap(\.actions) + actions {
                outdatedLaunches[worker] = application
            }
        }
        feed(.renewed(application: application))
        try tellRenewals()
    }

    private func reload() throws {
        let task = world.tasks.indices.randomElement(using: &random) ?? .first
        try renew(world.tasks[task].scheduling.application)
        if random.chance(0.5) {
            world.tasks[task].isRemoved.toggle()
            note("task \(task) \(world.tasks[task].isRemoved ? "goes" : "comes back")")
            scheduler.setRemoved(world.tasks[task].isRemoved, task: task, at: now)
        } else {
            JointWorld.vary(&world.tasks[task].scheduling, using: &random)
            world.tasks[task].scheduling.schedule = Bool.random(using: &random) ? world.tasks[task].schedule : nil
            if world.tasks[task].engine.stall == nil {
                world.tasks[task].engine.wallClock = random.span(.seconds(1), .minutes(5))
                world.tasks[task].engine.grace = Budget.defaultGrace(for: world.tasks[task].engine.wallClock)
            }
            for (run, known) in runs where known.task == task && known.started == nil {
                runs[run]?.budget = max(known.budget, world.tasks[task].engine.wallClock)
            }
            note("task \(task) is \(world.tasks[task].scheduling)")
            engine.setRules(world.tasks[task].engine, of: task)
            scheduler.setRules(world.tasks[task].scheduling, of: task, at: now)
        }
        done.removeAll()
        try settle(.reload)
    }

    // MARK: The machine

    private func setConditions(_ new: DeviceConditions) throws {
        conditions = new
        note("conditions \(conditions)")
        scheduler.setConditions(conditions, at: now)
        try settle(.time)
        try tellConditions()
    }

    func changeConditions() {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<11, using: &random) {
            case 0, 1: conditions.externalPower = random.chance(0.1) ? .unknown : Tristate(random.chance(0.6))
            case 2: conditions.batteryLevel = random.chance(0.2) ? nil : UInt8.random(in: 0...100, using: &random)
            case 3: conditions.lowPowerMode = Tristate(random.chance(0.3))
            case 4: conditions.network = NetworkAccess.allCases.randomElement(using: &random) ?? .ok
            case 5: conditions.userActive = Tristate(random.chance(0.4))
            case 6: conditions.cpuPressure = Tristate(random.chance(0.2))
            case 7: conditions.memoryPressure = Tristate(random.chance(0.2))
            case 8: conditions.thermal = ThermalState.allCases.randomElement(using: &random) ?? .nominal
            case 9: conditions.freeSpace = random.chance(0.5) ? .max : UInt64.random(in: 0...5, using: &random) << 28
            default:
                conditions.backgroundRefresh = Tristate(random.chance(0.7))
                conditions.unlocked = Tristate(random.chance(0.8))
            }
        }
    }

    private func isPace(_ identity: Int64) -> Bool {
        world.tasks[world.task(of: identity)].scheduling.schedule.map { world.schedules[$0].isPace } ?? false
    }

    /// The calendar is set, forwards or backwards; the host learns about it.
    private func jump() {
        let span = random.span(.seconds(1), .minutes(3 * 24 * 60))
        let isBack = Bool.random(using: &random)
        now.time = now.time.advanced(by: isBack ? TimeSpan(nanoseconds: -span.nanoseconds) : span)
        note("the clock jumps \(isBack ? "back" : "forward") by \(span)")
        if isBack {
            setBack = setBack + span
            // Set back far enough, a schedule's times come once more.
            if setBack >= .seconds(3 * 3600) {
                setBack = .zero
                done.removeAll()
            }
            // A pace continues, through the same hours.
            done = done.filter { !isPace($0.identity) }
        }
    }
}
