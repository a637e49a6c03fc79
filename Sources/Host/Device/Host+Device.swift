import Conditions
import Linux
import Record
import Scheduling
import Store
package import TaskModel

// What the machine and its user are doing, and what a person says instead.
extension Host {
    /// Takes in what the sources see. The scheduler decides in the same turn.
    package func observe(_ conditions: DeviceConditions, sources: [ConditionName: String]) {
        var conditions = conditions
        conditions.diskLow = device.observed.diskLow
        device.sources = sources
        take(device.observe(conditions, at: now.time))
    }

    /// Takes in whether the disk is nearly full.
    func setDiskLow(_ isLow: Bool) {
        var conditions = device.observed
        conditions.diskLow = Answer(isLow)
        take(device.observe(conditions, at: now.time))
    }

    /// Looks at what is not watched while nobody minds it, before something is started that does.
    func lookAtDevice() {
        let all = Interest(pressure: true, idleness: true)
        guard let monitor, monitor.interest != all else { return }
        monitor.interest = all
        monitor.refresh()
        monitor.advance(to: now)
    }

    /// Watches what somebody minds, and nothing else: each watch costs wake-ups.
    func settleInterest() {
        monitor?.interest = Interest(
            pressure: scheduler.minds(.memory) || scheduler.minds(.cpu), idleness: scheduler.minds(.user))
    }

    /// Makes a condition count as the word says until it is reset, over restarts too. False for a word that it does not know.
    package func overrideCondition(_ name: ConditionName, _ word: String) -> Bool {
        guard let changed = device.override(name, word, at: now.time) else { return false }
        requests.writes.append(.override(name, word))
        note(.deviceOverride, name.rawValue, "set to \(word)")
        take(changed)
        return true
    }

    /// Lets what is observed count again.
    package func resetConditions() {
        let changed = device.reset(at: now.time)
        requests.writes.append(.clearOverrides)
        note(.deviceReset, "", "what is observed counts again")
        take(changed)
    }

    /// The overrides that were in force when the last host ended.
    func restoreOverrides() throws(StoreError) {
        for (name, value) in try store.overrides() {
            take(device.override(name, value, at: now.time) ?? [])
        }
    }

    private func take(_ changed: [ConditionName]) {
        guard !changed.isEmpty else { return }
        requests.writes.append(.device(changed.map { ($0, $0.text(in: device.effective)) }))
        scheduler.setConditions(device.effective, at: now, into: &requests.decisions)
        settleDecisions()
        audience?.deviceChanged(in: self)
    }
}
