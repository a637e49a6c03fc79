package import Linux
package import TaskModel

/// Watches the machine for what work may be made to wait for, and tells when something changed.
///
/// Each source of knowledge may be missing; then what it would tell is unknown, and the report says why. Nothing is polled.
/// *Thread*: the loop's. `onChange` is called from `serve`, `advance` and `afterCommit` alone.
package final class DeviceMonitor: EventSource {
    package typealias Change = (DeviceConditions, [ConditionName: String]) -> Void

    /// What is worth watching now. May be set at any time on the loop's thread.
    package var interest = Interest() {
        didSet { if interest != oldValue { settle() } }
    }

    private let onChange: Change
    private let changed = ChangeFlag()
    private let power: PowerSupplyWatch
    private let routes: RouteWatch
    private let parts: [any EventSource]
    /// Of all parts; kept, since it is asked for in every turn.
    private var deadline = Instant.distantFuture
    private var published: (conditions: DeviceConditions, sources: [ConditionName: String])?

    /// - Parameter onChange: called with all conditions, and for each the name of its source or why it is unknown, soon
    ///   after the start and whenever something in it changed.
    package init(places: MonitorPlaces = .system, onChange: @escaping Change) {
        self.onChange = onChange
        power = PowerSupplyWatch(folder: places.powerSupplies, changed: changed)
        routes = RouteWatch(changed: changed)
        parts = [power, routes]
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
    /// The parts hold them weakly.
    private var registries: [PartRegistry] = []

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: Moment) {
        let (index, own) = tag.quotientAndRemainder(dividingBy: PartRegistry.span)
        guard index < parts.count else { return }
        parts[Int(index)].serve(own, ready, at: now)
        publish()
    }

    package var nextDeadline: Instant { changed.isRaised ? Instant(nanoseconds: 0) : deadline }

    package func advance(to now: Moment) {
        guard nextDeadline <= now.instant else { return }
        for part in parts where part.nextDeadline <= now.instant { part.advance(to: now) }
        publish()
    }

    /// Looks again at what announces no changes. For the host before it starts heavy work, or when a person asks.
    package func refresh() {
        power.refresh()
        settle()
    }

    package func close() {
        for part in parts { part.close() }
        deadline = .distantFuture
        changed.lower()
    }

    private func settle() { deadline = parts.reduce(.distantFuture) { min($0, $1.nextDeadline) } }

    private func publish() {
        settle()
        guard changed.isRaised else { return }
        changed.lower()
        var findings = Findings()
        findings.supplies = power.found
        findings.routes = routes.found
        let now = findings.merged()
        if let published, published.conditions == now.conditions, published.sources == now.sources { return }
        published = now
        onChange(now.conditions, now.sources)
    }
}
