import TaskModel

// Submission and the way to a worker.
extension Engine {
    @discardableResult
    mutating func submit(_ submission: Submission) -> RunHandle {
        let run = runs.take(RunSlot(submission, sequence: nextSequence, at: now.time))
        let handle = runs.handle(run)
        nextSequence += 1
        actions.append(.write(.insert(handle)))
        if stopRequests > 0 {
            endUnstarted(run, because: stopReason)
            return handle
        }
        let application = tasks[submission.task].application
        if submission.hasRequest, !takesRuns(application), let tally = shortage(of: application) {
            endReturned(run, tally.cause)
        } else if applications[application].waiting.isEmpty && hasPlace(for: application) {
            place(run)
        } else {
            enqueue(run)
        }
        return handle
    }

    /// Gives the run to a worker. There is a place, and its application takes runs.
    mutating func place(_ run: RunIndex) {
        let rules = tasks[runs[run].task]
        let application = rules.application
        let worker: WorkerIndex
        if applications[application].isolatesRuns {
            worker = takeSpare(of: application, memory: rules.memory) ?? launch(application, memory: rules.memory)
            noteFollowing(of: application)
        } else if let existing = applications[application].worker {
            worker = existing
            thaw(worker)
        } else {
            worker = launch(application, memory: rules.memory)
            applications[application].worker = worker
        }
        occupied += 1
        runs[run].rules = rules
        if runs[run].isOnPower { runs[run].rules.isMonitored = false }
        attach(run, to: worker)
        runs[run].phase = .launching
        boundMemory(of: worker, by: rules.memory)
        if workers[worker].phase == .ready {
            start(run, on: worker)
        } else {
            runs[run].launched = now.time
        }
    }

    mutating func launch(
        _ application: ApplicationIndex, memory: ByteCount
    ) -> WorkerIndex {
        let worker = workers.take(WorkerSlot(application: application, memoryLimit: memory))
        if applications[application].isolatesRuns { isolatedWorkers += 1 }
        actions.append(.urgent(.launch(workers.handle(worker), application: application, memory: memory)))
        beginLaunch(of: worker)
        return worker
    }

    /// From now on it has the time of a launch.
    mutating func beginLaunch(of worker: WorkerIndex) {
        let application = workers[worker].application
        workers[worker].phase = .launching
        launching += 1
        applications[application].living += 1
        applications[application].isAwaited = false
        wakes.remove(application)
        noteState(of: application)
        workerDeadlines.set(worker, to: now.instant + limits.profile.launch)
        // What its folders hold before anything of it runs.
        if limits.diskFloor != nil && applications[application].weight == nil {
            weighFolders(application)
        }
    }

    // MARK: A worker's runs

    private mutating func attach(_ run: RunIndex, to worker: WorkerIndex) {
        runs[run].worker = worker
        runs.append(run, to: &workers[worker].runs)
        workers[worker].idleStep = .busy
        idle.remove(worker)
        if workers[worker].assertions == 0 {
            workers[worker].backgroundSince = nil
            workers[worker].assertionEnd = nil
        }
    }

    mutating func detach(_ run: RunIndex) {
        guard let worker = runs[run].worker else { return }
        runs.remove(run, from: &workers[worker].runs)
        runs[run].worker = nil
        occupied -= 1
    }
}
