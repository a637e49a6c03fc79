package import TaskModel

// Where an application stands: in front or not, of its present form or of an earlier one.
extension Scheduler {
    package mutating func setState(
        _ state: ApplicationState, application: UInt32, at now: Moment, into decisions: inout [Decision]
    ) {
        observe(now, into: &decisions)
        let wasInFront = applications[Int(application)].isInFront
        applications[Int(application)].state = state
        guard applications[Int(application)].isInFront != wasInFront else { return }
        let since = applications[Int(application)].foregroundSince
        applications[Int(application)].foregroundSince = now.time.nanoseconds
        let waiting = pendingSlots(of: application) {
            $0.kind == .continuedProcessing && $0.flags.contains(.foreground)
        }
        guard !waiting.isEmpty else { return }
        if !wasInFront { noteHold(.foreground, 0, of: application, from: since, to: now.time.nanoseconds) }
        for index in waiting {
            unplace(index)
            place(index, at: now, into: &decisions)
        }
        startReady(at: now, into: &decisions)
    }

    /// Whether the application's process is still that of an earlier revision of its manifest or library. Nothing of it starts
    /// meanwhile: it would wait for that process, and have a place.
    package mutating func setOutdated(
        _ outdated: Bool, application: UInt32, at now: Moment, into decisions: inout [Decision]
    ) {
        observe(now, into: &decisions)
        guard applications[Int(application)].isOutdated != outdated else { return }
        let since = applications[Int(application)].outdatedSince
        applications[Int(application)].isOutdated = outdated
        applications[Int(application)].outdatedSince = now.time.nanoseconds
        if !outdated { noteHold(.revision, 0, of: application, from: since, to: now.time.nanoseconds) }
        settle(application, at: now)
        guard !outdated else { return }
        for index in pendingSlots(of: application, where: { $0.flags.contains(.forced) }) where mayForce(index) {
            start(index, at: now, into: &decisions)
        }
        startReady(at: now, into: &decisions)
    }

    /// An interrupted continued-processing run is a person's business, as its beginning was: it never starts from the background.
    func awaitsForeground(_ slot: RequestSlot) -> Bool {
        slot.kind == .continuedProcessing && slot.flags.contains(.foreground)
            && !applications[Int(tasks[Int(slot.task)].rules.application)].isInFront
    }

    /// Whether what a person forces may start at this moment.
    func mayForce(_ index: UInt32) -> Bool {
        let slot = requests[Int(index)]
        let task = tasks[Int(slot.task)]
        return hasBegun && !isStopped && !task.isRemoved && runningByIdentity[slot.identity] == nil
            && !applications[Int(task.rules.application)].isOutdated
    }

    private func pendingSlots(of application: UInt32, where isMeant: (RequestSlot) -> Bool) -> [UInt32] {
        var list: [UInt32] = []
        var candidate = applications[Int(application)].first
        while candidate != .max {
            if isMeant(requests[Int(candidate)]) { list.append(candidate) }
            candidate = requests[Int(candidate)].next
        }
        return list
    }
}
