package import Conditions
import Engine
import Record
import Scheduling
package import TaskModel
import Transfers

/// The state of the machine and its user, and the user's overrides. Thread: the loop's.
package final class Device {
    package private(set) var state = DeviceState()
    /// Reports the conditions of the machine; nil: all are unknown.
    package weak var monitor: DeviceMonitor?
    /// Reads the free space if a task requires some, and keeps reading while a task lacks it.
    var lookAtSpace: () -> Void = {}
    var watchSpace: () -> Void = {}
    /// Tells workers of another network.
    var tellNetwork: () -> Void = {}
    /// Windows are configured.
    private var hasWindows = false
    private static let windowSource = "the configuration's windows"
    private let decider: Decider
    private let keeper: RecordKeeper
    private let announcer: Announcer
    private let isServed: Bool
    /// The state of sleep that was sent to the engine: that the host is asleep, and that the machine is about to be.
    private var toldOfSleep = (host: false, machine: false)

    init(_ decider: Decider, _ keeper: RecordKeeper, _ announcer: Announcer, isServed: Bool) {
        self.decider = decider
        self.keeper = keeper
        self.announcer = announcer
        self.isServed = isServed
    }

    // MARK: Observing

    /// Stores the observed values. The scheduler decides in the same turn.
    package func observe(_ conditions: DeviceConditions, sources: [ConditionName: String]) {
        var conditions = conditions
        state.sources = sources
        if hasWindows { state.sources[.window] = Self.windowSource }
        lookAtSpace()
        (conditions.diskLow, conditions.freeSpace) = (state.observed.diskLow, state.observed.freeSpace)
        (conditions.windowClosed, conditions.windowEdge) = (state.observed.windowClosed, state.observed.windowEdge)
        take(state.observe(conditions, at: decider.now.time))
    }

    /// Takes in whether the disk is nearly full, and what counts as free.
    func setDisk(isLow: Bool, free: UInt64) {
        var conditions = state.observed
        conditions.diskLow = Tristate(isLow)
        conditions.freeSpace = free
        take(state.observe(conditions, at: decider.now.time))
    }

    /// Takes in when work that may wait is let run.
    func setWindows(_ windows: WorkWindows) {
        var conditions = state.observed
        windows.tell(&conditions, at: decider.now.time)
        hasWindows = true
        state.sources[.window] = Self.windowSource
        take(state.observe(conditions, at: decider.now.time))
    }

    /// Reads sources that are not watched at present, before something that depends on them starts.
    func look() {
        lookAtSpace()
        let all = Interest(cpu: true, memory: true, idleness: true)
        guard let monitor, monitor.interest != all else { return }
        monitor.interest = all
        monitor.refresh()
        monitor.advance(to: decider.now)
    }

    /// Watches the conditions that are needed, and no others: each watch costs wake-ups.
    func settleInterest() {
        monitor?.interest = Interest(
            cpu: decider.requestsMind(.cpu),
            memory: decider.requestsMind(.memory) || decider.hasSuspended,
            idleness: decider.requestsMind(.user))
        watchSpace()
    }

    // MARK: Overriding

    /// Overrides conditions until they are reset, also across restarts. All together: nothing is decided on only some of
    /// them. False for an unknown value; then nothing is changed.
    package func override(_ values: [(name: ConditionName, word: String)]) -> Bool {
        guard let changed = state.override(values, at: decider.now.time) else { return false }
        for (name, word) in values {
            keeper.write(.override(name, word))
            announcer.note(.deviceOverride, name.word, "set to \(word)")
        }
        take(changed)
        return true
    }

    /// Lets the observed values apply again.
    package func reset() {
        let changed = state.reset(at: decider.now.time)
        keeper.write(.overridesCleared)
        announcer.note(.deviceReset, "", "observed values apply again")
        take(changed)
    }

    /// The overrides that were in force when the last host ended.
    func restoreOverrides() throws(StoreError) {
        // A value that only another version knows is ignored, and does not affect the others.
        let known = try keeper.reader.overrides().filter { name, word in
            var conditions = DeviceConditions()
            return name.set(word, in: &conditions)
        }
        take(state.override(known.map { ($0.key, $0.value) }, at: decider.now.time) ?? [])
    }

    /// Tells the engine about sleep: the machine's, which waits for a moment, and an override, which waits for nothing.
    /// Without a daemon there is no sleep.
    private func settleSleep() {
        guard isServed else { return }
        let sleeps = (host: state.effective.isAsleep == .yes, machine: state.observed.isAsleep == .yes)
        if sleeps.machine && !toldOfSleep.machine {
            // Even when the host is asleep already, the machine needs its permission to sleep.
            decider.hear(.sleeps(waitsUntil: monitor?.sleepWaitsUntil ?? decider.now.instant))
        } else if sleeps.host != toldOfSleep.host {
            decider.hear(sleeps.host ? .sleeps(waitsUntil: .distantFuture) : .awoke)
        }
        toldOfSleep = sleeps
    }

    /// All applications are suspended, and that is recorded.
    func allowSleep() { monitor?.allowSleep() }

    private func take(_ changed: [ConditionName]) {
        settleSleep()
        // The next change of a window may be new although nothing else is.
        guard !changed.isEmpty || state.effective != decider.conditions else { return }
        for name in changed {
            keeper.write(
                .device(
                    DeviceLogEntry(at: decider.now.time, condition: name, value: name.text(in: state.effective))))
        }
        if changed.contains(.memory) { decider.hear(.memoryPressure(state.effective.memoryPressure == .yes)) }
        decider.setConditions(state.effective)
        if changed.contains(.network) { tellNetwork() }
        announcer.audience?.deviceChanged()
    }
}
