package import TaskModel

/// What each source of conditions last found, and what follows from all of them together.
package struct Findings: Sendable {
    package var supplies: PowerSupplies?
    /// nil: the first dump is not complete, or the kernel refuses it.
    package var routes: DefaultRoutes?
    package var bus = BusFindings()
    package var sleep = SleepFinding()
    package var cpu = PressureFinding.unwatched
    package var memory = PressureFinding.unwatched
    package var thermal: ThermalState?
    package init() {}

    /// The conditions, and for each the name of the source that answered, or why it is unknown.
    package func merged() -> (conditions: DeviceConditions, sources: [ConditionName: String]) {
        var conditions = DeviceConditions()
        var sources: [ConditionName: String] = [:]
        mergePower(&conditions, &sources)
        mergeNetwork(&conditions, &sources)
        mergeUser(&conditions, &sources)
        conditions.isAsleep = Tristate(sleep.isAsleep)
        sources[.sleep] = sleepSource
        (conditions.cpuPressure, sources[.cpu]) = cpu.answer
        (conditions.memoryPressure, sources[.memory]) = memory.answer
        conditions.thermal = thermal ?? .unknown
        sources[.thermal] = thermal == nil ? "unknown: no thermal zone has trip points" : "thermal zones"
        sources[.refresh] = "default"
        sources[.unlocked] = "default"
        sources[.window] = "default"
        sources[.disk] = "the state folder's file system"
        return (conditions, sources)
    }

    private func mergePower(_ conditions: inout DeviceConditions, _ sources: inout [ConditionName: String]) {
        // UPower sees what sysfs shows and more, such as a UPS on USB.
        if let onBattery = bus.onBattery {
            conditions.externalPower = Tristate(!onBattery)
            sources[.power] = "UPower"
        } else if let supplies, supplies.externalPower != .unknown {
            conditions.externalPower = supplies.externalPower
            sources[.power] = "sysfs"
        } else {
            sources[.power] = "unknown: the batteries do not say what they do"
        }
        if let battery = bus.battery {
            conditions.batteryLevel = battery
            sources[.battery] = "UPower"
        } else {
            conditions.batteryLevel = supplies?.batteryLevel
            sources[.battery] = "sysfs"
        }
        if let profile = bus.profile {
            conditions.lowPowerMode = Tristate(profile == "power-saver")
            sources[.lowPower] = "power-profiles-daemon"
        } else {
            sources[.lowPower] = unknown(bus.hasProfiles, "power-profiles-daemon")
        }
    }

    private func mergeNetwork(_ conditions: inout DeviceConditions, _ sources: inout [ConditionName: String]) {
        guard let routes else {
            sources[.network] = "unknown: the kernel has not shown its routes"
            return
        }
        sources[.network] = "rtnetlink"
        guard !routes.isEmpty else {
            conditions.network = .none
            return
        }
        conditions.network = .ok
        if bus.connectivity == 2 {
            // Only the portal's page can be reached before a login.
            conditions.network = .none
            sources[.network] = "NetworkManager: a captive portal asks for a login"
        } else if bus.metered == 1 || bus.metered == 3 {
            conditions.network = .constrained
            sources[.network] = "rtnetlink, NetworkManager"
        } else if bus.metered != nil {
            sources[.network] = "rtnetlink, NetworkManager"
        }
    }

    private func mergeUser(_ conditions: inout DeviceConditions, _ sources: inout [ConditionName: String]) {
        if let isIdle = bus.isIdle {
            conditions.userActive = Tristate(!isIdle)
            sources[.user] = "logind"
        } else {
            sources[.user] = unknown(bus.hasLogind, "logind")
        }
    }

    /// The source of sleep, and how much warning it gives. While the host runs the machine is awake, so this is never
    /// unknown.
    private var sleepSource: String {
        if let fault = bus.fault { return "default; no notice before the machine sleeps: " + fault }
        guard bus.hasLogind else { return "default; no notice before the machine sleeps: logind does not run" }
        var parts = ["logind"]
        if let refusal = sleep.delayRefusal {
            parts.append("it does not let the host delay sleep (\(refusal)), so the host gets no notice")
        } else if sleep.isDelayed && sleep.patience < .seconds(6) {
            let rest = max(.zero, min(.seconds(5), sleep.patience - .milliseconds(500)))
            parts.append("sleep waits for \(sleep.patience) (InhibitDelayMaxSec), of which applications get \(rest)")
        }
        if sleep.isBlocked { parts.append("the machine is kept awake") }
        if let refusal = sleep.blockRefusal {
            parts.append("it does not let the host keep the machine awake (\(refusal)): sleep suspends runs")
        }
        return parts.joined(separator: "; ")
    }

    private func unknown(_ isThere: Bool, _ service: String) -> String {
        if let fault = bus.fault { return "unknown: " + fault }
        return isThere ? "unknown: \(service) does not answer" : "unknown: \(service) does not run"
    }
}
