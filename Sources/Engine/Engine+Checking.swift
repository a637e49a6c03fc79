import TaskModel

// What holds after every call, whatever came before. Tests, simulations and fuzzers ask after each event.
extension Engine {
    /// The first rule that does not hold, as a clause; nil: all do. Takes time for everything that there is.
    package func check() -> String? {
        var sums = Sums()
        for index in runs.indices where runs.isTaken(index) {
            if let fault = fault(of: index, &sums) { return "run \(index.number): \(fault)" }
        }
        for index in workers.indices where workers.isTaken(index) {
            if let fault = fault(of: index, &sums) { return "worker \(index.number): \(fault)" }
        }
        for index in applications.indices {
            if let fault = fault(of: index, sums) { return "application \(index.number): \(fault)" }
        }
        return fault(in: sums)
    }

    /// What runs and workers add up to.
    private struct Sums {
        var occupied = 0
        var waiting: [ApplicationIndex: Int] = [:]
        var runs: [WorkerIndex: Int] = [:]
        var launching = 0
        var isolated = 0
        var spares = 0
        var living: [ApplicationIndex: UInt32] = [:]
    }

    private func fault(of index: RunIndex, _ sums: inout Sums) -> String? {
        let run = runs[index]
        guard tasks.contains(run.task) else { return "its task is not there" }
        if run.phase == .pending { sums.waiting[tasks[run.task].application, default: 0] += 1 }
        if let worker = run.worker {
            guard workers.isTaken(worker) else { return "its worker is not there" }
            sums.occupied += 1
            sums.runs[worker, default: 0] += 1
        }
        if (run.worker != nil) != (run.phase != .pending && run.phase != .ended) {
            return "it is \(run.phase) and \(run.worker == nil ? "has no" : "has a") worker"
        }
        if (run.phase == .ended) && run.outcome == nil { return "it has ended without an outcome" }
        if runDeadlines[index] < .distantFuture, !run.isActive, !run.awaitsWeight {
            return "it is \(run.phase) and has a deadline"
        }
        return nil
    }

    private func fault(of index: WorkerIndex, _ sums: inout Sums) -> String? {
        let worker = workers[index]
        guard applications.contains(worker.application) else { return "its application is not there" }
        if worker.runs.count != sums.runs[index] ?? 0 {
            return "\(sums.runs[index] ?? 0) runs name it, it has \(worker.runs.count)"
        }
        if worker.phase == .launching { sums.launching += 1 }
        if worker.phase == .launching || worker.phase == .ready { sums.living[worker.application, default: 0] += 1 }
        if worker.phase != .gone, applications[worker.application].isolatesRuns { sums.isolated += 1 }
        if worker.phase == .spare {
            sums.spares += 1
            guard applications[worker.application].spare == index else {
                return "it is spare, and its application has another"
            }
            guard idle[index] != nil, workerDeadlines[index] < .distantFuture else {
                return "it is spare and stays for ever"
            }
        }
        if idle[index] != nil, worker.phase != .ready && worker.phase != .spare || !worker.runs.isEmpty {
            return "it is idle, \(worker.phase) and has \(worker.runs.count) runs"
        }
        if suspended[index] != nil, worker.stillness == nil { return "it is suspended and not frozen" }
        if worker.phase == .gone, workerDeadlines[index] < .distantFuture || watchdogs[index] < .distantFuture {
            return "it is gone and has a deadline"
        }
        return nil
    }

    private func fault(of index: ApplicationIndex, _ sums: Sums) -> String? {
        let application = applications[index]
        if application.waiting.count != sums.waiting[index] ?? 0 {
            return "\(sums.waiting[index] ?? 0) runs wait, it has \(application.waiting.count)"
        }
        if application.living != sums.living[index] ?? 0 {
            return "\(sums.living[index] ?? 0) workers live, it counts \(application.living)"
        }
        if let spare = application.spare, !workers.isTaken(spare) || workers[spare].phase != .spare {
            return "its spare process is none"
        }
        guard let worker = application.worker else { return nil }
        return workers.isTaken(worker) && workers[worker].phase != .gone ? nil : "its worker is not there"
    }

    private func fault(in sums: Sums) -> String? {
        if occupied != sums.occupied { return "\(sums.occupied) runs have workers, and \(occupied) are counted" }
        if waiting != sums.waiting.values.reduce(0, +) { return "waiting runs are miscounted" }
        if launching != sums.launching { return "\(sums.launching) workers are launching, \(launching) are counted" }
        if spares != sums.spares { return "\(sums.spares) processes are spare, \(spares) are counted" }
        if isolatedWorkers != sums.isolated { return "workers of isolated runs are miscounted" }
        return nil
    }
}
