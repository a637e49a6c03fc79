import TaskModel

// Memory that runs leave in their worker: it would be charged to the next one.
extension Engine {
    /// What earlier runs may leave of an application's smallest budget, as its part.
    private static let keptPart: UInt64 = 4

    /// The worker has no run. When its peak says that it may keep too much, it is weighed, and takes no run until that is known. The
    /// peak was read with the end of the run: workers that stay below pay nothing.
    mutating func weighIfHeavy(_ worker: UInt32, into actions: inout [Action]) {
        let slot = Int(worker)
        guard workers[slot].runs == 0, workers[slot].phase == .ready, workers[slot].disconnectedUntil == nil,
            stopRequests == 0, !workers[slot].isOutdated, !workers[slot].awaitsWeight,
            keepsTooMuch(workers[slot].peak, worker)
        else { return }
        workers[slot].awaitsWeight = true
        reconsider(workers[slot].application)
        actions.append(.weigh(handle(ofWorker: worker)))
    }

    /// What the worker's tree has in memory without a run. It is renewed when that is too much, unless a person sees it or it
    /// holds assertions; then its runs are charged with it, and say so.
    mutating func weighed(
        _ worker: WorkerHandle, memory: ByteCount?, at now: Moment, into actions: inout [Action]
    ) {
        guard isCurrent(worker), workers[Int(worker.index)].awaitsWeight else { return }
        let slot = Int(worker.index)
        workers[slot].awaitsWeight = false
        workers[slot].peak = memory ?? workers[slot].peak
        let isHeavy = memory.map { keepsTooMuch($0, worker.index) } ?? false
        workers[slot].kept = isHeavy ? memory : nil
        guard workers[slot].phase == .ready else { return }
        if isHeavy && workers[slot].runs == 0 && workers[slot].assertions == 0 && !isInFront(worker.index) {
            return terminate(worker.index, at: now, into: &actions)
        }
        reconsider(workers[slot].application)
        placeWaiting(at: now, into: &actions)
    }

    /// Beyond what the worker had before its first run.
    private func keepsTooMuch(_ memory: ByteCount, _ worker: UInt32) -> Bool {
        let slot = Int(worker)
        let application = applications[Int(workers[slot].application)]
        guard !application.isolatesRuns, let atFirst = workers[slot].memoryAtFirst, memory > atFirst else {
            return false
        }
        return memory.bytes - atFirst.bytes > application.leastMemory.bytes / Self.keptPart
    }
}
