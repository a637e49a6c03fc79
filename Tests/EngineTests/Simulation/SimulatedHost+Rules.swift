import Engine
import TaskModel

// The rules that hold after every turn, and for every outcome.
extension SimulatedHost {
    func inspect() throws {
        try inspectEngine()
        var occupied = 0
        var waiting = 0
        for (run, known) in runs where !known.isFinished {
            guard let slot = engine.runs[run] else { return try expect(false, "the engine forgot a run") }
            switch slot.phase {
            case .pending:
                waiting += 1
                try inspectWaiting(known)
            case .launching, .ending: occupied += 1
            case .running, .expiring:
                occupied += 1
                try inspectRunning(known, slot)
            case .ended: continue
            }
        }
        try expect(occupied == engine.occupied, "occupied is \(engine.occupied) with \(occupied) runs")
        try expect(waiting == engine.waiting, "waiting is \(engine.waiting) with \(waiting) runs")
        try expect(engine.occupied <= world.limits.concurrency, "more runs at once than the limit")
        for worker in workers.values {
            guard let kill = worker.lastKill, !worker.wasEmptied else { continue }
            try expect(now.instant < kill + .milliseconds(20), "a kill is not repeated")
        }
        try inspectApplications()
    }

    /// An application in front is kept, one in the background has its background time, and their states are true.
    private func inspectApplications() throws {
        guard actions.isEmpty else { return }
        while let change = engine.takeStateChange() {
            let state = engine.state(of: change.application)
            try expect(state == change.state || state == .suspended, "\(change) is reported, and it is \(state)")
        }
        let suspended = workers.values.count { $0.isSuspended }
        try expect(suspended <= world.limits.profile.suspendedApplications, "too many applications are suspended")
        try expect(suspended == 0 || !isMemoryShort, "an application is suspended while memory is short")
        for application in world.applications.indices {
            let state = engine.state(of: application)
            let living = workers.values.filter {
                $0.application == application && !$0.isTerminated && $0.lastKill == nil && !$0.isSpare
            }
            try expect((state == .notRunning) == living.isEmpty, "an application without workers is \(state)")
            let active = living.filter { $0.states.last == .active }
            try expect(
                (state == .active) == !active.isEmpty, "an application is \(state) with \(active.count) in front")
            try expect(state != .active || inFront.contains(application), "an application came to the front")
        }
        let profile = world.limits.profile
        // One that is begun by an idle worker, after its background time, still has its warning.
        let kept = max(profile.idleWorker, profile.suspendAfter)
        let spans = [profile.backgroundTime, profile.assertionWarning, kept, world.lateness]
        let longest = spans.reduce(profile.assertionWarning, +)
        for worker in workers.values where worker.isReady && worker.lastKill == nil && !worker.isTerminated {
            try expect(worker.states.last != .inactive, "an application stays inactive")
            guard worker.frozenSince == nil else { continue }
            if let due = worker.sessionsDue {
                try expect(now.instant < due || worker.exit != nil, "events of sessions are handled for ever")
                continue
            }
            if let call = worker.pending.first {
                try expect(now.instant < call.due || worker.exit != nil, "didEnterBackground blocks for ever")
            }
            guard worker.runs.isEmpty, worker.states.last == .background, worker.assertions > 0 else { continue }
            try expect(now.instant <= worker.lastUse + longest, "assertions are held for ever")
        }
    }

    /// A run that could start does not wait.
    private func inspectWaiting(_ known: SimulatedRun) throws {
        guard actions.isEmpty, !isAsleep, engine.occupied < world.limits.concurrency else { return }
        let application = world.tasks[known.task].application
        if engine.shortage(of: application) != nil {
            let end = engine.holdEnd(of: application)
            try expect(now.instant < end && end < .distantFuture, "a run waits for something without an end")
            return
        }
        if world.applications[application].isolatesRuns {
            let isolated = workers.values.filter { world.applications[$0.application].isolatesRuns && !$0.isSpare }
            try expect(
                isolated.count >= world.limits.concurrency + Engine.mostLeaving, "an isolated run waits for nothing")
        } else {
            let isBlocked = workers.values.contains {
                $0.application == application && ($0.isTerminated || $0.lastKill != nil || $0.disconnected != nil)
            }
            try expect(isBlocked, "a run waits for nothing")
        }
    }

    /// A run that continues has time left, unless its worker is being killed.
    private func inspectRunning(_ known: SimulatedRun, _ slot: RunSlot) throws {
        guard let handle = known.worker, let worker = workers[handle], worker.lastKill == nil,
            !actions.contains(.kill(handle)), worker.frozenSince == nil,
            let started = known.started.map({ $0 + known.stood })
        else { return }
        let rules = world.tasks[known.task]
        try expect(now.instant < started + rules.wallClock, "a run continues after its budget")
        if let expired = known.expired {
            try expect(now.instant < expired.at + rules.grace, "a run continues after its grace")
        } else {
            try expect(now.instant < started + (rules.wallClock - rules.grace), "a run is not warned in time")
        }
    }

    /// Whether the run's outcome is what really happened.
    func judge(_ run: RunHandle) throws {
        guard let known = runs[run], let slot = engine.runs[run], let outcome = slot.outcome else {
            return try expect(false, "a run finishes without an outcome")
        }
        open.remove(slot.sequence)
        count.outcomes[outcome, default: 0] += 1
        let rules = world.tasks[known.task]
        let worker = known.worker.flatMap { workers[$0] }
        // No run ends because of a process that was made ahead for it.
        let family = workers.values.filter { $0.application == rules.application && !$0.isSpare }
        try expect(slot.phase == .ended && slot.ended == now.time, "a run that finishes has not ended")
        try expect((slot.figures.wallTime != nil) == (slot.started != nil), "the wall time is wrong")
        try expect((slot.expired != nil) == known.isMarkedExpired, "the warning is not in the record")
        try judgeTime(known, slot, rules)
        let truth: Bool =
            switch outcome {
            case .succeeded: known.completion?.success == true && slot.expired == nil
            case .deferred:
                known.deferral != nil && slot.deferral == known.deferral && slot.reason != .userCancelled
            case .failed where known.deferral != nil: false
            case .expired where known.deferral != nil: false
            case .failed: known.completion.map { !$0.success || $0.automatic } ?? false
            case .expired: known.completion != nil && slot.expired != nil && slot.reason != .userCancelled
            case .cancelled: known.isUnwanted && slot.reason == .userCancelled
            case .unreported: known.wasForgotten
            case .refused: known.wasDeclined || wasRefused(slot, family)
            case .overran: slot.expired != nil && slot.reason != .hostStopping && slot.reason != .userCancelled
            case .exceededCPU: hasBurnt(known, worker, rules)
            case .exceededMemory: hasEaten(run, worker, rules)
            case .exceededDisk: known.wasTooHeavy || refused.contains(rules.application)
            case .crashed: family.contains { $0.wasViolated || $0.exit.map { $0.signal != 0 } ?? false }
            case .exited: family.contains { $0.exit?.signal == 0 || isOverdue($0) }
            case .interrupted where slot.shortage != nil && slot.reason != .hostStopping:
                known.hasRequest ? true : family.contains(where: \.wasLost)
            case .interrupted:
                slot.reason == .hostStopping
                    ? stops > 0
                    : slot.reason.map { known.losses.contains($0) && slot.started == nil } ?? false
                        || slot.reason.map { known.quitReasons.contains($0) } ?? false
                        || slot.reason == .diskLow && wasDiskLow
                        || slot.reason == .applicationTerminated
                            && family.contains { $0.lastKill != nil || $0.exit != nil }
            }
        try expect(truth, "the outcome \(outcome) because of \(slot.reason as Any) is not what happened")
    }

    /// No budget is exceeded by more than the host's lateness and the time that the kernel takes to kill.
    private func judgeTime(_ known: SimulatedRun, _ slot: RunSlot, _ rules: TaskRules) throws {
        guard let started = slot.started, let wallTime = slot.figures.wallTime else { return }
        let stood = known.stood + (known.pausedAt.map { now.instant - $0 } ?? .zero)
        try expect(slot.frozenTime == stood, "it stood still for \(stood.seconds) s, not \(slot.frozenTime.seconds)")
        try expect(wallTime == now.instant - started.instant - stood, "the wall time is wrong")
        guard let killed = slot.killed else {
            // Its siblings' kill may have taken the kernel some time.
            if slot.reason == .applicationTerminated || known.worker.flatMap({ workers[$0]?.lastKill }) != nil {
                return
            }
            return try expect(
                wallTime.nanoseconds <= rules.wallClock.nanoseconds + world.lateness.nanoseconds,
                "a run had more time than its budget")
        }
        try expect(
            killed.nanoseconds - started.time.nanoseconds - stood.nanoseconds
                <= rules.wallClock.nanoseconds + world.lateness.nanoseconds, "a run was killed after its budget")
    }

    private func hasEaten(_ run: RunHandle, _ worker: SimulatedWorker?, _ rules: TaskRules) -> Bool {
        guard let worker else { return false }
        if worker.peaks[run] ?? 0 >= rules.memory.bytes { return true }
        // The kernel killed for a smaller budget whose run has left since then.
        guard let limit = worker.limitAtDeath, worker.exit?.outOfMemory == true || worker.isStarved else {
            return false
        }
        return limit < rules.memory
    }

    /// It lives on without its wire for longer than it may take to end.
    private func isOverdue(_ worker: SimulatedWorker) -> Bool {
        worker.disconnected.map { now.instant >= $0 + .milliseconds(200) } ?? false
    }

    /// Its worker said so, or its library kept it from being ready in time.
    private func wasRefused(_ slot: RunSlot, _ family: [SimulatedWorker]) -> Bool {
        guard slot.started == nil, slot.launched != nil else { return false }
        if family.contains(where: \.wasRefused) { return true }
        return slot.isHung && family.contains { $0.hung && now.instant >= $0.born + world.limits.profile.launch }
    }

    private func hasBurnt(_ known: SimulatedRun, _ worker: SimulatedWorker?, _ rules: TaskRules) -> Bool {
        guard let worker else { return false }
        // What it burnt while its end was on its way counts as well.
        let used = worker.cpuTime(at: now.instant) - known.cpuAtStart
        let profile = world.limits.profile
        if let budget = rules.cpuTime, used > budget { return true }
        return rules.isMonitored && used.seconds > profile.cpuMonitorWindow.seconds * profile.cpuMonitorShare
    }
}
