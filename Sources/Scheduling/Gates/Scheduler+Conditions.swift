package import TaskModel

// Changes of the machine: classes of requests pass or wait, and runs lose conditions.
extension Scheduler {
    package mutating func setConditions(
        _ conditions: DeviceConditions, at now: ClockReading
    ) {
        observe(now)
        guard conditions != self.conditions else { return }
        self.conditions = conditions
        classes.update(conditions, at: now.time)
        forEachRequest(in: running) { scheduler, index in
            let slot = scheduler.requests[index]
            guard slot.flags.isDisjoint(with: [.forced, .expired]),
                let reason = scheduler.classes.loss(of: slot.group)
            else { return }
            scheduler.requests[index].flags.insert(.expired)
            scheduler.decisions.append(.expire(scheduler.requests.handle(index), reason))
        }
        startReady()
    }
}
