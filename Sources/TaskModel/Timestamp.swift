/// A moment of the calendar: nanoseconds since 1970-01-01T00:00:00Z. For records and for people, never for delays.
package struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

    /// ISO 8601 in UTC with milliseconds, such as `2026-03-01T12:00:00.250Z`.
    package var iso8601: String {
        let (seconds, fraction) = nanoseconds.flooredDivision(by: 1_000_000_000)
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let date = Self.civil(fromDays: day)
        func pad(_ n: Int64, _ width: Int) -> String {
            let text = String(n)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T"
            + "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2)).\(pad(fraction / 1_000_000, 3))Z"
    }

    /// The proleptic Gregorian date of a day number (day 0 is 1970-01-01), by eras of 400 years that begin on 1 March.
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Quotient rounded towards negative infinity, and the remainder that belongs to it (never negative).
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
