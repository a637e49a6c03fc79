import JSON
package import TaskModel

/// The five cron fields of `schedule.calendar`: minute, hour, day of month, month, day of week.
///
/// A field is `*`, a number, a name (months and days of the week), a range, a list of these with commas, and a step
/// `/n` after `*` or a range. 0 and 7 are both Sunday.
package enum CalendarSyntax {
    private struct Field {
        var name: String
        var range: ClosedRange<Int>
        /// Names of the values from `range.lowerBound` on.
        var words: [String] = []
    }
    private struct Values {
        /// Bit n means the value n.
        var bits: UInt64 = 0
        var beginsWithStar: Bool
    }

    private static let fields = [
        Field(name: "minute", range: 0...59),
        Field(name: "hour", range: 0...23),
        Field(name: "day of month", range: 1...31),
        Field(
            name: "month", range: 1...12,
            words: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]),
        Field(name: "day of week", range: 0...7, words: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]),
    ]
    /// Bytes at most.
    package static let maximumLength = 512

    /// Reads the five fields, and checks that some day of some year fits them.
    ///
    /// - Throws: the first fault.
    package static func parse(_ text: String) throws(SyntaxFault) -> CalendarExpression {
        var scanner = try Scanner(text, atMost: maximumLength)
        var values: [Values] = []
        scanner.skipSpaces()
        if scanner.peek == UInt8(ascii: "@") {
            throw scanner.fault(expecting: "five fields", hint: "write \"0 0 * * *\" for @daily, and the like")
        }
        for field in fields {
            guard !scanner.isAtEnd else {
                throw scanner.fault(
                    expecting: "a \(field.name)",
                    hint: "the five fields are minute, hour, day of month, month, day of week")
            }
            values.append(try list(&scanner, field))
            guard scanner.isAtEnd || scanner.peek == UInt8(ascii: " ") || scanner.peek == UInt8(ascii: "\t") else {
                throw scanner.fault(expecting: "',' or a space after the \(field.name)")
            }
            scanner.skipSpaces()
        }
        guard scanner.isAtEnd else {
            throw scanner.fault(expecting: "five fields and no more", hint: "there is no field for seconds or years")
        }
        let weekdays = UInt32(values[4].bits)
        let expression = CalendarExpression(
            text: text, minutes: values[0].bits, hours: UInt32(values[1].bits), days: UInt32(values[2].bits),
            months: UInt32(values[3].bits), weekdays: (weekdays | weekdays >> 7) & 0x7F,
            hasFreeDays: values[2].beginsWithStar, hasFreeWeekdays: values[4].beginsWithStar)
        try checkHappens(expression)
        return expression
    }

    private static func list(_ scanner: inout Scanner, _ field: Field) throws(SyntaxFault) -> Values {
        var values = Values(beginsWithStar: scanner.peek == UInt8(ascii: "*"))
        repeat { values.bits |= try item(&scanner, field) } while scanner.take(UInt8(ascii: ","))
        return values
    }

    private static func item(_ scanner: inout Scanner, _ field: Field) throws(SyntaxFault) -> UInt64 {
        var range = field.range
        let isStar = scanner.take(UInt8(ascii: "*"))
        var isRange = isStar
        if !isStar {
            let start = scanner.offset
            let low = try value(&scanner, field)
            range = low...low
            if scanner.take(UInt8(ascii: "-")) {
                isRange = true
                let high = try value(&scanner, field)
                guard low <= high else {
                    throw SyntaxFault(
                        at: start, found: "a range that runs backwards",
                        expected: "the smaller \(field.name) first",
                        hint: "write a list of two ranges, such as \"22-23,0-5\"")
                }
                range = low...high
            }
        }
        guard scanner.take(UInt8(ascii: "/")) else { return bits(range, step: 1) }
        guard isRange else {
            throw SyntaxFault(
                at: scanner.offset - 1, found: "a step after a single value", expected: "a step after '*' or a range",
                hint: "write \"\(range.lowerBound)-\(field.range.upperBound)/…\"")
        }
        let start = scanner.offset
        let digits = scanner.takeAll(where: ASCII.isDigit)
        guard let step = Int(digits), (1...field.range.upperBound).contains(step) else {
            throw SyntaxFault(
                at: start, found: digits.isEmpty ? "no step" : "the step \(JSONWriter.excerpt(digits, limit: 20))",
                expected: "a step from 1 to \(field.range.upperBound)")
        }
        return bits(range, step: step)
    }

    private static func bits(_ range: ClosedRange<Int>, step: Int) -> UInt64 {
        stride(from: range.lowerBound, through: range.upperBound, by: step).reduce(0) { $0 | 1 << UInt64($1) }
    }

    private static func value(_ scanner: inout Scanner, _ field: Field) throws(SyntaxFault) -> Int {
        let start = scanner.offset
        let expected =
            "a \(field.name) from \(field.range.lowerBound) to \(field.range.upperBound)"
            + (field.words.isEmpty ? "" : " or a name such as \(field.words[1])")
        let word = scanner.takeWord()
        guard !word.isEmpty else { throw scanner.fault(expecting: expected) }
        if let number = Int(word), field.range.contains(number) { return number }
        if let index = field.words.firstIndex(of: word.uppercased()) { return field.range.lowerBound + index }
        throw SyntaxFault(
            at: start, found: JSONWriter.quoted(word, limit: 20), expected: expected,
            hint: Nearest.hint(for: word, among: field.words))
    }

    /// Only with a free day of week does the date alone decide: otherwise either day field is enough, or some month has
    /// such a day. A free one may have a step, `*/2`, yet always has Sunday, on which every date falls in some year.
    private static func checkHappens(_ expression: CalendarExpression) throws(SyntaxFault) {
        guard expression.hasFreeWeekdays else { return }
        let first = expression.days.trailingZeroBitCount
        // Of a leap year.
        let longest =
            (1...12).filter { expression.months >> UInt32($0) & 1 == 1 }
            .map { CivilDate.days(ofMonth: $0, year: 2000) }.max() ?? 0
        guard first <= longest else {
            throw SyntaxFault(
                at: 0, found: "day \(first) of months that are shorter", expected: "a date that some year has")
        }
    }
}
