import TaskModel

// What holds after every call, whatever came before. Tests, simulations and fuzzers ask after each event.
extension Scheduler {
    /// The first rule that does not hold, as a clause; nil: all do. Takes time for everything that there is.
    package func check() -> String? {
        var sums = Sums()
        for index in requests.indices where requests.isTaken(index) {
            if let fault = fault(of: index, &sums) { return "request \(index.number): \(fault)" }
        }
        for index in applications.indices {
            if let fault = fault(of: index, sums) { return "application \(index.number): \(fault)" }
        }
        return fault(in: sums)
    }

    /// What requests add up to.
    private struct Sums {
        var occupied = Occupancy()
        var places: [RequestSlot.Place: Int] = [:]
        var pending: [ApplicationIndex: Int] = [:]
        /// Those that count in the limits, by the first kind of each group.
        var counted: [ApplicationIndex: (refreshes: UInt32, processings: UInt32, continued: UInt32)] = [:]
        var running: [ApplicationIndex: UInt32] = [:]
    }

    private func fault(of index: RequestIndex, _ sums: inout Sums) -> String? {
        let slot = requests[index]
        guard tasks.contains(slot.task) else { return "its task is not there" }
        let application = tasks[slot.task].rules.application
        switch slot.phase {
        case .running:
            guard
                slot.flags.contains(.overtaken)
                    ? runningByIdentity[slot.identity] != nil : runningByIdentity[slot.identity] == index
            else { return "another one of its identity runs" }
            if !isKnownToRun(index, slot.identity) { return "it runs and is in no table" }
            if slot.place != .parked { return "it runs and is \(slot.place)" }
            sums.occupied.add(1, slot.kind)
            sums.running[application, default: 0] += 1
        case .pending:
            guard pendingByIdentity[slot.identity] == index else { return "another one of its identity waits" }
            sums.places[slot.place, default: 0] += 1
            sums.pending[application, default: 0] += 1
            if slot.counts { count(slot.kind, of: application, &sums) }
        }
        if (dates[index] != nil) != (slot.place == .dated) { return "a date, and it is \(slot.place)" }
        if (backoffs[index] != nil) != (slot.place == .backedOff) { return "a pause, and it is \(slot.place)" }
        return nil
    }

    private func count(_ kind: TaskKind, of application: ApplicationIndex, _ sums: inout Sums) {
        var counted = sums.counted[application] ?? (0, 0, 0)
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: counted.refreshes += 1
        case .processing, .healthResearch: counted.processings += 1
        case .continuedProcessing: counted.continued += 1
        }
        sums.counted[application] = counted
    }

    private func fault(of index: ApplicationIndex, _ sums: Sums) -> String? {
        let application = applications[index]
        if application.pending.count != sums.pending[index] ?? 0 {
            return "\(sums.pending[index] ?? 0) requests wait, it has \(application.pending.count)"
        }
        let counted = sums.counted[index] ?? (0, 0, 0)
        if (application.refreshes, application.processings, application.continued) != counted {
            return "those that count in the limits are miscounted"
        }
        return queues.running(of: index) == sums.running[index] ?? 0 ? nil : "its running ones are miscounted"
    }

    private func fault(in sums: Sums) -> String? {
        if running.count != sums.occupied.total || occupied.total != sums.occupied.total
            || occupied.refreshes != sums.occupied.refreshes || occupied.processings != sums.occupied.processings
            || occupied.continued != sums.occupied.continued
        {
            return "running ones are miscounted"
        }
        if dates.count != sums.places[.dated] ?? 0 || backoffs.count != sums.places[.backedOff] ?? 0 {
            return "a heap has a stranger"
        }
        return queues.count == sums.places[.ready] ?? 0 ? nil : "a queue has a stranger"
    }
}
