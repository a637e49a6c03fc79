package import TaskModel

/// What each source of conditions last found, and what follows from all of them together.
package struct Findings: Sendable {
    package var supplies: PowerSupplies?
    /// nil: the first look is not complete, or the kernel tells nothing.
    package var routes: DefaultRoutes?
    package init() {}

    /// The conditions, and for each the name of the source that answered, or why it is unknown.
    package func merged() -> (conditions: DeviceConditions, sources: [ConditionName: String]) {
        var conditions = DeviceConditions()
        var sources: [ConditionName: String] = [:]
        mergePower(&conditions, &sources)
        mergeNetwork(&conditions, &sources)
        sources[.lowPower] = "unknown: no service of power profiles answers"
        sources[.user] = "unknown: logind does not answer"
        sources[.cpu] = "unknown: not watched while no work waits for it"
        sources[.memory] = sources[.cpu]
        sources[.thermal] = "unknown: no thermal zone has trip points"
        sources[.refresh] = "default"
        sources[.unlocked] = "default"
        return (conditions, sources)
    }

    private func mergePower(_ conditions: inout DeviceConditions, _ sources: inout [ConditionName: String]) {
        guard let supplies else { return }
        conditions.externalPower = supplies.externalPower
        conditions.batteryLevel = supplies.batteryLevel
        sources[.power] =
            supplies.externalPower == .unknown ? "unknown: the batteries do not say what they do" : "sysfs"
        sources[.battery] = "sysfs"
    }

    private func mergeNetwork(_ conditions: inout DeviceConditions, _ sources: inout [ConditionName: String]) {
        guard let routes else {
            sources[.network] = "unknown: the kernel has not shown its routes"
            return
        }
        conditions.network = routes.isEmpty ? .none : .ok
        sources[.network] = "rtnetlink"
    }
}
