import TaskModel

// Processes that are made ahead for applications whose runs have one each: forked and confined, and without any code of the
// application.
extension Engine {
    /// A run's process leaves. If runs of the application follow one another within the time for which an idle worker is kept, the
    /// next one finds its process made, unless anything else waits for the machine.
    mutating func prepareNext(of application: ApplicationIndex) {
        applications[application].lastEnd = now.instant
        let slot = applications[application]
        guard slot.mayHaveSpare, slot.spare == nil, slot.followsSoon, !slot.isHeld, waiting == 0, launching == 0,
            spares < limits.spares, idle.count + suspended.count < limits.idleWorkers, stopRequests == 0, sleep.isAwake,
            !isMemoryShort
        else { return }
        let memory = slot.memoryWithoutRun
        let worker = workers.take(WorkerSlot(application: application, memoryLimit: memory))
        workers[worker].phase = .spare
        isolatedWorkers += 1
        spares += 1
        applications[application].spare = worker
        workerDeadlines.set(worker, to: now.instant + limits.profile.idleWorker)
        idle.set(worker, to: nextIdle)
        nextIdle += 1
        actions.append(.urgent(.prepare(workers.handle(worker), application: application, memory: memory)))
    }

    /// A run gets a process of its own.
    mutating func noteFollowing(of application: ApplicationIndex) {
        let lastEnd = applications[application].lastEnd
        applications[application].followsSoon = lastEnd.map { now.instant - $0 <= limits.profile.idleWorker } ?? false
    }

    /// A run with this budget takes the process that was made for it; nil: there is none.
    mutating func takeSpare(of application: ApplicationIndex, memory: ByteCount) -> WorkerIndex? {
        guard let worker = applications[application].spare else { return nil }
        forgetSpare(worker)
        idle.remove(worker)
        workers[worker].memoryLimit = memory
        actions.append(.urgent(.adopt(workers.handle(worker), memory: memory)))
        beginLaunch(of: worker)
        return worker
    }

    /// It is spare no more: a run has it, or it is being killed.
    mutating func forgetSpare(_ worker: WorkerIndex) {
        applications[workers[worker].application].spare = nil
        spares -= 1
    }

    /// Ends all of them.
    mutating func endSpares() {
        guard spares > 0 else { return }
        for application in applications.indices {
            if let worker = applications[application].spare { kill(worker) }
        }
    }

    /// What it was made for has changed since, or it is gone. A run that has it gets a process of its own time; the next one is not made
    /// ahead either.
    mutating func stale(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker) else { return }
        switch workers[worker].phase {
        case .spare: kill(worker)
        case .launching:
            applications[workers[worker].application].lastEnd = nil
            kill(worker)
            while let run = workers[worker].runs.last { returnToQueue(run) }
            placeWaiting()
        case .ready, .leaving, .killing, .gone: return
        }
    }
}
