/// A time of the calendar: nanoseconds since 1970-01-01T00:00:00Z. For records and for display, never for delays.
package struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }
    /// Saturates: a damaged record may hold any number.
    package static func - (a: Timestamp, b: Timestamp) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.subtractingWithSaturation(b.nanoseconds))
    }
    /// Saturates.
    package static func + (a: Timestamp, b: TimeSpan) -> Timestamp {
        Timestamp(nanoseconds: a.nanoseconds.addingWithSaturation(b.nanoseconds))
    }
    /// Saturates.
    package static func - (a: Timestamp, b: TimeSpan) -> Timestamp {
        Timestamp(nanoseconds: a.nanoseconds.subtractingWithSaturation(b.nanoseconds))
    }

    /// ISO 8601 in UTC with milliseconds, such as `2026-03-01T12:00:00.250Z`.
    package var iso8601: String { fields("T", hasMilliseconds: true) + "Z" }

    /// Date, time and offset of clocks that are so many seconds ahead of UTC: `2026-11-24 02:30:00 +01:00`.
    package func local(offset: Int64, hasMilliseconds: Bool = false) -> String {
        let shown = Timestamp(nanoseconds: nanoseconds.addingWithSaturation(offset * 1_000_000_000))
        let (hours, minutes) = (offset.magnitude / 3600, offset.magnitude / 60 % 60)
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return shown.fields(" ", hasMilliseconds: hasMilliseconds)
            + " \(offset < 0 ? "-" : "+")\(two(hours)):\(two(minutes))"
    }

    /// Date and time of day in UTC.
    private func fields(_ separator: String, hasMilliseconds: Bool) -> String {
        let (seconds, fraction) = nanoseconds.flooredDivision(by: 1_000_000_000)
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let date = CivilDate(dayNumber: day)
        func pad(_ n: Int64, _ width: Int) -> String {
            let text = String(n)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))\(separator)"
            + "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))"
            + (hasMilliseconds ? ".\(pad(fraction / 1_000_000, 3))" : "")
    }
}

extension Int64 {
    /// The sum, or the nearest number that the type has.
    package func addingWithSaturation(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number that the type has.
    package func subtractingWithSaturation(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
