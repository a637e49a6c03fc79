package import TaskModel

/// The conditions as they are observed, as they were overridden, and as they count.
package struct DeviceState {
    package private(set) var observed = DeviceConditions()
    /// The source of each condition, or why there is none.
    package var sources: [ConditionName: String] = [:]
    package private(set) var overrides: [ConditionName: String] = [:]
    /// Since when each has its value; none: since the host started.
    package private(set) var since: [ConditionName: Timestamp] = [:]
    /// What counts.
    package private(set) var effective = DeviceConditions()

    package init() {}

    /// Stores the observed values. Returns the conditions whose effective values changed.
    mutating func observe(_ conditions: DeviceConditions, at time: Timestamp) -> [ConditionName] {
        observed = conditions
        return settle(at: time)
    }

    /// Overrides conditions until `reset`, all at once. nil: a value is invalid, and nothing is changed.
    mutating func override(_ values: [(name: ConditionName, word: String)], at time: Timestamp) -> [ConditionName]? {
        var probe = effective
        for (name, word) in values where !name.set(word, in: &probe) { return nil }
        for (name, word) in values { overrides[name] = word }
        return settle(at: time)
    }

    mutating func reset(at time: Timestamp) -> [ConditionName] {
        overrides.removeAll()
        return settle(at: time)
    }

    private mutating func settle(at time: Timestamp) -> [ConditionName] {
        var conditions = observed
        for (name, word) in overrides { _ = name.set(word, in: &conditions) }
        // No word keeps a machine awake.
        if observed.isAsleep == .yes { conditions.isAsleep = .yes }
        let changed = ConditionName.ofMachine.filter { $0.text(in: conditions) != $0.text(in: effective) }
        for name in changed { since[name] = time }
        effective = conditions
        return changed
    }
}
