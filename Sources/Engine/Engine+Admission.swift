import TaskModel

// Submission, the waiting list, and the way to a worker.
extension Engine {
    /// Workers of isolated runs that may be on their way out beside those that run.
    package static let mostLeaving = 16

    mutating func submit(_ submission: Submission, at now: Moment, into actions: inout [Action]) {
        let index = takeRunSlot()
        runs[Int(index)].phase = .pending
        runs[Int(index)].task = submission.task
        runs[Int(index)].id = submission.id
        runs[Int(index)].sequence = nextSequence
        runs[Int(index)].attempt = submission.attempt
        runs[Int(index)].requester = submission.requester
        runs[Int(index)].submitted = now.time
        nextSequence += 1
        actions.append(.insert(handle(ofRun: index)))
        if stopRequests > 0 {
            runs[Int(index)].reason = .hostStopping
            end(index, as: .interrupted, at: now, into: &actions)
        } else if waitingFirst != nil {
            enqueue(index)
            placeWaiting(at: now, into: &actions)
        } else if !place(index, at: now, into: &actions) {
            enqueue(index)
        }
    }

    /// Starts what waits, as far as there is room.
    mutating func placeWaiting(at now: Moment, into actions: inout [Action]) {
        var candidate = waitingFirst
        while let index = candidate, occupied < limits.concurrency {
            candidate = runs[Int(index)].next
            // One whose worker is on its way out waits without holding up the others.
            dequeue(index)
            if !place(index, at: now, into: &actions) { enqueue(index, before: candidate) }
        }
    }

    /// Gives the run to a worker; false when it has to wait.
    private mutating func place(_ index: UInt32, at now: Moment, into actions: inout [Action]) -> Bool {
        guard occupied < limits.concurrency else { return false }
        let rules = tasks[Int(runs[Int(index)].task)]
        let application = applications[Int(rules.application)]
        let worker: UInt32
        if application.isolatesRuns {
            // A run that has ended leaves its worker on its way out; those may not pile up.
            guard isolatedWorkers < limits.concurrency + Self.mostLeaving else { return false }
            worker = launch(rules, at: now, into: &actions)
        } else if let existing = application.worker {
            guard workers[Int(existing)].disconnectedUntil == nil else { return false }
            switch workers[Int(existing)].phase {
            case .launching, .ready: worker = existing
            case .free, .leaving, .killing: return false
            }
        } else {
            worker = launch(rules, at: now, into: &actions)
        }
        occupied += 1
        attach(index, to: worker)
        runs[Int(index)].phase = .launching
        boundMemory(of: worker, by: rules.memory, into: &actions)
        if workers[Int(worker)].phase == .ready {
            start(index, on: worker, at: now, into: &actions)
        } else {
            runs[Int(index)].launched = now.time
            // It waits no longer than it might run; its siblings may have more patience.
            runDeadlines.set(index, to: now.instant + min(limits.profile.launch, rules.wallClock))
        }
        return true
    }

    private mutating func launch(_ rules: TaskRules, at now: Moment, into actions: inout [Action]) -> UInt32 {
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
        workers[Int(index)].application = rules.application
        workers[Int(index)].memoryLimit = rules.memory
        if applications[Int(rules.application)].isolatesRuns {
            isolatedWorkers += 1
        } else {
            applications[Int(rules.application)].worker = index
        }
        workerDeadlines.set(index, to: now.instant + limits.profile.launch)
        actions.append(.launch(handle(ofWorker: index), application: rules.application, memory: rules.memory))
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

    // MARK: The waiting list

    private mutating func enqueue(_ index: UInt32, before follower: UInt32? = nil) {
        waiting += 1
        let previous = follower.map { runs[Int($0)].previous } ?? waitingLast
        runs[Int(index)].previous = previous
        runs[Int(index)].next = follower
        if let previous { runs[Int(previous)].next = index } else { waitingFirst = index }
        if let follower { runs[Int(follower)].previous = index } else { waitingLast = index }
    }

    mutating func dequeue(_ index: UInt32) {
        waiting -= 1
        let (previous, next) = (runs[Int(index)].previous, runs[Int(index)].next)
        if let previous { runs[Int(previous)].next = next } else { waitingFirst = next }
        if let next { runs[Int(next)].previous = previous } else { waitingLast = previous }
        runs[Int(index)].previous = nil
        runs[Int(index)].next = nil
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
