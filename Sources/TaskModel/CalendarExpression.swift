/// Five cron fields as sets of their values: bit n means the value n. Read by `CalendarSyntax` in Manifests.
package struct CalendarExpression: Sendable, Hashable {
    /// As the manifest spells it.
    package var text: String
    /// 0 to 59.
    package var minutes: UInt64
    /// 0 to 23.
    package var hours: UInt32
    /// 1 to 31.
    package var days: UInt32
    /// 1 to 12.
    package var months: UInt32
    /// 0 (Sunday) to 6.
    package var weekdays: UInt32
    /// The field of the days, or of the days of the week, begins with `*`. A day fits when both fields have it; when
    /// neither begins with `*`, one of them is enough (crontab(5)).
    package var hasFreeDays: Bool
    package var hasFreeWeekdays: Bool

    package init(
        text: String, minutes: UInt64, hours: UInt32, days: UInt32, months: UInt32, weekdays: UInt32,
        hasFreeDays: Bool, hasFreeWeekdays: Bool
    ) {
        self.text = text
        self.minutes = minutes
        self.hours = hours
        self.days = days
        self.months = months
        self.weekdays = weekdays
        self.hasFreeDays = hasFreeDays
        self.hasFreeWeekdays = hasFreeWeekdays
    }

    /// It fits every hour: it counts real time, not times of day.
    package var isHourly: Bool { hours == 1 << 24 - 1 }
}
