import TaskModel

// Workers without runs: in the foreground, held up by assertions, or idle.
extension Engine {
    /// A worker that became idle is swept after this; runs that follow at once never pay for it.
    private static let settle = TimeSpan.milliseconds(50)
    /// Then its CPU time is watched for this long, and may not grow by more than `idleAllowance`.
    private static let watch = TimeSpan.seconds(1)
    private static let idleAllowance = TimeSpan.milliseconds(100)

    /// A run has left the worker: start what waits, or let it rest.
    mutating func leaveWorker(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        weighIfHeavy(worker, into: &actions)
        placeWaiting(at: now, into: &actions)
        guard workers[Int(worker)].runs == 0, workers[Int(worker)].phase == .ready else { return }
        rest(worker, at: now, into: &actions)
    }

    /// What becomes of a ready worker without runs.
    mutating func rest(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        let slot = Int(worker)
        idle.remove(worker)
        if stopRequests > 0 || workers[slot].isOutdated { return terminate(worker, at: now, into: &actions) }
        if isInFront(worker) {
            workers[slot].idleStep = .kept
            if workers[slot].disconnectedUntil == nil { workerDeadlines.remove(worker) }
            return
        }
        if workers[slot].backgroundSince == nil { workers[slot].backgroundSince = now.instant }
        if workers[slot].assertions > 0 { return hold(worker) }
        if applications[Int(workers[slot].application)].isolatesRuns {
            return terminate(worker, at: now, into: &actions)
        }
        weighIfHeavy(worker, into: &actions)
        workers[slot].idleStep = .settling
        workers[slot].idleSince = now.instant
        setIdleDeadline(of: worker, to: now.instant + min(Self.settle, limits.profile.idleWorker))
        idle.set(worker, to: nextIdle)
        nextIdle += 1
        letGo(idle.count - limits.idleWorkers, at: now, into: &actions)
    }

    /// The end of a worker without a wire stands above what is planned for an idle one.
    private mutating func setIdleDeadline(of worker: UInt32, to time: Instant) {
        if workers[Int(worker)].disconnectedUntil == nil { workerDeadlines.set(worker, to: time) }
    }

    // MARK: Assertions

    mutating func assertions(
        _ worker: WorkerHandle, count: UInt32, at now: Moment, into actions: inout [Action]
    ) {
        guard isCurrent(worker) else { return }
        let slot = Int(worker.index)
        let wasHeld = workers[slot].assertions > 0
        workers[slot].assertions = count
        guard workers[slot].phase == .ready, wasHeld != (count > 0) else { return }
        if workers[slot].runs == 0 {
            rest(worker.index, at: now, into: &actions)
        } else if count == 0 {
            workers[slot].backgroundSince = nil
            workers[slot].assertionEnd = nil
        }
    }

    private mutating func hold(_ worker: UInt32) {
        let slot = Int(worker)
        workers[slot].idleStep = .held
        guard let since = workers[slot].backgroundSince else { return }
        let (time, warning) = (limits.profile.backgroundTime, limits.profile.assertionWarning)
        setIdleDeadline(of: worker, to: workers[slot].assertionEnd ?? since + max(.zero, time - warning))
    }

    /// Its assertions are warned once, and it is killed if it still holds one at the end.
    private mutating func holdIsDue(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        let slot = Int(worker)
        if let end = workers[slot].assertionEnd, now.instant >= end { return kill(worker, at: now, into: &actions) }
        if workers[slot].assertionEnd == nil, let since = workers[slot].backgroundSince {
            // One that is held longer because of a run has its warning all the same.
            workers[slot].assertionEnd = max(
                since + limits.profile.backgroundTime, now.instant + limits.profile.assertionWarning)
            actions.append(.expireAssertions(handle(ofWorker: worker)))
        }
        hold(worker)
    }

    // MARK: Idle

    mutating func idleIsDue(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        switch workers[Int(worker)].idleStep {
        case .kept: return
        case .held: return holdIsDue(worker, at: now, into: &actions)
        case .busy, .settling, .swept, .watched, .weighed, .resting: break
        }
        let idleEnd = workers[Int(worker)].idleSince + limits.profile.idleWorker
        if now.instant >= idleEnd { return terminate(worker, at: now, into: &actions) }
        switch workers[Int(worker)].idleStep {
        case .busy, .settling:
            workers[Int(worker)].idleStep = .swept
            actions.append(.sweep(handle(ofWorker: worker)))
            actions.append(.meter(handle(ofWorker: worker)))
        case .watched:
            workers[Int(worker)].idleStep = .weighed
            actions.append(.meter(handle(ofWorker: worker)))
        case .swept, .weighed, .resting, .kept, .held: break
        }
        workerDeadlines.set(worker, to: idleEnd)
    }

    /// A reading of a worker without runs: it is to use no CPU. Only the readings that were asked for move it on: a
    /// worker can provoke others.
    mutating func watchIdle(_ worker: UInt32, at now: Moment, into actions: inout [Action]) {
        let slot = Int(worker)
        let idleEnd = workers[slot].idleSince + limits.profile.idleWorker
        switch workers[slot].idleStep {
        case .swept:
            workers[slot].idleStep = .watched
            workers[slot].cpuAtIdle = workers[slot].cpu
            setIdleDeadline(of: worker, to: min(now.instant + Self.watch, idleEnd))
        case .weighed where workers[slot].cpu - workers[slot].cpuAtIdle > Self.idleAllowance:
            kill(worker, at: now, into: &actions)
        case .weighed: workers[slot].idleStep = .resting
        case .busy, .kept, .held, .settling, .watched, .resting: break
        }
    }
}
