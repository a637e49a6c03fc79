import TaskModel

/// The times of a calendar expression in a time zone.
///
/// - An expression that names hours means times of day. One that a change of the clocks skips comes at the first second after the gap,
///   one that comes twice only the first time.
/// - An expression that matches every hour is a pace. It follows the local clock: no time in a gap, and both of two equal
///   times, so that the intervals in real time stay the same.
struct CalendarTimes: Sendable, Equatable {
    let expression: CalendarExpression
    let zone: TimeZoneRules

    /// Where a timestamp ends, in seconds.
    private static let horizon = Int64.max / 1_000_000_000

    /// The first time after `nanoseconds`, both since 1970; nil: none before the year 2262.
    func next(after nanoseconds: Int64) -> Int64? {
        let second = nanoseconds.flooredDivision(by: 1_000_000_000).quotient
        let found = expression.isHourly ? nextOfPace(after: second) : nextOfDay(after: second)
        return found.flatMap { $0 <= Self.horizon ? $0 * 1_000_000_000 : nil }
    }

    private func nextOfDay(after second: Int64) -> Int64? {
        // Local times that have passed do not count again when the clock repeats them.
        nextLocal(after: zone.latestLocal(upTo: second)).map(zone.firstTime)
    }

    private func nextOfPace(after second: Int64) -> Int64? {
        var period = zone.period(at: second)
        var from = second
        while true {
            guard let local = nextLocal(after: from + period.offset) else { return nil }
            if local - period.offset < period.end { return local - period.offset }
            from = period.end - 1
            period = zone.period(at: period.end)
        }
    }

    /// The first minute of the zone's calendar after a second of it that fits the expression, field by field.
    private func nextLocal(after second: Int64) -> Int64? {
        let (day, rest) = (second + 60).flooredDivision(by: 86_400)
        let date = CivilDate(dayNumber: day)
        let hour = rest / 3600
        if fits(date, day), let time = nextTime(hour: hour, minute: rest / 60 % 60) { return day * 86_400 + time }
        let first = firstTimeOfDay
        var (year, month, after) = (date.year, date.month, date.day)
        while year <= 2262 {
            if let day = nextDay(year: year, month: month, after: after) { return day * 86_400 + first }
            after = 0
            month += 1
            if month > 12 {
                month = 1
                year += 1
            }
        }
        return nil
    }

    private var firstTimeOfDay: Int64 {
        Int64(expression.hours.trailingZeroBitCount * 3600 + expression.minutes.trailingZeroBitCount * 60)
    }

    /// The first time of a day from a minute on, in seconds; nil: the day has none left.
    private func nextTime(hour: Int64, minute: Int64) -> Int64? {
        if expression.hours >> UInt32(hour) & 1 == 1 {
            let minutes = expression.minutes >> UInt64(minute)
            if minutes != 0 { return hour * 3600 + (minute + Int64(minutes.trailingZeroBitCount)) * 60 }
        }
        let hours = expression.hours >> UInt32(hour + 1)
        guard hours != 0 else { return nil }
        return (hour + 1 + Int64(hours.trailingZeroBitCount)) * 3600
            + Int64(expression.minutes.trailingZeroBitCount) * 60
    }

    private func fits(_ date: CivilDate, _ dayNumber: Int64) -> Bool {
        expression.months >> UInt32(date.month) & 1 == 1
            && fits(day: date.day, weekday: CivilDate.weekday(ofDay: dayNumber))
    }

    private func fits(day: Int64, weekday: Int64) -> Bool {
        let date = expression.days >> UInt32(day) & 1 == 1
        let week = expression.weekdays >> UInt32(weekday) & 1 == 1
        return expression.hasFreeDays || expression.hasFreeWeekdays ? date && week : date || week
    }

    /// The number of the first fitting day of a month after one of its days (0: from the first on).
    private func nextDay(year: Int64, month: Int64, after: Int64) -> Int64? {
        guard expression.months >> UInt32(month) & 1 == 1 else { return nil }
        let first = CivilDate(year: year, month: month, day: 1).dayNumber
        let weekday = CivilDate.weekday(ofDay: first)
        let length = CivilDate.days(ofMonth: month, year: year)
        guard after < length else { return nil }
        for day in after + 1...length where fits(day: day, weekday: (weekday + day - 1) % 7) { return first + day - 1 }
        return nil
    }
}
