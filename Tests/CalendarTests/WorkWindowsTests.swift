import Manifests
import Scheduling
import TaskModel
import TestSupport
import Testing

/// When work that may wait is let run.
@Suite struct WorkWindowsTests {
    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }

    private static func window(
        _ from: String, _ length: TimeSpan, closed: Bool = false
    ) throws -> WindowDefinition {
        WindowDefinition(from: try CalendarSyntax.parse(from), length: length, isClosed: closed)
    }

    private static func windows(_ zone: String = "UTC", _ definitions: WindowDefinition...) throws -> WorkWindows {
        let rules = try Tables.zone(zone)
        return try #require(WorkWindows(definitions) { _ in rules })
    }

    /// The next edges, in turn.
    private static func edges(_ windows: WorkWindows, after text: String, _ count: Int) throws -> [String] {
        var last = try time(text)
        return try (0..<count).map { _ in
            let next = try #require(windows.next(after: last))
            #expect(next.isEdge && windows.isOpen(at: last) != windows.isOpen(at: next.at))
            last = next.at
            return last.iso8601
        }
    }

    @Test func `Open windows let work run in them alone, closed ones everywhere else`() throws {
        let open = try Self.windows("UTC", Self.window("0 1 * * *", .minutes(240)))
        let closed = try Self.windows("UTC", Self.window("0 1 * * *", .minutes(240), closed: true))
        for (time, isInside) in [
            ("2026-03-10T00:59:59.999Z", false), ("2026-03-10T01:00:00Z", true), ("2026-03-10T04:59:59.999Z", true),
            ("2026-03-10T05:00:00Z", false),
        ] {
            #expect(open.isOpen(at: try Self.time(time)) == isInside)
            #expect(closed.isOpen(at: try Self.time(time)) != isInside)
        }
        let edges = ["2026-03-10T01:00:00.000Z", "2026-03-10T05:00:00.000Z", "2026-03-11T01:00:00.000Z"]
        #expect(try Self.edges(open, after: "2026-03-09T12:00:00Z", 3) == edges)
        #expect(try Self.edges(closed, after: "2026-03-09T12:00:00Z", 3) == edges)
    }

    @Test func `A closed window cuts a piece out of an open one`() throws {
        let windows = try Self.windows(
            "UTC", Self.window("0 0 * * *", .minutes(360)), Self.window("0 2 * * *", .minutes(60), closed: true))
        #expect(
            try Self.edges(windows, after: "2026-03-09T12:00:00Z", 4).map { $0.dropFirst(11).prefix(5) } == [
                "00:00", "02:00", "03:00", "06:00",
            ])
    }

    @Test func `Windows that meet or overlap are one`() throws {
        let windows = try Self.windows(
            "UTC", Self.window("0 1 * * *", .minutes(60)), Self.window("0 2 * * *", .minutes(90)),
            Self.window("0 3 * * *", .minutes(60)))
        #expect(
            try Self.edges(windows, after: "2026-03-09T12:00:00Z", 2) == [
                "2026-03-10T01:00:00.000Z", "2026-03-10T04:00:00.000Z",
            ])
        let always = try Self.windows("UTC", Self.window("* * * * *", .minutes(240)))
        let next = try #require(always.next(after: try Self.time("2026-03-10T00:00:00Z")))
        #expect(!next.isEdge && always.isOpen(at: next.at), "there is none to find, and the search ends")
    }

    /// Clocks are set from 2 to 3 on 29 March 2026, and from 3 to 2 on 25 October.
    @Test func `They last as long in real time when the clocks change`() throws {
        let windows = try Self.windows("Europe-Berlin", Self.window("0 1 * * *", .minutes(240)))
        #expect(
            try Self.edges(windows, after: "2026-03-28T12:00:00Z", 2) == [
                "2026-03-29T00:00:00.000Z", "2026-03-29T04:00:00.000Z",
            ])
        #expect(
            try Self.edges(windows, after: "2026-10-24T12:00:00Z", 2) == [
                "2026-10-24T23:00:00.000Z", "2026-10-25T03:00:00.000Z",
            ])
        // 02:30 is skipped: it opens when the gap ends. It comes twice: it opens the first time alone.
        let skipped = try Self.windows("Europe-Berlin", Self.window("30 2 * * *", .minutes(20)))
        #expect(
            try Self.edges(skipped, after: "2026-03-28T12:00:00Z", 2) == [
                "2026-03-29T01:00:00.000Z", "2026-03-29T01:20:00.000Z",
            ])
        #expect(
            try Self.edges(skipped, after: "2026-10-24T12:00:00Z", 3) == [
                "2026-10-25T00:30:00.000Z", "2026-10-25T00:50:00.000Z", "2026-10-26T01:30:00.000Z",
            ])
    }

    @Test func `Each edge is where they change, minute by minute`() throws {
        let seed = SeededGenerator.chosenSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Sample.count(6, of: 40) {
            let zone = Tables.zones.randomElement(using: &random) ?? "UTC"
            let rules = try Tables.zone(zone)
            let definitions = try (0..<Int.random(in: 1...4, using: &random)).map { _ in
                try Self.window(
                    "\(Int.random(in: 0..<60, using: &random)) \(Int.random(in: 0..<24, using: &random)) * * "
                        + ["*", "MON-FRI", "SUN"][Int.random(in: 0..<3, using: &random)],
                    .minutes(Int64.random(in: 1...2000, using: &random)), closed: random.chance(0.4))
            }
            let windows = try #require(WorkWindows(definitions) { _ in rules })
            let start = try Self.time("2026-03-27T00:00:00Z")
            let end = start + .minutes(5 * 1440)
            var found: [Timestamp] = []
            var time = start
            while time < end {
                let next = time + .minutes(1)
                if windows.isOpen(at: time) != windows.isOpen(at: next), next < end { found.append(next) }
                time = next
            }
            #expect(windows.edges(after: start, before: end) == found, "TASKHOST_SEED=\(seed) \(definitions)")
        }
    }

    @Test func `A zone that is not known makes no windows`() throws {
        #expect(WorkWindows([try Self.window("0 1 * * *", .minutes(1))]) { _ in nil } == nil)
    }

    @Test func `The alarm follows clocks that are set`() throws {
        let windows = try Self.windows("UTC", Self.window("0 1 * * *", .minutes(240)))
        let start = try Self.time("2026-03-10T00:30:00Z")
        let alarm = WindowAlarm(windows, at: start)
        func deadline(_ time: Timestamp) -> TimeSpan {
            let instant = Instant(nanoseconds: 7_000_000_000)
            return alarm.deadline(at: ClockReading(instant: instant, time: time)) - instant
        }
        #expect(deadline(start) == .minutes(30))
        #expect(deadline(start + .minutes(10)) == .minutes(20))
        #expect(deadline(start + .minutes(31)) == .zero, "set forward beyond the edge")
        #expect(deadline(start - .seconds(1)) == .zero, "set back: the last edge may be to come once more")
    }
}
