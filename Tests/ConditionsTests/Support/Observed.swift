import Conditions
import TaskModel
import TestSupport

/// A monitor in a loop, and everything it reported.
final class Observed {
    private(set) var conditions = DeviceConditions()
    private(set) var sources: [ConditionName: String] = [:]
    private(set) var changes = 0
    let monitor: DeviceMonitor
    let loop: TestLoop

    /// - Parameter prepare: called before the loop knows it.
    init(_ places: MonitorPlaces, prepare: (DeviceMonitor) -> Void = { _ in }) throws {
        let told = Told()
        monitor = DeviceMonitor(places: places) { told.hear($0, $1) }
        prepare(monitor)
        loop = try TestLoop(monitor)
        told.owner = self
    }

    private final class Told {
        weak var owner: Observed?
        func hear(_ conditions: DeviceConditions, _ sources: [ConditionName: String]) {
            owner?.conditions = conditions
            owner?.sources = sources
            owner?.changes += 1
        }
    }

    func wait(until isDone: (DeviceConditions) -> Bool) throws {
        do {
            try loop.run { isDone(conditions) }
        } catch {
            throw Problem("\(error); last: \(conditions), \(sources)")
        }
    }
}

extension MonitorPlaces {
    /// A machine that reports nothing.
    static var nowhere: MonitorPlaces {
        var places = MonitorPlaces()
        places.powerSupplies = "/nonexistent/power_supply"
        places.thermalZones = "/nonexistent/thermal"
        places.pressure = "/nonexistent/pressure"
        places.bus = nil
        return places
    }
}
