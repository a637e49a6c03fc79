import TaskModel

// Workers without runs: in the foreground, kept by assertions, or idle.
extension Engine {
    /// A worker that became idle is swept after this; runs that follow at once never pay for it.
    private static let settle = TimeSpan.milliseconds(50)
    /// Then its CPU time is watched for this long, and may not grow by more than `idleAllowance`.
    private static let watch = TimeSpan.seconds(1)
    private static let idleAllowance = TimeSpan.milliseconds(100)

    /// A run has left the worker: start what waits, or let it rest.
    mutating func leaveWorker(_ worker: WorkerIndex) {
        weighIfHeavy(worker)
        placeWaiting()
        guard workers[worker].runs.isEmpty, workers[worker].phase == .ready else { return }
        becomeIdle(worker)
    }

    /// Decides about a ready worker without runs.
    mutating func becomeIdle(_ worker: WorkerIndex) {
        idle.remove(worker)
        if stopRequests > 0 || workers[worker].isOutdated { return terminate(worker) }
        // It rests when its tree is thawed.
        guard workers[worker].stillness == nil else { return }
        if isInFront(worker) {
            workers[worker].idleStep = .kept
            if workers[worker].disconnectedUntil == nil { workerDeadlines.remove(worker) }
            return
        }
        if workers[worker].handlesSessions {
            workers[worker].idleStep = .kept
            if workers[worker].disconnectedUntil == nil { workerDeadlines.remove(worker) }
            return
        }
        if workers[worker].backgroundSince == nil { workers[worker].backgroundSince = now.instant }
        if workers[worker].assertions > 0 { return hold(worker) }
        if applications[workers[worker].application].isolatesRuns {
            terminate(worker)
            return prepareNext(of: workers[worker].application)
        }
        if workers[worker].leavesWhenIdle { return terminate(worker) }
        weighIfHeavy(worker)
        workers[worker].idleStep = .settling
        workers[worker].idleSince = now.instant
        setIdleDeadline(of: worker, to: min(now.instant + Self.settle, idleEnd(of: worker)))
        idle.set(worker, to: nextIdle)
        nextIdle += 1
        letGo(idle.count + suspended.count - limits.idleWorkers)
    }

    /// It is not kept for later runs.
    mutating func leaveWhenIdle(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker) else { return }
        workers[worker].leavesWhenIdle = true
        if workers[worker].phase == .ready && workers[worker].runs.isEmpty { becomeIdle(worker) }
    }

    /// The deadline of a worker without a wire takes precedence over the idle deadline.
    private mutating func setIdleDeadline(of worker: WorkerIndex, to time: Instant) {
        guard workers[worker].disconnectedUntil == nil, workers[worker].stillness == nil else { return }
        workerDeadlines.set(worker, to: time)
    }

    // MARK: Assertions

    mutating func assertions(
        _ worker: WorkerHandle, count: UInt32
    ) {
        guard let worker = workers.index(worker) else { return }
        let wasHeld = workers[worker].assertions > 0
        let isMore = count > workers[worker].assertions
        workers[worker].assertions = count
        guard count <= limits.profile.assertions || workers[worker].phase != .ready else {
            noteTermination(of: worker, because: .tooManyBackgroundTaskAssertions)
            return kill(worker)
        }
        if isMore && workers[worker].runs.isEmpty && workers[worker].assertionEnd != nil {
            // The others were warned already.
            actions.append(.effect(.expireAssertions(workers.handle(worker))))
        }
        guard workers[worker].phase == .ready, wasHeld != (count > 0) else { return }
        // It was begun just before its tree was to be frozen.
        if count > 0 && workers[worker].stillness?.isForSleep == false { thaw(worker) }
        if workers[worker].runs.isEmpty {
            becomeIdle(worker)
        } else if count == 0 {
            workers[worker].backgroundSince = nil
            workers[worker].assertionEnd = nil
        }
    }

    private mutating func hold(_ worker: WorkerIndex) {
        workers[worker].idleStep = .held
        guard let since = workers[worker].backgroundSince else { return }
        let (time, warning) = (limits.profile.backgroundTime, limits.profile.assertionWarning)
        setIdleDeadline(of: worker, to: workers[worker].assertionEnd ?? since + max(.zero, time - warning))
    }

    /// Its assertions are warned once, and it is killed if it still holds one at the end.
    private mutating func holdIsDue(_ worker: WorkerIndex) {
        if let end = workers[worker].assertionEnd, now.instant >= end {
            noteTermination(
                of: worker, because: .backgroundTaskAssertionTimeout,
                took: workers[worker].backgroundSince.map { now.instant - $0 })
            return kill(worker)
        }
        if workers[worker].assertionEnd == nil, let since = workers[worker].backgroundSince {
            // A worker that is kept longer because of a run is warned nevertheless.
            workers[worker].assertionEnd = max(
                since + limits.profile.backgroundTime, now.instant + limits.profile.assertionWarning)
            actions.append(.effect(.expireAssertions(workers.handle(worker))))
        }
        hold(worker)
    }

    // MARK: Idle

    mutating func idleIsDue(_ worker: WorkerIndex) {
        switch workers[worker].idleStep {
        case .kept: return
        case .held: return holdIsDue(worker)
        case .busy, .settling, .swept, .watched, .weighed, .resting: break
        }
        let idleEnd = idleEnd(of: worker)
        if now.instant >= idleEnd { return idleIsOver(worker) }
        switch workers[worker].idleStep {
        case .busy, .settling:
            workers[worker].idleStep = .swept
            actions.append(.effect(.sweep(workers.handle(worker))))
            actions.append(.effect(.meter(workers.handle(worker))))
        case .watched:
            workers[worker].idleStep = .weighed
            actions.append(.effect(.meter(workers.handle(worker))))
        case .swept, .weighed, .resting, .kept, .held: break
        }
        workerDeadlines.set(worker, to: idleEnd)
    }

    /// When it has been idle for as long as it may be.
    private func idleEnd(of worker: WorkerIndex) -> Instant {
        let profile = limits.profile
        return workers[worker].idleSince + (isSuspendable(worker) ? profile.suspendAfter : profile.idleWorker)
    }

    private mutating func idleIsOver(_ worker: WorkerIndex) {
        guard isSuspendable(worker) else { return terminate(worker) }
        // Else its return, or the watchdog, comes next.
        if workers[worker].pendingBackground == nil { suspend(worker) }
    }

    /// A measurement of a worker without runs, which must use no CPU. Only measurements that the engine requested
    /// count: a worker can provoke others.
    mutating func watchIdle(_ worker: WorkerIndex) {
        let idleEnd = idleEnd(of: worker)
        switch workers[worker].idleStep {
        // It may use the rest of its background time.
        case .swept where isSuspendable(worker): workers[worker].idleStep = .resting
        case .swept:
            workers[worker].idleStep = .watched
            workers[worker].cpuAtIdle = workers[worker].cpu
            setIdleDeadline(of: worker, to: min(now.instant + Self.watch, idleEnd))
        case .weighed where workers[worker].cpu - workers[worker].cpuAtIdle > Self.idleAllowance:
            kill(worker)
        case .weighed: workers[worker].idleStep = .resting
        case .busy, .kept, .held, .settling, .watched, .resting: break
        }
    }
}
