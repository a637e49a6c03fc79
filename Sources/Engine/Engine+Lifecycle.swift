import TaskModel

// Callbacks for applications about their states, and applications that do not answer.
extension Engine {
    /// Sends the worker its application's state. `didEnterBackground` has to return in time.
    mutating func tell(
        _ state: ApplicationState, to worker: WorkerIndex
    ) {
        actions.append(.effect(.state(workers.handle(worker), state)))
        workers[worker].told += 1
        guard state == .background, hasLifecycle(worker) else { return }
        workers[worker].lastBackground = workers[worker].told
        if workers[worker].pendingBackground == nil { awaitReturn(of: workers[worker].told, worker) }
    }

    private mutating func awaitReturn(of state: UInt32, _ worker: WorkerIndex) {
        workers[worker].pendingBackground = WorkerSlot.BackgroundCall(state: state, since: now.instant)
        watchdogs.set(worker, to: now.instant + limits.profile.lifecycleCallback)
    }

    /// Whether the worker's library is an application.
    func hasLifecycle(_ worker: WorkerIndex) -> Bool { applications[workers[worker].application].hasLifecycle }

    /// Its callback has returned for this state, and for all before it.
    mutating func returned(_ handle: WorkerHandle, state: UInt32) {
        guard let worker = workers.index(handle) else { return }
        guard state > workers[worker].returned, state <= workers[worker].told else {
            return violated(handle)
        }
        workers[worker].returned = state
        guard workers[worker].phase == .ready, let call = workers[worker].pendingBackground, state >= call.state else {
            return
        }
        workers[worker].pendingBackground = nil
        watchdogs.remove(worker)
        if workers[worker].lastBackground > state {
            // It has the time of another call for the next one.
            awaitReturn(of: workers[worker].lastBackground, worker)
        } else {
            suspendIfIdle(worker)
        }
    }

    /// `didEnterBackground` has not returned in time.
    mutating func watchdogIsDue(_ worker: WorkerIndex) {
        watchdogs.remove(worker)
        guard workers[worker].phase == .ready, let call = workers[worker].pendingBackground else { return }
        noteTermination(
            of: worker, because: .appWatchdog, in: .didEnterBackground, took: now.instant - call.since)
        kill(worker)
    }

    // MARK: Terminations

    /// Records the termination of an application's process. Called before the process is killed or notified.
    mutating func noteTermination(
        of worker: WorkerIndex, because reason: TerminationReason, in callback: ApplicationCallback? = nil,
        took: TimeSpan? = nil
    ) {
        guard hasLifecycle(worker) else { return }
        actions.append(.write(.terminated(workers.handle(worker), reason, callback: callback, took: took)))
    }

    /// Why an application is terminated with a run that is killed as `outcome`; nil: that is not its doing.
    func terminationReason(of outcome: Outcome, _ rules: TaskRules) -> TerminationReason? {
        switch outcome {
        case .overran: rules.callback == nil ? .backgroundTaskTimeout : .backgroundFetchTimeout
        case .exceededCPU: .cpuResourceLimit
        case .exceededMemory: .memoryResourceLimit
        default: nil
        }
    }

    /// The user quits the application: it is notified if it runs, and its runs are over. A suspended application gets no
    /// callback.
    mutating func quit(
        _ worker: WorkerIndex, because reason: Reason
    ) {
        // It was notified and has its time: a force-quit also arrives from the scheduler.
        if hasLifecycle(worker), workers[worker].phase == .leaving { return }
        guard hasLifecycle(worker), workers[worker].phase == .ready else {
            return abandon(worker, because: reason)
        }
        noteTermination(of: worker, because: .forceQuit)
        guard workers[worker].stillness == nil, workers[worker].disconnectedUntil == nil else {
            return abandon(worker, because: reason)
        }
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].phase != .ending else { return }
            engine.runs[run].reason = reason
            engine.markForKill(run, as: reason == .userCancelled ? .cancelled : .interrupted)
        }
        terminate(worker)
    }
}
