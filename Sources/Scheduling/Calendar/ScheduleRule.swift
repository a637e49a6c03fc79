package import TaskModel

/// The times of a schedule. They are always the same for one host and task: neither a restart nor a reload moves them.
package struct ScheduleRule: Sendable, Equatable {
    private enum Times: Sendable, Equatable {
        /// Nanoseconds: every multiple of it since 1970.
        case every(Int64)
        case calendar(CalendarTimes)
        /// The one time of the present boot; nil: it has passed before.
        case boot(Timestamp?)
    }

    private let times: Times
    /// Nanoseconds, added to every time.
    private let delay: Int64
    package let catchUp: CatchUp
    package let overlap: Overlap

    /// - Parameters:
    ///   - zone: of the schedule's calendar; anything for one that has none.
    ///   - seed: `seed(machine:identifier:)`.
    ///   - boot: the time of a schedule at boot; nil: it has passed.
    package init(_ schedule: Schedule, zone: TimeZoneRules, seed: UInt64, boot: Timestamp? = nil) {
        if schedule.isAtBoot {
            times = .boot(boot)
        } else if let calendar = schedule.calendar {
            times = .calendar(CalendarTimes(expression: calendar, zone: zone))
        } else {
            times = .every(max(1, schedule.every?.nanoseconds ?? Int64.max))
        }
        // Whole milliseconds, so that a printed time is the true one.
        let slots = UInt64(max(0, schedule.jitter.nanoseconds) / 1_000_000)
        delay = Int64(slots.multipliedFullWidth(by: seed).high) * 1_000_000
        catchUp = schedule.catchUp
        overlap = schedule.overlap
    }

    /// The next time, strictly later than `time`; nil: never again before the year 2262, where timestamps end.
    package func next(after time: Timestamp) -> Timestamp? {
        let (base, underflow) = time.nanoseconds.subtractingReportingOverflow(delay)
        let found: Int64? =
            switch times {
            case .every(let length): Self.multiple(of: length, after: underflow ? .min : base)
            case .calendar(let times): times.next(after: underflow ? .min : base)
            case .boot(let time): time.flatMap { underflow || $0.nanoseconds > base ? $0.nanoseconds : nil }
            }
        guard let found else { return nil }
        let (delayed, overflow) = found.addingReportingOverflow(delay)
        return overflow ? nil : Timestamp(nanoseconds: delayed)
    }

    /// Whether it keeps intervals rather than times of day: `every`, and calendars that match every hour. cron(8) also
    /// exempts such jobs when it skips times that a clock shows again after it was set back.
    package var isPace: Bool {
        switch times {
        case .every: true
        case .calendar(let times): times.expression.isHourly
        case .boot: false
        }
    }

    /// The new place of a time of a pace after the clock was set back: `every` continues after the same real time, a
    /// calendar at the nearest matching time.
    func moved(_ time: Timestamp, back step: TimeSpan) -> Timestamp {
        let same = time.nanoseconds.subtractingWithSaturation(step.nanoseconds)
        guard case .calendar = times, let following = next(after: time) else { return Timestamp(nanoseconds: same) }
        let half = following.nanoseconds.subtractingWithSaturation(time.nanoseconds) / 2
        return min(next(after: Timestamp(nanoseconds: same.subtractingWithSaturation(half))) ?? time, time)
    }

    /// Half of the distance between times later.
    func halfway(from time: Timestamp) -> Timestamp {
        let distance: Int64
        switch times {
        case .every(let length): distance = length
        case .calendar:
            guard let first = next(after: time), let second = next(after: first) else { return time }
            distance = second.nanoseconds.subtractingWithSaturation(first.nanoseconds)
        case .boot: return time
        }
        return Timestamp(nanoseconds: time.nanoseconds.addingWithSaturation(distance / 2))
    }

    /// Whether it is one of the times.
    func has(_ time: Timestamp) -> Bool {
        next(after: Timestamp(nanoseconds: time.nanoseconds.subtractingWithSaturation(1))) == time
    }

    /// A number that is the same for one machine and task for ever, and spreads evenly over all of them.
    package static func seed(machine: [UInt8], identifier: String) -> UInt64 {
        // FNV-1a, then the finalizer of SplitMix64: with FNV alone the high bits of short texts are similar.
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
