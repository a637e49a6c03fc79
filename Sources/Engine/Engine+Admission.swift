import TaskModel

// Submission and the way to a worker.
extension Engine {
    mutating func submit(_ submission: Submission, at now: Moment, into actions: inout [Action]) {
        let index = takeRunSlot()
        runs[Int(index)].phase = .pending
        runs[Int(index)].task = submission.task
        runs[Int(index)].id = submission.id
        runs[Int(index)].sequence = nextSequence
        runs[Int(index)].attempt = submission.attempt
        runs[Int(index)].requester = submission.requester
        runs[Int(index)].launch = submission.launch
        runs[Int(index)].isOnPower = submission.isOnPower
        runs[Int(index)].hasRequest = submission.hasRequest
        runs[Int(index)].submitted = now.time
        nextSequence += 1
        actions.append(.insert(handle(ofRun: index)))
        if stopRequests > 0 {
            runs[Int(index)].reason = .hostStopping
            end(index, as: .interrupted, at: now, into: &actions)
            return
        }
        let application = tasks[Int(submission.task)].application
        if submission.hasRequest, !takesRuns(application), let tally = shortage(of: application) {
            endReturned(index, tally.cause, at: now, into: &actions)
        } else if applications[Int(application)].waitingFirst == nil && hasPlace(for: application) {
            place(index, at: now, into: &actions)
        } else {
            enqueue(index)
        }
    }

    /// Gives the run to a worker. There is a place, and its application takes runs.
    mutating func place(_ index: UInt32, at now: Moment, into actions: inout [Action]) {
        let rules = tasks[Int(runs[Int(index)].task)]
        let application = rules.application
        let worker: UInt32
        if applications[Int(application)].isolatesRuns {
            worker = launch(application, memory: rules.memory, at: now, into: &actions)
        } else if let existing = applications[Int(application)].worker {
            worker = existing
        } else {
            worker = launch(application, memory: rules.memory, at: now, into: &actions)
            applications[Int(application)].worker = worker
        }
        occupied += 1
        runs[Int(index)].rules = rules
        if runs[Int(index)].isOnPower { runs[Int(index)].rules.isMonitored = false }
        attach(index, to: worker)
        runs[Int(index)].phase = .launching
        boundMemory(of: worker, by: rules.memory, into: &actions)
        if workers[Int(worker)].phase == .ready {
            start(index, on: worker, at: now, into: &actions)
        } else {
            runs[Int(index)].launched = now.time
        }
    }

    mutating func launch(
        _ application: UInt32, memory: ByteCount, at now: Moment, into actions: inout [Action]
    ) -> UInt32 {
        let index: UInt32
        if let free = freeWorkers.popLast() {
            index = free
        } else {
            workers.append(WorkerSlot())
            index = UInt32(workers.count - 1)
        }
        let generation = workers[Int(index)].generation
        workers[Int(index)] = WorkerSlot()
        workers[Int(index)].generation = generation
        workers[Int(index)].phase = .launching
        workers[Int(index)].application = application
        workers[Int(index)].memoryLimit = memory
        if applications[Int(application)].isolatesRuns { isolatedWorkers += 1 }
        launching += 1
        applications[Int(application)].living += 1
        applications[Int(application)].isAwaited = false
        wakes.remove(application)
        noteState(of: application)
        workerDeadlines.set(index, to: now.instant + limits.profile.launch)
        actions.append(.launch(handle(ofWorker: index), application: application, memory: memory))
        // What its folders hold before anything of it runs.
        if limits.diskFloor != nil && applications[Int(application)].weight == nil {
            weighFolders(application, into: &actions)
        }
        return index
    }

    private mutating func takeRunSlot() -> UInt32 {
        if let index = freeRuns.popLast() {
            let generation = runs[Int(index)].generation
            runs[Int(index)] = RunSlot()
            runs[Int(index)].generation = generation
            return index
        }
        runs.append(RunSlot())
        return UInt32(runs.count - 1)
    }

    // MARK: A worker's runs

    private mutating func attach(_ index: UInt32, to worker: UInt32) {
        runs[Int(index)].worker = worker
        runs[Int(index)].previous = workers[Int(worker)].last
        runs[Int(index)].next = nil
        if let last = workers[Int(worker)].last {
            runs[Int(last)].next = index
        } else {
            workers[Int(worker)].first = index
        }
        workers[Int(worker)].last = index
        workers[Int(worker)].runs += 1
        workers[Int(worker)].idleStep = .busy
        idle.remove(worker)
        if workers[Int(worker)].assertions == 0 {
            workers[Int(worker)].backgroundSince = nil
            workers[Int(worker)].assertionEnd = nil
        }
    }

    mutating func detach(_ index: UInt32) {
        guard let worker = runs[Int(index)].worker else { return }
        let (previous, next) = (runs[Int(index)].previous, runs[Int(index)].next)
        if let previous { runs[Int(previous)].next = next } else { workers[Int(worker)].first = next }
        if let next { runs[Int(next)].previous = previous } else { workers[Int(worker)].last = previous }
        runs[Int(index)].worker = nil
        runs[Int(index)].previous = nil
        runs[Int(index)].next = nil
        workers[Int(worker)].runs -= 1
        occupied -= 1
    }
}
