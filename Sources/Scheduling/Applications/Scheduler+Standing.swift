package import TaskModel

// Whether an application is in the foreground, and of the present revision.
extension Scheduler {
    package mutating func setState(
        _ state: ApplicationState, application: ApplicationIndex, at now: ClockReading
    ) {
        observe(now)
        let wasInFront = applications[application].isInFront
        applications[application].state = state
        guard applications[application].isInFront != wasInFront else { return }
        let since = applications[application].foregroundSince
        applications[application].foregroundSince = now.time.nanoseconds
        let waiting = pendingSlots(of: application) {
            $0.kind == .continuedProcessing && $0.flags.contains(.foreground)
        }
        guard !waiting.isEmpty else { return }
        if !wasInFront { noteHold(.foreground, 0, of: application, from: since, to: now.time.nanoseconds) }
        for index in waiting {
            unplace(index)
            place(index)
        }
        startReady()
    }

    /// Whether the application's process belongs to an earlier revision of its manifest or library. None of its requests
    /// starts then: it would occupy a place while it waits for that process.
    package mutating func setOutdated(
        _ outdated: Bool, application: ApplicationIndex, at now: ClockReading
    ) {
        observe(now)
        guard applications[application].isOutdated != outdated else { return }
        let since = applications[application].outdatedSince
        applications[application].isOutdated = outdated
        applications[application].outdatedSince = now.time.nanoseconds
        if !outdated { noteHold(.revision, 0, of: application, from: since, to: now.time.nanoseconds) }
        settle(application)
        guard !outdated else { return }
        for index in pendingSlots(of: application, where: { $0.flags.contains(.forced) }) where mayForce(index) {
            start(index)
        }
        startReady()
    }

    /// Interrupted continued processing belongs to the user, who started it: it never starts from the background.
    func awaitsForeground(_ slot: RequestSlot) -> Bool {
        slot.kind == .continuedProcessing && slot.flags.contains(.foreground)
            && !applications[tasks[slot.task].rules.application].isInFront
    }

    /// Whether a request that the user forces may start now.
    func mayForce(_ index: RequestIndex) -> Bool {
        let slot = requests[index]
        let task = tasks[slot.task]
        return hasBegun && !isStopped && !task.isRemoved && earlierRun(holding: slot) == nil
            && !applications[task.rules.application].isOutdated
    }
}
