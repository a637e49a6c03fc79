/// The dates of feeds: RFC 822 with its later forms (RSS), RFC 3339 (Atom). Read without locale and without calendar.
package enum FeedDate {
    /// Seconds since 1970-01-01T00:00:00Z; nil for what is neither.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8.prefix(64))
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }) else { return nil }
        let isISO = bytes.count > start + 4 && bytes[start + 4] == UInt8(ascii: "-")
        var scanner = Scanner(bytes: bytes, position: start)
        return isISO ? scanner.iso() : scanner.mail()
    }

    /// Days from 1970-01-01 to a proleptic Gregorian date, counted from 1 March in eras of 400 years.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// The zones of RFC 822, hours from Greenwich.
    private static let zones: [String: Int64] = [
        "ut": 0, "gmt": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
        "pst": -8,
        "pdt": -7,
    ]

    private struct Scanner {
        let bytes: [UInt8]
        var position: Int

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func take(_ character: Character) -> Bool {
            guard let next, next == character.asciiValue else { return false }
            position += 1
            return true
        }

        mutating func skipSpaces() {
            while let next, next <= 0x20 { position += 1 }
        }

        mutating func number(_ digits: ClosedRange<Int>) -> Int64? {
            let start = position
            var value: Int64 = 0
            while let next, (0x30...0x39).contains(next), position - start < digits.upperBound {
                value = value * 10 + Int64(next - 0x30)
                position += 1
            }
            return position - start >= digits.lowerBound ? value : nil
        }

        mutating func word() -> String {
            var letters: [UInt8] = []
            while let next, (0x61...0x7A).contains(next | 0x20) {
                letters.append(next | 0x20)
                position += 1
            }
            return String(decoding: letters, as: UTF8.self)
        }

        /// `+hh:mm`, `-hhmm`: seconds from Greenwich.
        mutating func offset() -> Int64? {
            let isWest = next == UInt8(ascii: "-")
            guard take("+") || take("-"), let hours = number(2...2) else { return nil }
            _ = take(":")
            guard let minutes = number(2...2), hours < 24, minutes < 60 else { return nil }
            return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        }

        /// `2003-12-13T18:30:02.25+01:00`, or the date alone.
        mutating func iso() -> Int64? {
            guard let year = number(4...4), take("-"), let month = number(2...2), take("-"), let day = number(2...2)
            else { return nil }
            guard take("T") || take("t") || take(" ") else { return seconds(year, month, day, 0, 0, 0, 0) }
            guard let hour = number(2...2), take(":"), let minute = number(2...2) else { return nil }
            let second = take(":") ? number(2...2) : 0
            if take(".") { while number(1...9) != nil {} }
            guard let second, let zone = take("Z") || take("z") ? 0 : offset() else { return nil }
            return seconds(year, month, day, hour, minute, second, zone)
        }

        /// `Sat, 07 Sep 2002 00:00:01 GMT`; the day's name, the seconds and the zone may be missing.
        mutating func mail() -> Int64? {
            if !word().isEmpty {
                _ = take(",")
                skipSpaces()
            }
            guard let day = number(1...2) else { return nil }
            skipSpaces()
            guard let month = FeedDate.months.firstIndex(of: String(word().prefix(3))) else { return nil }
            skipSpaces()
            guard var year = number(2...4) else { return nil }
            // Two digits: RFC 2822, section 4.3.
            if year < 50 { year += 2000 } else if year < 1000 { year += 1900 }
            skipSpaces()
            guard let hour = number(1...2), take(":"), let minute = number(2...2) else {
                return seconds(year, Int64(month) + 1, day, 0, 0, 0, 0)
            }
            let second = take(":") ? number(2...2) : 0
            skipSpaces()
            let zone = offset() ?? (FeedDate.zones[word()] ?? 0) * 3600
            guard let second else { return nil }
            return seconds(year, Int64(month) + 1, day, hour, minute, second, zone)
        }

        private func seconds(
            _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64, _ zone: Int64
        ) -> Int64? {
            guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60 else {
                return nil
            }
            return FeedDate.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
                - zone
        }
    }
}
