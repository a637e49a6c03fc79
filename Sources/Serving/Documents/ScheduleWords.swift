package import TaskModel

/// A schedule in English, such as `at 02:30 on Monday to Friday`.
package enum ScheduleWords {
    package static func text(_ schedule: Schedule) -> String {
        if schedule.isAtBoot { return "once a boot of the machine" }
        if let every = schedule.every { return "every \(every)" }
        return schedule.calendar.map(text) ?? "never"
    }

    package static func text(_ calendar: CalendarExpression) -> String {
        let parts = [times(calendar), days(calendar), months(calendar)]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    // MARK: Parts

    private static func times(_ calendar: CalendarExpression) -> String {
        let minutes = values(calendar.minutes, in: 0...59)
        let hours = values(UInt64(calendar.hours), in: 0...23)
        if hours.count == 24 {
            if minutes.count == 60 { return "every minute" }
            if let step = step(of: minutes, in: 0...59) { return "every \(step) minutes" }
            return minutes == [0] ? "every hour" : "every hour at minute \(list(minutes.map(String.init)))"
        }
        if minutes.count * hours.count <= mostTimes {
            let times = hours.flatMap { hour in minutes.map { "\(pair(hour)):\(pair($0))" } }
            return "at \(list(times))"
        }
        let within =
            step(of: hours, in: 0...23).map { "every \($0) hours" } ?? "in the hours \(runs(hours) { pair($0) })"
        if minutes.count == 60 { return "every minute, \(within)" }
        if let step = step(of: minutes, in: 0...59) { return "every \(step) minutes, \(within)" }
        return minutes == [0] ? within : "\(within) at minute \(list(minutes.map(String.init)))"
    }

    /// nil: every day.
    private static func days(_ calendar: CalendarExpression) -> String? {
        let days = values(UInt64(calendar.days), in: 1...31)
        let weekdays = values(UInt64(calendar.weekdays), in: 0...6)
        let dates = days.count == 31 ? nil : "on day \(runs(days) { String($0) }) of the month"
        // Weeks begin with Monday.
        let ordered = weekdays.map { $0 == 0 ? 7 : $0 }.sorted()
        let names = weekdays.count == 7 ? nil : "on \(runs(ordered) { weekdayNames[$0 - 1] })"
        guard let dates, let names else { return dates ?? names }
        // crontab(5): one of them is enough, unless a field begins with a star.
        return dates + (calendar.hasFreeDays || calendar.hasFreeWeekdays ? ", if that is " : " and ")
            + (calendar.hasFreeDays || calendar.hasFreeWeekdays ? String(names.dropFirst(3)) : names)
    }

    /// nil: every month.
    private static func months(_ calendar: CalendarExpression) -> String? {
        let months = values(UInt64(calendar.months), in: 1...12)
        return months.count == 12 ? nil : "in \(runs(months) { monthNames[$0 - 1] })"
    }

    // MARK: Lists

    /// Times of day that are listed one by one.
    private static let mostTimes = 6
    private static let weekdayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func values(_ bits: UInt64, in range: ClosedRange<Int>) -> [Int] {
        range.filter { bits & (1 << UInt64($0)) != 0 }
    }

    /// The distance, when the values are all multiples of it within the range, and fill it; nil: they are not.
    private static func step(of values: [Int], in range: ClosedRange<Int>) -> Int? {
        guard values.count > 1, values[0] == 0 else { return nil }
        let step = values[1]
        guard range.count % step == 0, values == Array(stride(from: 0, through: range.upperBound, by: step)) else {
            return nil
        }
        return step > 1 ? step : nil
    }

    private static func pair(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Neighbours are drawn together: `1 to 5 and 7`.
    private static func runs(_ values: [Int], _ word: (Int) -> String) -> String {
        var parts: [ClosedRange<Int>] = []
        for value in values {
            if let last = parts.last, last.upperBound + 1 == value {
                parts[parts.count - 1] = last.lowerBound...value
            } else {
                parts.append(value...value)
            }
        }
        let words = parts.flatMap { part in
            part.count > 2
                ? ["\(word(part.lowerBound)) to \(word(part.upperBound))"] : part.map(word)
        }
        return list(words)
    }
}
