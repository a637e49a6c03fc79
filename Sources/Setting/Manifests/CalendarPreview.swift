package import Manifests
import Scheduling
package import TaskModel

/// The times of a calendar expression, as a schedule with it would have them.
package struct CalendarPreview {
    /// One time, and how far its zone's clocks are ahead of UTC then, in seconds.
    package struct Time {
        package var at: Timestamp
        package var offset: Int64

        /// Date, time and offset of the zone's clocks: `2026-11-24 02:30:00 +01:00`.
        package var local: String { at.local(offset: offset) }
    }

    private let rule: ScheduleRule
    private let zone: TimeZoneRules

    /// - Parameter zone: an IANA name; nil: the machine's own.
    /// - Throws: why there is no such expression or zone.
    package init(_ text: String, zone name: String?) throws(SyntaxFault) {
        let zones = TimeZones()
        guard let zone = zones.rules(named: name) else {
            throw SyntaxFault(
                at: 0, found: "\"\(name ?? "")\": \(name.flatMap(zones.lack)?.description ?? "unknown")",
                expected: "a time zone that this machine has")
        }
        self.zone = zone
        rule = ScheduleRule(Schedule(calendar: try CalendarSyntax.parse(text)), zone: zone, seed: 0)
    }

    /// The next times, strictly later than `time`: `count`, or fewer when there are no more before the year 2262.
    package func times(after time: Timestamp, count: Int) -> [Time] {
        var times: [Time] = []
        var last = time
        while times.count < count, let next = rule.next(after: last) {
            times.append(
                Time(at: next, offset: zone.offset(at: next.nanoseconds.flooredDivision(by: 1_000_000_000).quotient)))
            last = next
        }
        return times
    }
}
