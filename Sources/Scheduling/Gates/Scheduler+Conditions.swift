package import TaskModel

// The machine changes: classes of requests pass or wait, and runs lose what they need.
extension Scheduler {
    package mutating func setConditions(
        _ conditions: DeviceConditions, at now: Moment, into decisions: inout [Decision]
    ) {
        observe(now, into: &decisions)
        guard conditions != self.conditions else { return }
        self.conditions = conditions
        let new = Obstacles(conditions, lowBattery: limits.lowBattery)
        if new != obstacles {
            conditionLog.record(obstacles, new, at: now.time)
            obstacles = new
            passing = ClassMask.passing(new)
        }
        for index in running {
            let slot = requests[Int(index)]
            guard slot.flags.isDisjoint(with: [.forced, .expired]), let reason = loss(of: slot.group) else { continue }
            requests[Int(index)].flags.insert(.expired)
            decisions.append(.expire(handle(index), reason))
        }
        startReady(at: now, into: &decisions)
    }

    /// What a run of that class has lost; nil: nothing. Not to know is no loss: a source that restarts kills no run.
    private func loss(of group: ConditionClass) -> Reason? {
        guard group.kind != .continuedProcessing else { return nil }
        if group.requiresPower && conditions.externalPower == .no { return .powerLost }
        if let network = group.network, conditions.network != .unknown, conditions.network < network {
            return .networkLost
        }
        if group.requiresIdle && conditions.userActive == .yes { return .userActive }
        if conditions.memoryPressure == .yes { return .memoryPressure }
        return conditions.thermal == .critical ? .thermal : nil
    }
}
