import TaskModel

/// The difference of a zone from UTC that comes back every year: the TZ string of POSIX at the end of a zone file
/// (RFC 9636 §3.3.1), such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct RecurringRule: Sendable, Equatable {
    /// Seconds to add to UTC.
    var standard: Int64
    /// nil: no daylight saving time.
    var daylight: Daylight?

    struct Daylight: Sendable, Equatable {
        var offset: Int64
        /// In local standard time.
        var start: YearlyTime
        /// In local daylight time.
        var end: YearlyTime
    }

    /// A day of every year and a second of it, which may be up to a week before or after that day.
    struct YearlyTime: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            /// 1 to 365: 29 February is never counted.
            case julian(Int64)
            /// 0 to 365: 29 February is counted.
            case ordinal(Int64)
            /// Month 1 to 12; week 1 to 5, 5 the last; weekday 0 (Sunday) to 6.
            case weekday(month: Int64, week: Int64, weekday: Int64)
        }
        var day: Day
        var second: Int64

        /// As if UTC: seconds since 1970.
        func local(year: Int64) -> Int64 { dayNumber(year: year) * 86_400 + second }

        private func dayNumber(year: Int64) -> Int64 {
            let newYear = CivilDate(year: year, month: 1, day: 1).dayNumber
            switch day {
            case .julian(let day): return newYear + day - 1 + (CivilDate.isLeap(year) && day >= 60 ? 1 : 0)
            case .ordinal(let day): return newYear + day
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1).dayNumber
                let length = CivilDate.days(ofMonth: month, year: year)
                let step = (weekday - CivilDate.weekday(ofDay: first) + 7) % 7 + (week - 1) * 7
                return first + (step < length ? step : step - 7)
            }
        }
    }

    /// The period at a second of UTC.
    func period(at time: Int64) -> TimeZoneRules.Period {
        guard let daylight else { return TimeZoneRules.Period(start: .min, end: .max, offset: standard) }
        var period = TimeZoneRules.Period(start: .min, end: .max, offset: standard)
        // The UTC year may be off by one near its ends, and a day may be a week outside its year.
        let year = CivilDate(dayNumber: time.flooredDivision(by: 86_400).quotient).year
        for year in year - 2...year + 2 {
            // The end of one year may be the very start of the next: then it is daylight time throughout, hence `>=`.
            let changes = [
                (daylight.end.local(year: year) - daylight.offset, standard),
                (daylight.start.local(year: year) - standard, daylight.offset),
            ]
            for (at, offset) in changes {
                if at <= time {
                    if at > period.start || at == period.start && offset == daylight.offset {
                        period.start = at
                        period.offset = offset
                    }
                } else {
                    period.end = min(period.end, at)
                }
            }
        }
        return period
    }
}
