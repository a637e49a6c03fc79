package import TaskModel

/// The conditions as they are observed, as they were overridden, and as they count.
package struct DeviceState {
    package private(set) var observed = DeviceConditions()
    /// Who answers for each condition, or why nobody does.
    package var sources: [ConditionName: String] = [:]
    package private(set) var overrides: [ConditionName: String] = [:]
    /// Since when each counts as what it is; none: since the host started.
    package private(set) var since: [ConditionName: Timestamp] = [:]
    /// What counts.
    package private(set) var effective = DeviceConditions()

    package init() {}

    /// Takes in what was observed. Returns the conditions that count differently now.
    mutating func observe(_ conditions: DeviceConditions, at time: Timestamp) -> [ConditionName] {
        observed = conditions
        return settle(at: time)
    }

    /// Replaces conditions until `reset`, all at once. nil: a word is none of its condition's values, and none is replaced.
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
