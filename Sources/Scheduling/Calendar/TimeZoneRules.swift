/// When the clocks of a time zone differ from UTC, and by how much. A value: reading files is the host's.
///
/// Times are whole seconds since 1970-01-01T00:00:00: of UTC, or of the zone's own calendar where they are called local.
package struct TimeZoneRules: Sendable, Equatable {
    /// A time during which the difference stays the same.
    package struct Period: Sendable, Equatable {
        /// Second of UTC; `Int64.min` for the first one.
        package var start: Int64
        /// The first second of UTC after it; `Int64.max` for the last one.
        package var end: Int64
        /// Seconds to add to UTC.
        package var offset: Int64
    }

    /// An offset further from UTC is invalid (RFC 9636 §3.2), which bounds every search.
    static let offsets: ClosedRange<Int64> = -89_999...93_599

    /// Before the first of `changes`.
    let first: Int64
    /// In the order of time.
    let changes: [Change]
    /// Holds after the last of `changes`; nil: the last offset stays.
    let rule: RecurringRule?

    struct Change: Sendable, Equatable {
        /// Second of UTC.
        var at: Int64
        var offset: Int64
    }

    init(first: Int64, changes: [Change], rule: RecurringRule?) {
        self.first = first
        self.changes = changes
        self.rule = rule
    }

    package static let utc = TimeZoneRules(first: 0, changes: [], rule: nil)

    /// The period at a second of UTC.
    package func period(at time: Int64) -> Period {
        // The first change after `time`.
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        if low < changes.count {
            return Period(
                start: low > 0 ? changes[low - 1].at : .min, end: changes[low].at,
                offset: low > 0 ? changes[low - 1].offset : first)
        }
        let start = changes.last?.at ?? .min
        guard let rule else { return Period(start: start, end: .max, offset: changes.last?.offset ?? first) }
        var period = rule.period(at: time)
        period.start = max(period.start, start)
        return period
    }

    /// Seconds to add to UTC at a second of UTC.
    package func offset(at time: Int64) -> Int64 { period(at: time).offset }

    /// The first second at which the local clock shows `local` or later: that of a time which a gap skips is the end of the gap, that of
    /// a time which comes twice its first occurrence. Never decreases when `local` grows.
    package func firstTime(reaching local: Int64) -> Int64 {
        // Nowhere does the clock show it earlier than this.
        var period = period(at: local - Self.offsets.upperBound)
        while true {
            let time = max(period.start, local - period.offset)
            if time < period.end { return time }
            period = self.period(at: period.end)
        }
    }

    /// The latest time that the local clock has shown up to a second of UTC: its present time, unless it was set back
    /// shortly before.
    package func latestLocal(upTo time: Int64) -> Int64 {
        var period = period(at: time)
        var latest = time + period.offset
        // An earlier change cannot reach beyond the present local time, however large it was.
        let reach = Self.offsets.upperBound - Self.offsets.lowerBound
        while period.start != .min, period.start > time - reach {
            let end = period.start
            period = self.period(at: end - 1)
            latest = max(latest, end - 1 + period.offset)
        }
        return latest
    }
}
