import Linux
package import TaskModel

/// The hottest of the machine's thermal zones, each against its own trip points
/// (Documentation/driver-api/thermal/sysfs-api.rst of the kernel).
package enum ThermalZones {
    /// How many zones, and trip points of each, are read at most.
    package static let most = 64
    private static let mostTrips = 16
    /// A zone this close below the point where it slows the machine down is warm, in thousandths of a degree.
    private static let nearness = 10_000

    /// nil: no zone has a temperature and a trip point to measure it by.
    package static func state(reading folder: String) -> ThermalState? {
        let names = (try? FileSystem.names(in: folder)) ?? []
        return names.filter { $0.hasPrefix("thermal_zone") }.prefix(most)
            .compactMap { state(ofZone: folder + "/" + $0) }.max()
    }

    /// Beyond its active points (fans) or near its passive one a zone is fair; beyond the passive one, where the kernel slows
    /// the machine down, serious; beyond the hot or near the critical one, where it will be switched off, critical.
    private static func state(ofZone zone: String) -> ThermalState? {
        guard let temperature = number(zone + "/temp") else { return nil }
        var state: ThermalState?
        for index in 0..<mostTrips {
            guard let type = text("\(zone)/trip_point_\(index)_type") else { break }
            // Points that drivers leave unset read as zero or below it.
            guard let limit = number("\(zone)/trip_point_\(index)_temp"), limit > 0 else { continue }
            let reached: ThermalState
            switch type {
            case "active": reached = temperature >= limit ? .fair : .nominal
            case "passive":
                reached = temperature >= limit ? .serious : temperature >= limit - nearness ? .fair : .nominal
            case "hot": reached = temperature >= limit ? .critical : .nominal
            case "critical": reached = temperature >= limit - nearness / 2 ? .critical : .nominal
            default: continue
            }
            state = max(state ?? .nominal, reached)
        }
        return state
    }

    private static func text(_ path: String) -> String? {
        (try? FileText.read(path, limit: 4096)).map { String($0.prefix { $0 != "\n" && $0 != "\0" }) }
    }

    private static func number(_ path: String) -> Int? { text(path).flatMap { Int32($0) }.map { Int($0) } }
}
