internal import Foundation
internal import Scheduling

/// The time zones of this machine, for schedules.
enum ZoneFiles {
    /// UTC where the machine does not have the zone.
    static func rules(named name: String?) -> TimeZoneRules {
        let path = name.map { "/usr/share/zoneinfo/" + $0 } ?? "/etc/localtime"
        guard let bytes = FileManager.default.contents(atPath: path), let rules = try? TimeZoneRules(tzif: Array(bytes))
        else { return .utc }
        return rules
    }
}
