extension Timestamp {
    /// Reads a moment of ISO 8601 in the profile of RFC 3339, such as `2026-03-01T12:00:00Z` or `2026-03-01T12:00:00.25+02:00`;
    /// nil for anything else, and for days that no month has. What does not fit, before 1678 or after 2261, reads as the
    /// nearest moment of these years.
    package init?(iso8601 text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
            scanner.take("-"), let day = scanner.number(digits: 2), scanner.take("T"),
            let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
            scanner.take(":"), let second = scanner.number(digits: 2), let fraction = scanner.fraction(),
            let offset = scanner.offset(), scanner.rest.isEmpty
        else { return nil }
        guard (1...12).contains(month),
            (1...CivilDate.days(ofMonth: month, year: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        guard (1678...2261).contains(year) else {
            self = year < 1678 ? Self.first : Self.last
            return
        }
        let days = CivilDate(year: year, month: month, day: day).dayNumber
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        nanoseconds = seconds * 1_000_000_000 + fraction
    }

    /// 1678-01-01T00:00:00Z and 2261-12-31T23:59:59.999999999Z.
    private static let first = Timestamp(nanoseconds: -9_214_560_000_000_000_000)
    private static let last = Timestamp(nanoseconds: 9_214_646_399_999_999_999)

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits: Int) -> Int64? {
            guard rest.count >= digits else { return nil }
            var value: Int64 = 0
            for byte in rest.prefix(digits) {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            rest.removeFirst(digits)
            return value
        }

        /// Nanoseconds; finer digits are cut. 0 without a fraction, nil for a point without digits.
        mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            var value: Int64 = 0
            var unit: Int64 = 100_000_000
            var isEmpty = true
            while let digit = number(digits: 1) {
                value += digit * unit
                unit /= 10
                isEmpty = false
            }
            return isEmpty ? nil : value
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int64? {
            if take("Z") { return 0 }
            let sign: Int64 = take("+") ? 1 : -1
            guard sign > 0 || take("-"), let hours = number(digits: 2), take(":"), let minutes = number(digits: 2),
                hours < 24, minutes < 60
            else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
