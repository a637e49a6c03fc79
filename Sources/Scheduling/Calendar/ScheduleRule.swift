package import TaskModel

/// The times at which a schedule wants its task to run. The same host and task get the same times for ever: neither a
/// restart nor a reload moves them.
package struct ScheduleRule: Sendable, Equatable {
    private enum Times: Sendable, Equatable {
        /// Nanoseconds: every multiple of it since 1970.
        case every(Int64)
        case calendar(CalendarTimes)
    }

    private let times: Times
    /// Nanoseconds, added to every time.
    private let delay: Int64
    package let catchUp: CatchUp

    /// - Parameters:
    ///   - zone: of the schedule's calendar; anything for one that has none.
    ///   - seed: `seed(machine:identifier:)`.
    package init(_ schedule: Schedule, zone: TimeZoneRules, seed: UInt64) {
        if let calendar = schedule.calendar {
            times = .calendar(CalendarTimes(expression: calendar, zone: zone))
        } else {
            times = .every(max(1, schedule.every?.nanoseconds ?? Int64.max))
        }
        // Whole milliseconds, so that a printed time is the true one.
        let slots = UInt64(max(0, schedule.jitter.nanoseconds) / 1_000_000)
        delay = Int64(slots.multipliedFullWidth(by: seed).high) * 1_000_000
        catchUp = schedule.catchUp
    }

    /// The next time, strictly later than `time`; nil: never again before the year 2262, where timestamps end.
    package func next(after time: Timestamp) -> Timestamp? {
        let (base, underflow) = time.nanoseconds.subtractingReportingOverflow(delay)
        let found: Int64? =
            switch times {
            case .every(let length): Self.multiple(of: length, after: underflow ? .min : base)
            case .calendar(let times): times.next(after: underflow ? .min : base)
            }
        guard let found else { return nil }
        let (delayed, overflow) = found.addingReportingOverflow(delay)
        return overflow ? nil : Timestamp(nanoseconds: delayed)
    }

    /// A number that is the same for one machine and task for ever, and spreads evenly over all of them.
    package static func seed(machine: [UInt8], identifier: String) -> UInt64 {
        // FNV-1a, then the finalizer of SplitMix64: FNV alone leaves the high bits of short texts alike.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in [machine, [0], Array(identifier.utf8)] {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    private static func multiple(of length: Int64, after time: Int64) -> Int64? {
        let (sum, overflow) = time.addingReportingOverflow(length - time.flooredDivision(by: length).remainder)
        return overflow ? nil : sum
    }
}
