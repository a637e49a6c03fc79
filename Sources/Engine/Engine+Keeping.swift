import TaskModel

// Memory that runs leave in their worker: it would be charged to the next one.
extension Engine {
    /// The part of an application's smallest budget that earlier runs may leave in use.
    private static let keptPart: UInt64 = 4

    /// The worker has no run. When its peak exceeds what it may keep, it is measured and takes no run until the result is
    /// known. The peak was read at the end of the run, so workers below the limit cost nothing.
    mutating func weighIfHeavy(_ worker: WorkerIndex) {
        guard workers[worker].runs.isEmpty, workers[worker].phase == .ready, workers[worker].disconnectedUntil == nil,
            stopRequests == 0, !workers[worker].isOutdated, !workers[worker].awaitsWeight,
            keepsTooMuch(workers[worker].peak, worker)
        else { return }
        workers[worker].awaitsWeight = true
        reconsider(workers[worker].application)
        actions.append(.effect(.weigh(workers.handle(worker))))
    }

    /// Memory that the worker's tree uses without a run. A worker that uses too much is replaced, unless the user has it in
    /// the foreground or it holds assertions; then its runs are charged with that memory, and say so.
    mutating func weighed(
        _ worker: WorkerHandle, memory: ByteCount?
    ) {
        guard let worker = workers.index(worker), workers[worker].awaitsWeight else { return }
        workers[worker].awaitsWeight = false
        workers[worker].peak = memory ?? workers[worker].peak
        let isHeavy = memory.map { keepsTooMuch($0, worker) } ?? false
        workers[worker].kept = isHeavy ? memory : nil
        guard workers[worker].phase == .ready else { return }
        let isHeld = workers[worker].assertions > 0 || workers[worker].handlesSessions
        if isHeavy && workers[worker].runs.isEmpty && !isHeld && !isInFront(worker) {
            return terminate(worker)
        }
        reconsider(workers[worker].application)
        placeWaiting()
    }

    /// Beyond the memory that the worker used before its first run.
    private func keepsTooMuch(_ memory: ByteCount, _ worker: WorkerIndex) -> Bool {
        let application = applications[workers[worker].application]
        guard !application.isolatesRuns, let atFirst = workers[worker].memoryAtFirst, memory > atFirst else {
            return false
        }
        return memory.bytes - atFirst.bytes > application.leastMemory.bytes / Self.keptPart
    }
}
