import TaskModel

// Memory that runs leave in their worker: it would be charged to the next one.
extension Engine {
    /// What earlier runs may leave of an application's smallest budget, as its part.
    private static let keptPart: UInt64 = 4

    /// The worker has no run. When its peak says that it may keep too much, it is weighed, and takes no run until that is known. The
    /// peak was read with the end of the run: workers that stay below pay nothing.
    mutating func weighIfHeavy(_ worker: WorkerIndex, into actions: inout [Action]) {
        guard workers[worker].runs.isEmpty, workers[worker].phase == .ready, workers[worker].disconnectedUntil == nil,
            stopRequests == 0, !workers[worker].isOutdated, !workers[worker].awaitsWeight,
            keepsTooMuch(workers[worker].peak, worker)
        else { return }
        workers[worker].awaitsWeight = true
        reconsider(workers[worker].application)
        actions.append(.weigh(workers.handle(worker)))
    }

    /// What the worker's tree has in memory without a run. It is renewed when that is too much, unless a person sees it or it
    /// holds assertions; then its runs are charged with it, and say so.
    mutating func weighed(
        _ worker: WorkerHandle, memory: ByteCount?, at now: ClockReading, into actions: inout [Action]
    ) {
        guard let worker = workers.index(worker), workers[worker].awaitsWeight else { return }
        workers[worker].awaitsWeight = false
        workers[worker].peak = memory ?? workers[worker].peak
        let isHeavy = memory.map { keepsTooMuch($0, worker) } ?? false
        workers[worker].kept = isHeavy ? memory : nil
        guard workers[worker].phase == .ready else { return }
        let isHeld = workers[worker].assertions > 0 || workers[worker].handlesSessions
        if isHeavy && workers[worker].runs.isEmpty && !isHeld && !isInFront(worker) {
            return terminate(worker, at: now, into: &actions)
        }
        reconsider(workers[worker].application)
        placeWaiting(at: now, into: &actions)
    }

    /// Beyond what the worker had before its first run.
    private func keepsTooMuch(_ memory: ByteCount, _ worker: WorkerIndex) -> Bool {
        let application = applications[workers[worker].application]
        guard !application.isolatesRuns, let atFirst = workers[worker].memoryAtFirst, memory > atFirst else {
            return false
        }
        return memory.bytes - atFirst.bytes > application.leastMemory.bytes / Self.keptPart
    }
}
