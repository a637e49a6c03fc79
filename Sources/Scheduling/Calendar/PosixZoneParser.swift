/// Reads the TZ string of POSIX with the extensions of RFC 9636 §3.3.1: `std offset [dst [offset] , start [/time] , end [/time]]`.
struct PosixZoneParser {
    private let bytes: [UInt8]
    private var offset = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func parse(_ bytes: [UInt8]) throws(TimeZoneFault) -> RecurringRule {
        var parser = PosixZoneParser(bytes)
        guard bytes.count <= 256, let rule = parser.rule(), parser.offset == bytes.count else {
            throw TimeZoneFault("a line for later years that is no TZ string, at its character \(parser.offset + 1)")
        }
        return rule
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func rule() -> RecurringRule? {
        guard skipName(), let west = time(hours: 24), TimeZoneRules.offsets.contains(-west) else { return nil }
        // POSIX counts westwards.
        let standard = -west
        guard peek != nil else { return RecurringRule(standard: standard, daylight: nil) }
        guard skipName() else { return nil }
        var daylight = standard + 3600
        if peek != UInt8(ascii: ",") {
            guard let west = time(hours: 24) else { return nil }
            daylight = -west
        }
        guard TimeZoneRules.offsets.contains(daylight), let start = yearlyTime(), let end = yearlyTime() else {
            return nil
        }
        return RecurringRule(
            standard: standard, daylight: RecurringRule.Daylight(offset: daylight, start: start, end: end))
    }

    /// Three letters or more, or anything of letters, digits and signs between `<` and `>`.
    private mutating func skipName() -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let isQuoted = take(UInt8(ascii: "<"))
        let start = offset
        while let byte = peek, isLetter(byte) || isQuoted && (isDigit(byte) || "+-".utf8.contains(byte)) {
            offset += 1
        }
        return offset - start >= 3 && (!isQuoted || take(UInt8(ascii: ">")))
    }

    /// `,day[/time]`; two in the morning by default.
    private mutating func yearlyTime() -> RecurringRule.YearlyTime? {
        guard take(UInt8(ascii: ",")), let day = day() else { return nil }
        guard take(UInt8(ascii: "/")) else { return RecurringRule.YearlyTime(day: day, second: 2 * 3600) }
        return time(hours: 167).map { RecurringRule.YearlyTime(day: day, second: $0) }
    }

    private mutating func day() -> RecurringRule.YearlyTime.Day? {
        if take(UInt8(ascii: "J")) { return number(1...365).map { .julian($0) } }
        guard take(UInt8(ascii: "M")) else { return number(0...365).map { .ordinal($0) } }
        guard let month = number(1...12), take(UInt8(ascii: ".")), let week = number(1...5), take(UInt8(ascii: ".")),
            let weekday = number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }

    /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
    private mutating func time(hours: Int64) -> Int64? {
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        guard var seconds = number(0...hours).map({ $0 * 3600 }) else { return nil }
        for unit in [Int64(60), 1] where take(UInt8(ascii: ":")) {
            guard let value = number(0...59) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
        var value: Int64 = 0
        let start = offset
        while let byte = peek, (0x30...0x39).contains(byte), offset - start < 3 {
            value = value * 10 + Int64(byte - 0x30)
            offset += 1
        }
        return offset > start && range.contains(value) ? value : nil
    }
}
