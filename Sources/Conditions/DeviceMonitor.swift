package import Linux
package import TaskModel

/// Watches the conditions of the machine that work can wait for, and announces changes.
///
/// Each source may be missing; its conditions are then unknown, and the report says why. Nothing is polled. *Thread*: the
/// loop's. `onChange` is called from `serve` and `advance` alone.
package final class DeviceMonitor: EventSource {
    package typealias Change = (DeviceConditions, [ConditionName: String]) -> Void

    /// The conditions that have to be watched now. May be set at any time on the loop's thread.
    package var interest = Interest() {
        didSet { if interest != oldValue { applyInterest() } }
    }

    /// Delay sleep until `allowSleep`, for as long as logind allows (5 s by default).
    package var delaysSleep: Bool {
        get { sleep.delaysSleep }
        set { sleep.delaysSleep = newValue }
    }
    /// Keep the machine awake. When logind refuses that, `sleep` says why.
    package var blocksSleep: Bool {
        get { sleep.blocksSleep }
        set { if newValue != sleep.blocksSleep { sleep.blocksSleep = newValue } }
    }
    /// The end of logind's delay for the sleep that the conditions announce: the time for applications; the rest is the
    /// host's.
    package var sleepWaitsUntil: Instant { sleep.waitsUntil }
    /// Further facts about sleep.
    package var sleepFinding: SleepFinding { sleep.found }
    /// All applications are suspended, and that is recorded: the machine may sleep.
    package func allowSleep() { sleep.allowSleep() }

    private let onChange: Change
    private let changed = ChangeFlag()
    private let power: PowerSupplyWatch
    private let routes: RouteWatch
    private let cpu: PressureWatch
    private let memory: PressureWatch
    private let thermal: ThermalWatch
    private let services: BusServices
    private let bus: SystemBus
    private let sleep: SleepWatch
    private let idleness: IdlenessWatch
    private let parts: [any EventSource]
    /// The parts hold them weakly.
    private var registries: [PartRegistry] = []
    /// The earliest of all parts; stored, since every turn reads it.
    private var deadline = Instant.distantFuture
    private var published: (conditions: DeviceConditions, sources: [ConditionName: String])?

    /// - Parameter onChange: called with all conditions, and for each the name of its source or why it is unknown, soon
    ///   after the start and whenever something in it changed.
    package init(places: MonitorPlaces = .system, onChange: @escaping Change) {
        self.onChange = onChange
        power = PowerSupplyWatch(folder: places.powerSupplies, changed: changed)
        routes = RouteWatch(changed: changed)
        // Half of the time some process waits for a processor; for memory a tenth of it is noticeable.
        cpu = PressureWatch(
            path: places.pressure + "/cpu", thresholds: .init(stall: 1_000_000, calm: 25_00), changed: changed)
        memory = PressureWatch(
            path: places.pressure + "/memory", thresholds: .init(stall: 200_000, calm: 5_00), changed: changed)
        thermal = ThermalWatch(folder: places.thermalZones, changed: changed)
        services = BusServices(changed: changed)
        bus = SystemBus(address: places.bus, services: services.all, changed: changed)
        sleep = SleepWatch(bus: bus, logind: services.logind, changed: changed)
        idleness = IdlenessWatch(logind: services.logind)
        idleness.hearSessions(from: bus)
        parts = [power, routes, cpu, memory, thermal, bus, idleness, sleep]
        changed.raise()
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        for (index, part) in parts.enumerated() {
            let own = PartRegistry(registry, part: index)
            registries.append(own)
            try part.attach(to: own)
        }
        settle()
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        let (index, own) = tag.quotientAndRemainder(dividingBy: PartRegistry.span)
        guard index < parts.count else { return }
        parts[Int(index)].serve(own, ready, at: now)
        publish()
    }

    package var nextDeadline: Instant { changed.isRaised ? Instant(nanoseconds: 0) : deadline }

    package func advance(to now: ClockReading) {
        guard nextDeadline <= now.instant else { return }
        for part in parts where part.nextDeadline <= now.instant { part.advance(to: now) }
        publish()
    }

    /// Whether every source has answered, or is known not to: the values reported so far are complete. An unresponsive bus
    /// takes 5 s to detect.
    package var isSettled: Bool { !changed.isRaised && routes.isSettled && bus.isSettled }

    /// Why the system bus does not answer; nil: it does. `onChange` announces a change.
    package var busFault: String? { bus.fault }

    /// Whether logind answers on it.
    package var hasLogind: Bool { services.logind.owner != nil }

    /// Finds out, on any thread, why pressure cannot be watched, and gives nil when it can.
    package var pressureTrial: @Sendable () -> String? {
        let trials = [cpu.trial, memory.trial].compactMap(\.self)
        return {
            for trial in trials {
                if let fault = trial() { return fault }
            }
            return nil
        }
    }

    /// Reads the sources that announce no changes. For the host before it starts heavy work, or when the user asks. New
    /// values are reported in the next turn.
    package func refresh() {
        power.refresh()
        thermal.refresh()
        services.logind.read()
        settle()
    }

    package func close() {
        for part in parts { part.close() }
        deadline = .distantFuture
        changed.lower()
    }

    private func applyInterest() {
        cpu.isWanted = interest.cpu
        memory.isWanted = interest.memory
        idleness.isWanted = interest.idleness
        if interest.cpu || interest.memory { thermal.refresh() }
        settle()
    }

    private func settle() { deadline = parts.reduce(.distantFuture) { min($0, $1.nextDeadline) } }

    private func publish() {
        settle()
        guard changed.isRaised else { return }
        thermal.refresh()  // announcements do not come everywhere; another change is an occasion to look
        changed.lower()
        var findings = Findings()
        findings.supplies = power.found
        findings.routes = routes.found
        findings.bus = services.findings(fault: bus.fault)
        findings.sleep = sleep.found
        findings.cpu = cpu.found
        findings.memory = memory.found
        findings.thermal = thermal.found
        let now = findings.merged()
        if let published, published.conditions == now.conditions, published.sources == now.sources { return }
        published = now
        onChange(now.conditions, now.sources)
    }
}
