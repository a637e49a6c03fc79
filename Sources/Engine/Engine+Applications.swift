package import TaskModel

// The states of applications: in front, in the background, gone.
extension Engine {
    /// The application's state. Between two runs it counts as suspended, which `takeStateChange` does not tell: that
    /// comes and goes with every run.
    package func state(of application: UInt32) -> ApplicationState {
        let slot = applications[Int(application)]
        guard slot.state == .background, !slot.isolatesRuns, let worker = slot.worker else { return slot.state }
        let (runs, assertions) = (workers[Int(worker)].runs, workers[Int(worker)].assertions)
        return workers[Int(worker)].phase == .ready && runs == 0 && assertions == 0 ? .suspended : slot.state
    }

    /// The next application whose state is not what it was when this was asked last; nil when there is no news.
    package mutating func takeStateChange() -> (application: UInt32, state: ApplicationState)? {
        guard let application = changedApplications.popLast() else { return nil }
        applications[Int(application)].isChanged = false
        return (application, applications[Int(application)].state)
    }

    /// Notes the state that follows from its workers.
    func derivedState(of application: UInt32) -> ApplicationState {
        let slot = applications[Int(application)]
        if slot.living == 0 { return .notRunning }
        guard slot.isForeground, let worker = slot.worker else { return .background }
        switch workers[Int(worker)].phase {
        case .launching: return .inactive
        case .ready: return .active
        case .free, .leaving, .killing: return .background
        }
    }

    mutating func noteState(of application: UInt32) {
        let state = derivedState(of: application)
        guard state != applications[Int(application)].state else { return }
        applications[Int(application)].state = state
        guard !applications[Int(application)].isChanged else { return }
        applications[Int(application)].isChanged = true
        changedApplications.append(application)
    }

    /// Whether the worker is what a person sees of its application.
    func isInFront(_ worker: UInt32) -> Bool {
        let application = Int(workers[Int(worker)].application)
        return applications[application].isForeground && applications[application].worker == worker
    }

    /// A new worker hears which way it was launched, before any handler is invoked.
    mutating func tellFirstState(_ worker: UInt32, into actions: inout [Action]) {
        let handle = handle(ofWorker: worker)
        if isInFront(worker) {
            actions.append(.state(handle, .inactive))
            actions.append(.state(handle, .active))
        } else {
            actions.append(.state(handle, .background))
        }
        noteState(of: workers[Int(worker)].application)
    }

    mutating func enterForeground(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        guard stopRequests == 0, !applications[Int(application)].isForeground else { return }
        applications[Int(application)].isForeground = true
        // A person does not wait for the end of a pause.
        endHold(of: application)
        placeWaiting(at: now, into: &actions)
        if let worker = applications[Int(application)].worker {
            if workers[Int(worker)].phase == .ready {
                workers[Int(worker)].backgroundSince = nil
                workers[Int(worker)].assertionEnd = nil
                actions.append(.state(handle(ofWorker: worker), .inactive))
                actions.append(.state(handle(ofWorker: worker), .active))
                if workers[Int(worker)].runs == 0 { rest(worker, at: now, into: &actions) }
            }
        } else {
            launchWithoutRun(application, at: now, into: &actions)
        }
        noteState(of: application)
    }

    mutating func enterBackground(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        guard applications[Int(application)].isForeground else { return }
        applications[Int(application)].isForeground = false
        if let worker = applications[Int(application)].worker, workers[Int(worker)].phase == .ready {
            actions.append(.state(handle(ofWorker: worker), .inactive))
            actions.append(.state(handle(ofWorker: worker), .background))
            if workers[Int(worker)].runs == 0 {
                rest(worker, at: now, into: &actions)
            } else {
                // The CPU monitor looks at the background only.
                forEachRun(of: worker) { engine, run in engine.runs[Int(run)].awaitsWindow = true }
                actions.append(.meter(handle(ofWorker: worker)))
            }
        }
        noteState(of: application)
    }

    mutating func wake(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        guard stopRequests == 0 else { return }
        if let worker = applications[Int(application)].worker {
            switch workers[Int(worker)].phase {
            case .free, .ready: return
            case .launching: workers[Int(worker)].isAwaited = true
            case .leaving, .killing: applications[Int(application)].isAwaited = true
            }
        } else {
            applications[Int(application)].isAwaited = true
            launchIfWanted(application, at: now, into: &actions)
        }
    }

    /// The application has no worker: a person may want one at once, or a wake when its turn comes.
    mutating func launchIfWanted(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        let slot = applications[Int(application)]
        guard slot.worker == nil, !slot.isHeld, stopRequests == 0 else { return }
        if slot.isForeground {
            launchWithoutRun(application, at: now, into: &actions)
        } else if slot.isAwaited, wakes[application] == nil {
            wakes.set(application, to: nextWake)
            nextWake += 1
        }
    }

    /// Launches what was asked for without a run, as long as few are being launched.
    mutating func launchAwaited(at now: Moment, into actions: inout [Action]) {
        while launching < limits.launches, let application = wakes.first {
            wakes.remove(application)
            guard applications[Int(application)].worker == nil, stopRequests == 0 else { continue }
            launchWithoutRun(application, at: now, into: &actions)
        }
    }

    private mutating func launchWithoutRun(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        let memory = applications[Int(application)].memory
        let worker = launch(
            application, memory: memory > ByteCount(bytes: 0) ? memory : Budget.defaultMemory, at: now, into: &actions)
        workers[Int(worker)].isAwaited = !applications[Int(application)].isForeground
        applications[Int(application)].worker = worker
        noteState(of: application)
    }

    /// Kills the application's workers, and ends what waits for one.
    mutating func terminate(
        application: UInt32, because reason: Reason, at now: Moment, into actions: inout [Action]
    ) {
        applications[Int(application)].isForeground = false
        applications[Int(application)].isAwaited = false
        wakes.remove(application)
        while let index = applications[Int(application)].waitingFirst {
            dequeue(index)
            endUnstarted(index, because: reason, at: now, into: &actions)
        }
        if applications[Int(application)].isolatesRuns {
            for worker in workers.indices where workers[worker].application == application {
                abandon(UInt32(worker), because: reason, at: now, into: &actions)
            }
        } else if let worker = applications[Int(application)].worker {
            abandon(worker, because: reason, at: now, into: &actions)
        }
        placeWaiting(at: now, into: &actions)
    }

    /// Kills the worker with all that it does, unless that is on its way.
    mutating func abandon(_ worker: UInt32, because reason: Reason, at now: Moment, into actions: inout [Action]) {
        switch workers[Int(worker)].phase {
        case .free, .killing: return
        case .launching:
            kill(worker, at: now, into: &actions)
            forEachRun(of: worker) { engine, run in
                engine.endUnstarted(run, because: reason, at: now, into: &actions)
            }
        case .ready, .leaving:
            forEachRun(of: worker) { engine, run in
                guard engine.runs[Int(run)].phase != .ending else { return }
                engine.runs[Int(run)].reason = reason
                engine.condemn(run, as: reason == .userCancelled ? .cancelled : .interrupted, at: now)
            }
            kill(worker, at: now, into: &actions)
        }
    }
}
