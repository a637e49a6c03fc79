package import TaskModel

// The states of applications: in the foreground, in the background, not running.
extension Engine {
    /// The application's state.
    package func state(of application: ApplicationIndex) -> ApplicationState { applications[application].state }

    /// The next application whose state has changed since the last call; nil when there is none.
    package mutating func takeStateChange() -> (application: ApplicationIndex, state: ApplicationState)? {
        guard let application = changedApplications.popLast() else { return nil }
        applications[application].isChanged = false
        return (application, applications[application].state)
    }

    /// Notes the state that follows from its workers.
    func derivedState(of application: ApplicationIndex) -> ApplicationState {
        let slot = applications[application]
        if slot.living == 0 { return .notRunning }
        if let worker = slot.worker, workers[worker].stillness != nil { return .suspended }
        guard slot.isForeground, let worker = slot.worker else { return .background }
        switch workers[worker].phase {
        case .launching: return .inactive
        case .ready: return .active
        case .spare, .leaving, .killing, .gone: return .background
        }
    }

    mutating func noteState(of application: ApplicationIndex) {
        let state = derivedState(of: application)
        guard state != applications[application].state else { return }
        applications[application].state = state
        guard !applications[application].isChanged else { return }
        applications[application].isChanged = true
        changedApplications.append(application)
    }

    /// Whether the worker is in the foreground for the user.
    @inline(__always) func isInFront(_ worker: WorkerIndex) -> Bool {
        let application = workers[worker].application
        return applications[application].isForeground && applications[application].worker == worker
    }

    /// A new worker receives the state it was launched into before any handler is invoked.
    mutating func tellFirstState(_ worker: WorkerIndex) {
        if isInFront(worker) {
            tell(.inactive, to: worker)
            tell(.active, to: worker)
        } else {
            tell(.background, to: worker)
        }
        noteState(of: workers[worker].application)
    }

    mutating func enterForeground(_ application: ApplicationIndex) {
        guard stopRequests == 0, !applications[application].isForeground else { return }
        guard sleep.isAwake else { return applications[application].returnsToFront = true }
        applications[application].isForeground = true
        // The user does not wait for the end of a pause.
        endHold(of: application)
        placeWaiting()
        if let worker = applications[application].worker {
            if workers[worker].phase == .ready {
                thaw(worker)
                workers[worker].backgroundSince = nil
                workers[worker].assertionEnd = nil
                tell(.inactive, to: worker)
                tell(.active, to: worker)
                if workers[worker].runs.isEmpty { becomeIdle(worker) }
            }
        } else {
            launchWithoutRun(application)
        }
        noteState(of: application)
    }

    mutating func enterBackground(_ application: ApplicationIndex) {
        if !sleep.isAwake { applications[application].returnsToFront = false }
        guard applications[application].isForeground else { return }
        applications[application].isForeground = false
        if let worker = applications[application].worker, workers[worker].phase == .ready {
            tell(.inactive, to: worker)
            tell(.background, to: worker)
            if workers[worker].runs.isEmpty {
                becomeIdle(worker)
            } else {
                // The CPU monitor applies in the background only.
                forEachRun(of: worker) { engine, run in engine.runs[run].awaitsWindow = true }
                actions.append(.effect(.meter(workers.handle(worker))))
            }
        }
        noteState(of: application)
    }

    mutating func wake(_ application: ApplicationIndex) {
        guard stopRequests == 0 else { return }
        if let worker = applications[application].worker {
            switch workers[worker].phase {
            case .spare, .ready, .gone: return
            case .launching: workers[worker].isAwaited = true
            case .leaving, .killing: applications[application].isAwaited = true
            }
        } else {
            applications[application].isAwaited = true
            launchIfWanted(application)
        }
    }

    /// The application has no worker: the user may want one at once, or a wake-up is due.
    mutating func launchIfWanted(_ application: ApplicationIndex) {
        let slot = applications[application]
        guard slot.worker == nil, !slot.isHeld, stopRequests == 0 else { return }
        if slot.isForeground {
            launchWithoutRun(application)
        } else if slot.isAwaited, wakes[application] == nil {
            wakes.set(application, to: nextWake)
            nextWake += 1
        }
    }

    /// Launches applications that are wanted without a run, while few launches are in progress.
    mutating func launchAwaited() {
        while sleep.isAwake, launching < limits.launches, let application = wakes.first {
            wakes.remove(application)
            guard applications[application].worker == nil, stopRequests == 0 else { continue }
            launchWithoutRun(application)
        }
    }

    private mutating func launchWithoutRun(
        _ application: ApplicationIndex
    ) {
        let worker = launch(application, memory: applications[application].memoryWithoutRun)
        workers[worker].isAwaited = !applications[application].isForeground
        applications[application].worker = worker
        noteState(of: application)
    }

    /// Ends the application's workers and its waiting runs. A running worker is notified, and its runs end at once.
    mutating func terminate(
        application: ApplicationIndex, because reason: Reason
    ) {
        applications[application].isForeground = false
        applications[application].isAwaited = false
        applications[application].returnsToFront = false
        applications[application].awaitsSessions = false
        wakes.remove(application)
        while let run = applications[application].waiting.first {
            dequeue(run)
            endUnstarted(run, because: reason)
        }
        if applications[application].isolatesRuns {
            forEachWorker { engine, worker in
                guard engine.workers[worker].application == application else { return }
                engine.abandon(worker, because: reason)
            }
        } else if let worker = applications[application].worker {
            quit(worker, because: reason)
        }
        placeWaiting()
    }

    /// Kills the worker with all that it does, unless that is on its way.
    mutating func abandon(
        _ worker: WorkerIndex, because reason: Reason
    ) {
        switch workers[worker].phase {
        case .killing, .gone: return
        case .spare: kill(worker)
        case .launching:
            kill(worker)
            forEachRun(of: worker) { engine, run in
                engine.endUnstarted(run, because: reason)
            }
        case .ready, .leaving:
            forEachRun(of: worker) { engine, run in
                guard engine.runs[run].phase != .ending else { return }
                engine.runs[run].reason = reason
                engine.markForKill(run, as: reason == .userCancelled ? .cancelled : .interrupted)
            }
            kill(worker)
        }
    }
}
