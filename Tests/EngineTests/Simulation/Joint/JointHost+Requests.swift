import Engine
import Record
import Scheduling
import TaskModel

// What the scheduler decides, and whether it may.
extension JointHost {
    /// Works off the decisions that a call to the scheduler has made.
    func settle(_ cause: JointCause) throws {
        let list = decisions
        scheduler.removeDecisions()
        var isSettled = false
        for decision in list {
            note("=> \(decision)")
            switch decision {
            case .remember(let handle): isSettled = try remember(handle, cause) || isSettled
            case .forget(let identity, let submitted):
                requestWrites.append(.requestForgotten(identity: identity, submitted: submitted))
                isSettled = try forget(identity, submitted, cause) || isSettled
            case .start(let handle, let launch): try start(handle, launch)
            case .expire(let handle, let reason): try expire(handle, reason)
            case .terminate(let application, let reason):
                feed(.terminateApplication(application: application, reason))
            case .rememberApplication(let application):
                requestWrites.append(
                    .application(row: Int64(application.number) + 1, scheduler.memory(of: application)))
            case .pauseEnded(let part): try endPause(part)
            case .starved(let handle):
                let tally = scheduler.request(handle)?.shortage
                try expect(tally?.isLasting == true, "a shortage is reported that does not last")
                count.starved += 1
            case .quarantined(let application, _):
                let crashes = scheduler.memory(of: application).crashes
                try expect(crashes >= world.limits.crashesAllowed, "quarantine after \(crashes) crashes")
            }
        }
        if case .end(let request, let outcome, let reason) = cause {
            try expect(isSettled, "the request \(request.request.identity) is lost after \(outcome) \(reason as Any)")
        }
    }

    /// Whether this settles the request whose run has ended.
    private func remember(_ handle: RequestHandle, _ cause: JointCause) throws -> Bool {
        // A later decision of the same call may have continued it.
        guard let view = scheduler.request(handle) else { return false }
        let request = view.request
        // A host that starts again does not lack what this one lacked.
        var stored = request
        if view.shortage != nil { stored.notBefore = nil }
        requestWrites.append(.requestPut(stored))
        let identity = request.identity
        if var known = pending[identity], known.request.submitted == request.submitted {
            try expect(known.request.attempt == request.attempt, "the attempt of a waiting request changes")
            known.request = request
            known.handle = handle
            switch cause {
            case .submission(let submission) where submission.identity == identity:
                known.pauseEnd = paceEnd(of: request)
            case .end(let ended, _, _) where ended.request.identity == identity:
                known.pauseEnd = max(known.pauseEnd, paceEnd(of: request))
            default: break
            }
            pending[identity] = known
            return false
        }
        switch cause {
        case .end(var ended, let outcome, let reason)
        where ended.request.identity == identity && ended.request.submitted == request.submitted:
            try expect(pending[identity] == nil, "two requests of one identity wait")
            let sequel = expectedSequel(of: ended, outcome, reason)
            try expect(
                sequel != nil && sequel?.attempt == request.attempt,
                "after \(outcome) \(reason as Any) in attempt \(ended.request.attempt) comes \(request.attempt)")
            ended.request = request
            ended.handle = handle
            ended.run = nil
            ended.isForced = false
            ended.lost = nil
            ended.needsForeground = request.kind == .continuedProcessing
            ended.deferrals = ended.deferral == nil ? 0 : ended.deferrals + 1
            count.longestRow = max(count.longestRow, ended.deferrals)
            try expect(view.request.deferrals == ended.deferrals, "\(view.request.deferrals) deferrals are remembered")
            if let pause = sequel?.pause {
                ended.failures += ended.tally == nil && ended.deferral == nil ? 1 : 0
                ended.pauseEnd = now.instant + pause
            }
            try expect(
                view.request.failures == ended.failures,
                "\(view.request.failures) failures are remembered of \(ended.failures)")
            pending[identity] = ended
            count.retries += 1
            return true
        case .submission(let submission) where submission.identity == identity && request.terms.origin != .schedule:
            pending[identity] = JointRequest(request: request, task: view.task, handle: handle)
            pending[identity]?.pauseEnd = paceEnd(of: request)
        default:
            let task = world.tasks[view.task]
            try expect(request.terms.origin == .schedule, "a request comes from nowhere")
            try expect(task.scheduling.schedule != nil && !task.isRemoved, "a schedule that is gone submits")
            try expect(pending[identity] == nil, "two requests of one identity wait")
            try expect(request.scheduledFor != nil && request.attempt == 1, "a schedule's request has no time")
            pending[identity] = JointRequest(request: request, task: view.task, handle: handle)
            // A clock that was set back may show the very time again at which an earlier one was made.
            acknowledged.remove(Submitted(request))
            count.scheduled += 1
        }
        return false
    }

    /// When a request of an application may start, by its identity's last run.
    private func paceEnd(of request: TaskRequest) -> Instant {
        let none = Instant(nanoseconds: 0)
        guard request.terms.origin == .application, request.kind != .continuedProcessing else { return none }
        let isRunning = inProgress(request.identity) > 0
        guard let end = isRunning ? now.instant + world.limits.pace : paceEnds[request.identity] else { return none }
        let rest = end - now.instant
        let date = request.terms.earliestBeginDate?.nanoseconds ?? .min
        guard rest > .zero, date < now.time.nanoseconds + rest.nanoseconds else { return none }
        return end
    }

    /// Whether this settles the request whose run has ended.
    private func forget(_ identity: Int64, _ submitted: Timestamp, _ cause: JointCause) throws -> Bool {
        if let known = pending[identity], known.request.submitted == submitted {
            let isJust: Bool =
                switch cause {
                case .cancellation(let identities): identities.contains(identity)
                // A try that comes before the schedule's next time takes its place; a manifest may lose its schedule.
                case .end(let ended, _, _):
                    ended.request.identity == identity && known.request.terms.origin == .schedule
                case .reload:
                    known.request.terms.origin == .schedule
                        && world.tasks[known.task].scheduling.schedule == nil
                default: false
                }
            try expect(isJust, "a waiting request is forgotten")
            pending[identity] = nil
            return false
        }
        guard case .end(let ended, let outcome, let reason) = cause, ended.request.identity == identity,
            ended.request.submitted == submitted
        else {
            try expect(false, "an unknown request is forgotten")
            return false
        }
        // Another try is owed, unless the identity has been submitted again meanwhile.
        let isOwed = expectedSequel(of: ended, outcome, reason) != nil && pending[identity] == nil
        if ended.isOvertaken {
            // A later run has its tries.
        } else if ended.tally != nil, pending[identity]?.isForced == false {
            // What is tried instead lacks the same.
            pending[identity]?.tally = ended.tally
            let end = now.instant + (ended.tally?.pause ?? .zero)
            // It may wait longer already, for the pace.
            let own = pending[identity]?.pauseEnd ?? end
            pending[identity]?.pauseEnd = max(own, end)
        } else if ended.tally != nil {
            pending[identity]?.tally = ended.tally
        }
        try expect(!isOwed, "a request is forgotten after \(outcome) \(reason as Any), and has a try left")
        return true
    }

    /// The attempt that follows, and the pause before it if it was a failure; nil: none.
    private func expectedSequel(
        of ended: JointRequest, _ outcome: Outcome, _ reason: Reason?
    ) -> (attempt: UInt32, pause: TimeSpan?)? {
        let attempt = ended.request.attempt
        if ended.isDoomed || ended.isOvertaken { return nil }
        if let deferral = ended.deferral {
            let rules = world.tasks[ended.task].scheduling
            let least = Self.leastDeferral(ended.deferrals + 1, rules, world.limits)
            return (attempt, max(deferral.pause, least))
        }
        if let tally = ended.tally { return (attempt + (ended.hasBegun ? 1 : 0), tally.pause) }
        switch outcome {
        case .refused where ended.isHung: break
        case .succeeded, .cancelled, .refused: return nil
        case .interrupted: return reason == .userCancelled ? nil : (attempt + 1, nil)
        default: break
        }
        if reason == .userCancelled { return nil }
        if reason == .hostStopping { return (attempt + 1, nil) }
        let gaveWay = [.expired, .failed, .unreported].contains(outcome)
        if gaveWay, let reason,
            [.powerLost, .networkLost, .userActive, .memoryPressure, .thermal, .diskLow].contains(reason)
        {
            return (attempt, nil)
        }
        let rules = world.tasks[ended.task].scheduling
        guard ended.failures + 1 < rules.attempts else { return nil }
        let doubled = rules.backoff.nanoseconds << Int64(min(ended.failures, 20))
        return (attempt + 1, min(TimeSpan(nanoseconds: doubled), world.limits.longestBackoff))
    }

    /// From the tenth in a row on, deferrals wait as failures do.
    private static func leastDeferral(
        _ row: UInt8, _ rules: TaskSchedulingRules, _ limits: SchedulerLimits
    ) -> TimeSpan {
        guard row >= 10 else { return .zero }
        return min(TimeSpan(nanoseconds: rules.backoff.nanoseconds << Int64(min(row - 10, 20))), limits.longestBackoff)
    }

    private func start(_ handle: RequestHandle, _ launch: UInt32) throws {
        guard let view = scheduler.request(handle), var known = pending[view.request.identity] else {
            return try expect(false, "an unknown request is started")
        }
        let identity = view.request.identity
        try expect(known.request.submitted == view.request.submitted, "a request is started that was replaced")
        try expect(!isStopping, "a request is started by a host that stops")
        try expect(mayOverlap(known), "two runs of one identity continue")
        if inProgress(identity) > 0 { count.beside += 1 }
        count.mostBeside = max(count.mostBeside, inProgress(identity))
        let application = world.tasks[known.task].scheduling.application
        try expect(!isOutdated(application), "\(identity) is started while an earlier revision continues")
        if known.isForced {
            try expect(!world.tasks[known.task].isRemoved, "a task is forced that no manifest has")
            count.forced += 1
        } else {
            let gates = holds(known)
            try expect(gates.isEmpty, "\(identity) is started against \(gates.names)")
            try judgeOrder(known)
        }
        if let time = known.request.scheduledFor, known.request.terms.origin == .schedule, !known.isForced {
            // What a user did between two readings of a clock that was set back a little may bring it again.
            let mayRepeat = setBack > .zero && skipped.contains(identity)
            let isNew = mayRepeat || !done.contains(DoneTime(identity: identity, time: time))
            try expect(isNew, "the time \(time.iso8601) of a schedule comes twice")
        }
        pending[identity] = nil
        known.handle = handle
        let first = actions.count
        let task = known.task
        let id = nextID()
        requestWrites.append(.requestRunning(identity: identity, submitted: known.request.submitted, run: id))
        feed(
            .submitted(
                Submission(
                    task: task, id: id,
                    attempt: known.request.attempt, requester: 0, launch: launch, hasRequest: true)))
        guard actions.count > first, case .write(.insert(let run)) = actions[first] else {
            return try expect(false, "a start is not inserted")
        }
        known.run = run
        known.hasStarted = true
        known.began = now.time
        if var older = running[identity], let run = older.run {
            older.isOvertaken = true
            overtaken[run] = older
        }
        running[identity] = known
        runs[run] = makeRun(of: task, identity: identity)
        count.starts += 1
    }

    private func expire(_ handle: RequestHandle, _ reason: Reason) throws {
        guard let identity = scheduler.request(handle)?.request.identity,
            let known = overtaken.values.first(where: { $0.handle == handle }) ?? running[identity],
            let run = known.run, known.handle == handle
        else { return try expect(false, "a request is expired that does not run") }
        try expect(known.lost == nil && !known.isForced, "a run is expired twice, or in spite of the user's wish")
        let isTrue: Bool =
            switch reason {
            case .powerLost: conditions.externalPower == .no
            case .networkLost: conditions.network < .ok
            case .userActive: conditions.userActive == .yes && known.request.kind != .appRefresh
            case .memoryPressure: conditions.memoryPressure == .yes
            case .thermal: conditions.thermal == .critical
            default: false
            }
        try expect(isTrue && known.request.kind != .continuedProcessing, "a run is expired for \(reason)")
        if known.isOvertaken { overtaken[run]?.lost = reason } else { running[identity]?.lost = reason }
        count.expirations += 1
        feed(.expired(run, reason))
    }

    /// The engine has ended a run.
    func finish(_ run: RunHandle) throws {
        guard let known = runs[run], let slot = engine.runs[run], let outcome = slot.outcome else {
            return try expect(false, "an unknown run finishes")
        }
        try expect(!known.isFinished, "a run has two outcomes")
        runs[run]?.isFinished = true
        count.outcomes[outcome, default: 0] += 1
        if let started = known.started {
            // An application that is quit has the time of `willTerminate`, and its run too.
            let longest = known.budget + (outcome == .cancelled ? .seconds(6) : .seconds(1))
            try expect(
                known.budget.nanoseconds == .max || now.instant - started <= longest,
                "a run had more time than its budget")
        }
        let application = world.tasks[known.task].engine.application
        guard let identity = known.identity else {
            if outcome.row.health == .crash || slot.isHung {
                scheduler.crashed(application: application, at: now)
            }
            scheduler.charge(
                application: application, cpuTime: slot.figures.cpuTime ?? .zero, at: now)
            return try settle(.time)
        }
        guard var ended = overtaken.removeValue(forKey: run) ?? running.removeValue(forKey: identity), ended.run == run
        else {
            return try expect(false, "a run ends whose request is not running")
        }
        // What a user forced ran before its time, which is still to come.
        if outcome == .succeeded, let time = ended.request.scheduledFor, time <= now.time,
            ended.request.terms.origin == .schedule
        {
            done.insert(DoneTime(identity: identity, time: time))
        }
        if world.tasks[ended.task].scheduling.identity == identity {
            paceEnds[identity] = now.instant + world.limits.pace
        }
        ended.note(slot, at: now)
        noteClaim(identity, outcome)
        if slot.shortage != nil { count.returns += 1 }
        scheduler.ended(
            ended.handle,
            RequestEnd(
                outcome: outcome, reason: slot.reason, cpuTime: slot.figures.cpuTime, shortage: slot.shortage,
                hasStarted: slot.started != nil, isHung: slot.isHung, deferral: slot.deferral), at: now)
        try settle(.end(ended, outcome, slot.reason))
        let left = [pending[identity], running[identity]].compactMap { $0?.request.submitted }
        if !left.contains(ended.request.submitted) { runs[run]?.done = Submitted(ended.request) }
    }
}
