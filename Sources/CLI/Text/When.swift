import Control
import Linux
import TaskModel

/// A moment as the command line takes it: what people type, in the zone of this process.
enum When {
    static let forms = """
        ISO 8601 such as 2026-03-01T12:00:00Z, or from now on: 15m, +2h, 7d; or local time: 02:30 (the next one),
                tomorrow, tomorrow 06:00, 2026-03-29, "2026-03-29 02:30"
        """

    static let pastForms = """
        ISO 8601 such as 2026-03-01T12:00:00Z, or before now: 15m, 2h, 7d; or local time: 02:30 (the last one), today,
                yesterday, yesterday 06:00, 2026-03-29, "2026-03-29 02:30"
        """

    /// A moment that has been: a span counts back from now.
    static func past(_ text: String, option: String, now: Timestamp) throws(Failure) -> Timestamp {
        let word = text.hasPrefix("-") ? String(text.dropFirst()) : text
        if let span = TimeSpan(parsing: word) { return now - span }
        if let moment = absolute(text, now: now, isPast: true) { return moment }
        throw refusal(text, option, pastForms)
    }

    /// A moment to come: a span counts from now on.
    static func parse(_ text: String, option: String, now: Timestamp) throws(Failure) -> Timestamp {
        let word = text.hasPrefix("+") ? String(text.dropFirst()) : text
        if let span = TimeSpan(parsing: word) {
            let (sum, overflow) = now.nanoseconds.addingReportingOverflow(span.nanoseconds)
            return Timestamp(nanoseconds: overflow ? .max : sum)
        }
        if let moment = absolute(text, now: now, isPast: false) { return moment }
        throw refusal(text, option, forms)
    }

    private static func refusal(_ text: String, _ option: String, _ forms: String) -> Failure {
        let line = forms.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return .usage("\(option) does not take this; \(text); write \(line)")
    }

    private static func absolute(_ text: String, now: Timestamp, isPast: Bool) -> Timestamp? {
        if let moment = Timestamp(iso8601: text) { return moment }
        guard let today = LocalTime(of: now) else { return nil }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "T" }).map(String.init)
        guard (1...2).contains(words.count) else { return nil }
        if words.count == 1, let time = timeOfDay(words[0]) { return nearest(time, today, now, isPast: isPast) }
        guard var day = date(words[0], today) else { return nil }
        if words.count == 2 {
            guard let time = timeOfDay(words[1]) else { return nil }
            (day.hour, day.minute, day.second) = time
        }
        return day.timestamp
    }

    /// The next moment with that time of day, or the last one.
    private static func nearest(
        _ time: (hour: Int, minute: Int, second: Int), _ today: LocalTime, _ now: Timestamp, isPast: Bool
    ) -> Timestamp? {
        var day = today
        (day.hour, day.minute, day.second) = time
        guard let moment = day.timestamp else { return nil }
        guard isPast ? moment > now : moment <= now else { return moment }
        day.day += isPast ? -1 : 1
        return day.timestamp
    }

    private static func date(_ word: String, _ today: LocalTime) -> LocalTime? {
        var day = LocalTime(year: today.year, month: today.month, day: today.day)
        switch word {
        case "today": return day
        case "tomorrow": day.day += 1
        case "yesterday": day.day -= 1
        default:
            let parts = numbers(word, separator: "-", widths: [4, 2, 2])
            guard parts.count == 3, (1...12).contains(parts[1]),
                (1...length(ofMonth: parts[1], parts[0])).contains(parts[2])
            else { return nil }
            day = LocalTime(year: parts[0], month: parts[1], day: parts[2])
        }
        return day
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func timeOfDay(_ word: String) -> (hour: Int, minute: Int, second: Int)? {
        var parts = numbers(word, separator: ":", widths: [2, 2, 2])
        if parts.isEmpty { parts = numbers(word, separator: ":", widths: [2, 2]) + [0] }
        guard parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] < 60 else { return nil }
        return (parts[0], parts[1], parts[2])
    }

    /// Numbers of digits alone, of these widths or, the first one, less; empty when the word is anything else.
    private static func numbers(_ word: String, separator: Character, widths: [Int]) -> [Int] {
        let parts = word.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == widths.count else { return [] }
        var numbers: [Int] = []
        for (part, width) in zip(parts, widths) {
            let isFirstHour = separator == ":" && numbers.isEmpty && part.utf8.count == 1
            guard part.utf8.count == width || isFirstHour, part.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(part)
            else { return [] }
            numbers.append(number)
        }
        return numbers
    }
}
