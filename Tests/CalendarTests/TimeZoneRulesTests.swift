import Scheduling
import TaskModel
import TestSupport
import Testing

/// Zone files, and the way between UTC and local time.
@Suite struct TimeZoneRulesTests {
    @Test("Every change from 1850 to 2200 is where Python finds it", arguments: Tables.zones)
    func changes(_ name: String) throws {
        let zone = try Tables.zone(name)
        let expected = try Tables.changes(of: name)
        let first = try #require(expected.first)
        var found = [(at: first.at, offset: zone.offset(at: first.at))]
        let end = CivilDate(year: 2200, month: 1, day: 1).dayNumber * 86_400
        var period = zone.period(at: first.at)
        while period.end < end {
            let before = period
            period = zone.period(at: period.end)
            #expect(period.start == before.end)
            // A file may list a change of the name alone.
            if period.offset != before.offset { found.append((period.start, period.offset)) }
        }
        #expect(found.map(\.at) == expected.map(\.at))
        #expect(found.map(\.offset) == expected.map(\.offset))
    }

    @Test("The first second that reaches a local time, and the latest local time shown", arguments: Tables.zones)
    func bothWays(_ name: String) throws {
        let zone = try Tables.zone(name)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<Sample.count(2000, of: 2000) {
            let change = try #require(try Tables.changes(of: name).randomElement(using: &random)).at
            let time = change + Int64.random(in: -30 * 3600...30 * 3600, using: &random)
            let local = time + zone.offset(at: time)
            let first = zone.firstTime(reaching: local)
            #expect(first <= time)
            #expect(first + zone.offset(at: first) >= local)
            #expect(first - 1 + zone.offset(at: first - 1) < local)
            let latest = zone.latestLocal(upTo: time)
            #expect(latest >= local)
            #expect(zone.firstTime(reaching: latest) <= time)
            #expect(zone.firstTime(reaching: latest + 1) > time)
        }
    }

    @Test func utcIsTheSameEverywhere() throws {
        let period = TimeZoneRules.utc.period(at: 0)
        #expect(period.start == .min && period.end == .max && period.offset == 0)
        #expect(try Tables.zone("UTC").period(at: 0).offset == 0)
        #expect(TimeZoneRules.utc.firstTime(reaching: 12_345) == 12_345)
    }

    @Test(
        "A line for later years is read",
        arguments: [
            ("UTC0", 1_800_000_000, 0), ("<+0330>-3:30", 1_800_000_000, 12_600), ("XXX+12:34:56", 0, -45_296),
            // Daylight saving time throughout the year, and one that ends before it begins, as in Ireland.
            ("EST5EDT,0/0,J365/25", 1_798_761_599, -14_400), ("EST5EDT,0/0,J365/25", 1_798_779_600, -14_400),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_800_000_000, 0), ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_784_000_000, 3600),
            // Hours outside the day, as in Greenland.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_774_745_999, -7200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_774_746_000, -3600),
            ("AAA3BBB2,J60/0,J61/0", 1_835_492_400, -7200), ("AAA3BBB2,59/0,60/0", 1_835_406_000, -7200),
        ])
    func laterYears(_ line: String, _ time: Int64, _ offset: Int64) throws {
        let zone = try TimeZoneRules(tzif: Self.file(line: line))
        #expect(zone.offset(at: time) == offset)
    }

    @Test(
        "A line for later years that is none is refused",
        arguments: [
            "X0", "UTC", "UTC25", "UTC0X", "UTC0,", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0",
            "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J1", "EST5EDT,J366,J1", "EST5EDT,366,1",
            "EST5EDT,M3.2.0/168,M11.1.0", "EST5EDT,M3.2.0/2:60,M11.1.0", "<UTC0", "EST5EDT,M3.2.0,M11.1.0,",
            "UTC99999999999999999999", "é1", "UTC 0", String(repeating: "A", count: 300) + "0",
        ])
    func badLines(_ line: String) {
        let fault = #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: Self.file(line: line)) }
        #expect(fault?.description.hasPrefix("a line for later years that is no TZ string") == true)
    }

    @Test("A file cut off anywhere is refused", arguments: Tables.zones)
    func cutOff(_ name: String) throws {
        let bytes = try Tables.bytes(of: name)
        for length in 0..<bytes.count {
            #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: Array(bytes[..<length])) }
        }
    }

    @Test("A file with any byte changed is refused, or gives a zone whose answers end", arguments: Tables.zones)
    func changedBytes(_ name: String) throws {
        let bytes = try Tables.bytes(of: name)
        var random = SeededGenerator(seed: 3)
        var taken = 0
        for index in bytes.indices {
            var copy = bytes
            copy[index] = UInt8.random(in: 0...255, using: &random)
            guard let zone = try? TimeZoneRules(tzif: copy) else { continue }
            taken += 1
            let time = Int64.random(in: -9_000_000_000...9_000_000_000, using: &random)
            let period = zone.period(at: time)
            #expect(period.start <= time && time < period.end)
            let rule = try ScheduleRule("*/7 3 * * *", in: zone)
            let times = rule.times(after: time, before: time + 20 * 86_400, limit: 100)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(taken > 0)
    }

    @Test func whatNoZoneHasIsRefused() throws {
        let bytes = try Tables.bytes(of: "Europe-Berlin")
        func fault(_ change: (inout [UInt8]) -> Void) -> String? {
            var copy = bytes
            change(&copy)
            do throws(TimeZoneFault) {
                _ = try TimeZoneRules(tzif: copy)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(fault { $0 = [] } == "no zone file's header at byte 0")
        #expect(fault { $0[4] = 0x31 } == "the version 49")
        #expect(fault { $0 += [UInt8](repeating: 0, count: 300_000) } == "302298 bytes, more than a zone file has")
        // All four bytes of a count: that many changes.
        #expect(
            fault { $0.replaceSubrange(32..<36, with: [255, 255, 255, 255]) }?.hasPrefix("no zone file's header")
                == true)
        #expect(try TimeZoneRules(tzif: Self.file(line: "")).offset(at: 0) == 0)
        #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: Self.file(line: "UTC0", offset: 93_600)) }
        #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: Self.file(line: "UTC0", changes: [5, 5])) }
        #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: Self.file(line: "UTC0", changes: [.min])) }
        #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: Self.file(line: "UTC0", leaps: 1)) }
        #expect(try TimeZoneRules(tzif: Self.file(line: "", changes: [0])).offset(at: 0) == 7)
        #expect(try TimeZoneRules(tzif: Self.file(line: "", version: 0, changes: [0])).offset(at: 1) == 7)
    }

    /// A zone file with one kind of local time, 7 s from UTC unless a parameter says otherwise when there are changes.
    private static func file(
        line: String, version: UInt8 = 0x33, offset: Int32? = nil, changes: [Int64] = [], leaps: Int = 0
    ) -> [UInt8] {
        func number(_ value: Int64, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> Int64(8 * (bytes - 1 - $0))) }
        }
        func block(_ timeBytes: Int) -> [UInt8] {
            var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, leaps, changes.count, 1, 4] { bytes += number(Int64(count), 4) }
            bytes += changes.flatMap { number($0, timeBytes) } + changes.map { _ in 0 }
            bytes += number(Int64(offset ?? (changes.isEmpty ? 0 : 7)), 4) + [0, 0] + Array("UTC\0".utf8)
            return bytes + [UInt8](repeating: 0, count: leaps * (timeBytes + 4))
        }
        return version == 0 ? block(4) : block(4) + block(8) + Array("\n\(line)\n".utf8)
    }
}
