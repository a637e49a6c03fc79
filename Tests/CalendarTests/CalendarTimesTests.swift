import Manifests
import Scheduling
import TaskModel
import TestSupport
import Testing

/// The times of calendar expressions.
@Suite struct CalendarTimesTests {
    @Test func theTableIsThere() throws { #expect(try Tables.cases().count == 240) }

    @Test("Around changes of the clocks the times are those that walking over every minute gives")
    func table() throws {
        for expected in try Tables.cases() {
            let rule = try ScheduleRule(expected.expression, in: Tables.zone(expected.zone))
            let times = rule.times(after: expected.start, before: expected.end)
            #expect(times == expected.times, "\(expected.name)")
        }
    }

    @Test("Rare dates are found by jumping, however far away")
    func rareDates() throws {
        func next(_ expression: String, _ after: String) throws -> String? {
            let rule = try ScheduleRule(expression, in: .utc)
            return rule.next(after: try #require(Self.time(after)))?.iso8601
        }
        #expect(try next("0 0 29 2 *", "2096-02-29") == "2104-02-29T00:00:00.000Z")
        #expect(try next("0 0 29 2 */7", "2026-01-01") == "2032-02-29T00:00:00.000Z")
        #expect(try next("0 0 29 2 */7", "2088-02-29") == "2128-02-29T00:00:00.000Z")
        #expect(try next("59 23 31 12 *", "2026-12-31") == "2026-12-31T23:59:00.000Z")
        #expect(try next("* * * * *", "2026-12-31") == "2026-12-31T00:01:00.000Z")
        #expect(try next("0 0 1 1 *", "2261-12-31") == "2262-01-01T00:00:00.000Z")
        #expect(try next("0 0 1 1 *", "2262-01-01") == nil)
        #expect(try next("0 0 31 12 *", "2262-01-01") == nil)
        #expect(try next("0 0 13 * FRI", "2026-11-01") == "2026-11-06T00:00:00.000Z")
        #expect(try next("0 0 */13 * FRI", "2026-11-01") == "2026-11-27T00:00:00.000Z")
        #expect(try next("0 0 * * 0", "2026-11-01") == "2026-11-08T00:00:00.000Z")
        #expect(try next("0 0 * * 7", "2026-11-01") == "2026-11-08T00:00:00.000Z")
    }

    @Test("Times before 1970 and at the ends of what a timestamp holds")
    func ends() throws {
        let rule = try ScheduleRule("0 0 1 * *", in: .utc)
        let (begin, february): (Int64, Int64) = (0, -86_400 * 334)
        #expect(rule.next(afterSecond: -1) == begin)
        #expect(rule.next(afterSecond: -86_400 * 365) == february)
        #expect(rule.next(after: Timestamp(nanoseconds: .max)) == nil)
        let first = try #require(rule.next(after: Timestamp(nanoseconds: .min)))
        #expect(first.iso8601 == "1677-10-01T00:00:00.000Z")
        for name in Tables.zones {
            let pace = try ScheduleRule("* * 29 2 *", in: Tables.zone(name))
            #expect(pace.next(after: Timestamp(nanoseconds: .max)) == nil)
            #expect(pace.next(after: Timestamp(nanoseconds: .min)) != nil)
        }
    }

    @Test(
        "A time is strictly later, and nothing between is left out, for any expression and zone",
        arguments: 1...UInt64(Sample.count(30, of: 30)))
    func anyExpression(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let name = try #require(Tables.zones.randomElement(using: &random))
        let zone = try Tables.zone(name)
        let expression = Self.expression(&random)
        let rule = try ScheduleRule(expression, in: zone)
        let changes = try Tables.changes(of: name).map(\.at).filter { $0 > -2_000_000_000 } + [1_767_225_600]
        let middle = try #require(changes.randomElement(using: &random))
        let start = middle - 3 * 86_400 + Int64.random(in: -40...40, using: &random)
        let times = rule.times(after: start, before: start + 6 * 86_400, limit: 20_000)
        let expected = Self.walk(try CalendarSyntax.parse(expression), zone, from: start, to: start + 6 * 86_400)
        #expect(times == expected, "\(expression) in \(name) from \(start)")
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // From wherever one asks, the answer is the next of the same times.
        for _ in 0..<50 {
            let second = Int64.random(in: start..<start + 6 * 86_400, using: &random)
            let next = rule.next(afterSecond: second)
            #expect((next ?? .max) > second)
            #expect(next.flatMap { $0 < start + 6 * 86_400 ? $0 : nil } == times.first { $0 > second })
        }
    }

    /// Walks over every second of the machine's clock at which a minute of the zone's clock begins, or a period does.
    private static func walk(
        _ expression: CalendarExpression, _ zone: TimeZoneRules, from start: Int64, to end: Int64
    ) -> [Int64] {
        func fits(_ minute: Int64) -> Bool {
            let (day, rest) = minute.flooredDivision(by: 86_400)
            let date = CivilDate(dayNumber: day)
            let isDay = expression.days >> UInt32(date.day) & 1 == 1
            let isWeekday = expression.weekdays >> UInt32(CivilDate.weekday(ofDay: day)) & 1 == 1
            let isFree = expression.hasFreeDays || expression.hasFreeWeekdays
            return expression.minutes >> UInt64(rest / 60 % 60) & 1 == 1
                && expression.hours >> UInt32(rest / 3600) & 1 == 1
                && expression.months >> UInt32(date.month) & 1 == 1
                && (isFree ? isDay && isWeekday : isDay || isWeekday)
        }
        // No offset is larger than a day, so two days earlier decide what the clock has shown already.
        var reached = Int64.min
        var times: [Int64] = []
        var period = zone.period(at: start - 2 * 86_400)
        for second in start - 2 * 86_400..<end {
            if second >= period.end { period = zone.period(at: second) }
            let local = second + period.offset
            let minutes = max(reached, local - 60 * 60 * 48)...max(reached, local)
            if expression.isHourly {
                if local % 60 == 0, second > start, fits(local) { times.append(second) }
            } else if local > reached {
                let first = minutes.lowerBound.flooredDivision(by: 60).quotient * 60 + 60
                let hit = stride(from: first, through: local, by: 60).contains(where: fits)
                if hit, second > start, reached != .min { times.append(second) }
            }
            reached = max(reached, local)
        }
        return times
    }

    private static func expression(_ random: inout SeededGenerator) -> String {
        func field(_ range: ClosedRange<Int>, star: Double) -> String {
            if Double.random(in: 0..<1, using: &random) < star { return "*" }
            if Bool.random(using: &random) {
                return "*/\(Int.random(in: 1...min(9, range.upperBound), using: &random))"
            }
            let first = Int.random(in: range, using: &random)
            let last = Int.random(in: first...range.upperBound, using: &random)
            return Bool.random(using: &random) ? "\(first)" : "\(first)-\(last)"
        }
        return [
            field(0...59, star: 0.1), field(0...23, star: 0.3), field(1...28, star: 0.6), field(1...12, star: 0.8),
            field(0...7, star: 0.6),
        ].joined(separator: " ")
    }

    /// Midnight of a date in UTC.
    private static func time(_ date: String) -> Timestamp? {
        let parts = date.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3 else { return nil }
        let day = CivilDate(year: parts[0], month: parts[1], day: parts[2]).dayNumber
        return Timestamp(nanoseconds: day * 86_400_000_000_000)
    }
}
