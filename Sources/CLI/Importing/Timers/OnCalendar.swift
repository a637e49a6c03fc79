import Manifests

/// A calendar expression of systemd (systemd.time(7)) as the five fields of cron, where they can say the same.
struct OnCalendar: Equatable {
    var fields: String
    /// nil: the machine's.
    var timeZone: String?

    /// Why the five fields cannot say it.
    struct Fault: Error, Equatable {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private static let shorthands = [
        "minutely": "* * * * *", "hourly": "0 * * * *", "daily": "0 0 * * *", "weekly": "0 0 * * 1",
        "monthly": "0 0 1 * *", "yearly": "0 0 1 1 *", "annually": "0 0 1 1 *", "quarterly": "0 0 1 1,4,7,10 *",
        "semiannually": "0 0 1 1,7 *", "semi-annually": "0 0 1 1,7 *", "anually": "0 0 1 1 *",
        "biannually": "0 0 1 1,7 *", "bi-annually": "0 0 1 1,7 *",
    ]
    private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    init(_ text: String) throws(Fault) {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count > 1, let last = words.last, let first = last.first, first.isLetter {
            timeZone = words.removeLast()
        }
        guard !words.isEmpty else { throw Fault("the expression is empty") }
        if words.count == 1, let known = Self.shorthands[words[0].lowercased()] {
            fields = known
            return
        }
        var weekday = "*"
        if let first = words.first?.first, first.isLetter { weekday = try Self.weekdays(words.removeFirst()) }
        var date = "*-*-*"
        if let word = words.first, !word.contains(":") { date = words.removeFirst() }
        let time = words.isEmpty ? "00:00:00" : words.removeFirst()
        guard words.isEmpty else { throw Fault("\(text) is not understood") }
        let (month, day) = try Self.date(date)
        let (hour, minute) = try Self.time(time)
        guard weekday == "*" || day.hasPrefix("*") else {
            throw Fault(
                "\(text) means days of the month that are also these days of the week; five fields mean days that are either"
            )
        }
        fields = [minute, hour, day, month, weekday].joined(separator: " ")
        do throws(SyntaxFault) {
            _ = try CalendarSyntax.parse(fields)
        } catch {
            throw Fault("\(text): \(error)")
        }
    }

    private static func date(_ text: String) throws(Fault) -> (month: String, day: String) {
        guard !text.contains("~") else { throw Fault("\(text) counts from the end of the month") }
        var parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 3 {
            let year = parts.removeFirst()
            guard year == "*" else { throw Fault("\(text) is of certain years") }
        }
        guard parts.count == 2 else { throw Fault("\(text) is not a date") }
        return (try component(parts[0], 1...12), try component(parts[1], 1...31))
    }

    private static func time(_ text: String) throws(Fault) -> (hour: String, minute: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (2...3).contains(parts.count) else { throw Fault("\(text) is not a time") }
        if parts.count == 3, Int(parts[2]) != 0 { throw Fault("\(text) has seconds; a schedule has minutes") }
        return (try component(parts[0], 0...23), try component(parts[1], 0...59))
    }

    /// A list of values, ranges and repetitions.
    private static func component(_ text: String, _ range: ClosedRange<Int>) throws(Fault) -> String {
        var items: [String] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let step = parts.count == 2 ? "/\(try number(parts[1], 1...1_000_000))" : ""
            if parts[0] == "*" {
                items.append("*" + step)
            } else if let dots = parts[0].firstRange(of: "..") {
                let from = try number(String(parts[0][..<dots.lowerBound]), range)
                let to = try number(String(parts[0][dots.upperBound...]), range)
                guard from <= to else { throw Fault("\(item) ends before it begins") }
                items.append("\(from)-\(to)" + step)
            } else {
                let from = try number(parts[0], range)
                items.append(step.isEmpty ? "\(from)" : "\(from)-\(range.upperBound)" + step)
            }
        }
        // A list with `*` in it is `*`; the fields of days look at the first character.
        return items.contains("*") ? "*" : items.joined(separator: ",")
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws(Fault) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Fault("\(text) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func weekdays(_ text: String) throws(Fault) -> String {
        func day(_ word: some StringProtocol) throws(Fault) -> Int {
            guard let index = weekdays.firstIndex(of: String(word.lowercased().prefix(3))) else {
                throw Fault("\(word) is not a day of the week")
            }
            return index
        }
        var days: Set<Int> = []
        for item in text.split(separator: ",") {
            let ends = item.replacing("..", with: "-").split(separator: "-").map(String.init)
            guard let first = ends.first, ends.count <= 2 else { throw Fault("\(item) is not a day of the week") }
            var next = try day(first)
            let last = try day(ends.last ?? first)
            days.insert(next)
            // A range may pass Sunday.
            while next != last {
                next = (next + 1) % 7
                days.insert(next)
            }
        }
        return days.count == 7 ? "*" : days.sorted().map(String.init).joined(separator: ",")
    }
}
