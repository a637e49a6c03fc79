import Manifests
import Scheduling
import TaskModel
import Testing

/// What a schedule makes of its times: anchors and jitter.
@Suite struct ScheduleRuleTests {
    private static let machine = Array("0123456789abcdef".utf8)

    private static func rule(_ schedule: Schedule, _ identifier: String = "com.example.a") -> ScheduleRule {
        ScheduleRule(schedule, zone: .utc, seed: ScheduleRule.seed(machine: machine, identifier: identifier))
    }

    @Test func `A schedule at boot has one time, or none when that has passed`() {
        var schedule = Schedule(jitter: .seconds(60))
        schedule.isAtBoot = true
        let boot = Timestamp(nanoseconds: 1_000_000_000_000)
        let rule = ScheduleRule(schedule, zone: .utc, seed: .max, boot: boot)
        let time = rule.next(after: Timestamp(nanoseconds: 0))
        #expect(time.map { $0 >= boot && $0 < boot + .seconds(60) } == true)
        #expect(time.flatMap(rule.next) == nil && !rule.isPace)
        let passed = ScheduleRule(schedule, zone: .utc, seed: .max)
        #expect(passed.next(after: Timestamp(nanoseconds: .min)) == nil)
    }

    @Test("Every so often means the multiples since 1970", arguments: [1, 7, 900, 86_400, 31_622_400])
    func every(_ seconds: Int64) throws {
        let rule = Self.rule(Schedule(every: .seconds(seconds)))
        for time in [-1, 0, 1, 899, 900, 1_800_000_000, -86_401] as [Int64] {
            let next = try #require(rule.next(afterSecond: time))
            #expect(next > time && next - time <= seconds && next % seconds == 0)
        }
        #expect(rule.next(after: Timestamp(nanoseconds: 1)) == Timestamp(nanoseconds: seconds * 1_000_000_000))
    }

    @Test func timesEndWithWhatATimestampHolds() {
        let last = Timestamp(nanoseconds: .max)
        #expect(Self.rule(Schedule(every: .seconds(1))).next(after: last) == nil)
        let late = Self.rule(Schedule(every: .seconds(1), jitter: .seconds(1)))
        #expect(late.next(after: Timestamp(nanoseconds: .max - 1)) == nil)
        #expect(late.next(after: Timestamp(nanoseconds: .min)) != nil)
    }

    @Test("Jitter is one delay: the same at every time and after every restart")
    func jitter() throws {
        let expression = try CalendarSyntax.parse("*/10 * * * *")
        for schedule in [Schedule(every: .minutes(10)), Schedule(calendar: expression)] {
            var delayed = schedule
            delayed.jitter = .minutes(5)
            let (plain, rule) = (Self.rule(schedule), Self.rule(delayed))
            let zero = Timestamp(nanoseconds: 0)
            var (time, shifted) = (try #require(plain.next(after: zero)), try #require(rule.next(after: zero)))
            let delay = rule.next(after: Timestamp(nanoseconds: -1_000_000_000)).map {
                $0.nanoseconds % 600_000_000_000
            }
            #expect(delay.map { (0..<300_000_000_000).contains($0) } == true)
            if shifted < time { shifted = try #require(rule.next(after: shifted)) }
            for _ in 0..<50 {
                #expect(shifted.nanoseconds - time.nanoseconds == delay)
                // Asked again, as after a restart.
                #expect(Self.rule(delayed).next(after: time) == shifted)
                (time, shifted) = (try #require(plain.next(after: time)), try #require(rule.next(after: shifted)))
            }
        }
    }

    @Test("Jitter spreads tasks evenly over its length, and is never all of it")
    func spread() throws {
        var counts = [Int](repeating: 0, count: 10)
        for index in 0..<2000 {
            let rule = Self.rule(Schedule(every: .minutes(60), jitter: .minutes(60)), "com.example.task\(index)")
            let next = try #require(rule.next(after: Timestamp(nanoseconds: -1)))
            #expect((0..<3_600_000_000_000).contains(next.nanoseconds))
            counts[Int(next.nanoseconds / 360_000_000_000)] += 1
        }
        // 200 each on average; 5 standard deviations are 67.
        #expect(counts.allSatisfy { (133...267).contains($0) }, "\(counts)")
    }

    @Test("The seed is the same for ever and tells machines and tasks apart")
    func seed() {
        // Written down from this very function: a change of it moves the times of every task with jitter.
        #expect(ScheduleRule.seed(machine: Self.machine, identifier: "com.example.a") == 0x876699A16B9F9630)
        let others = [
            ScheduleRule.seed(machine: Self.machine, identifier: "com.example.b"),
            ScheduleRule.seed(machine: Array("0123456789abcdeg".utf8), identifier: "com.example.a"),
            ScheduleRule.seed(machine: [], identifier: "com.example.a"),
        ]
        #expect(Set(others).count == 3)
    }

    @Test func catchUpIsTheSchedules() {
        #expect(Self.rule(Schedule(every: .seconds(1), catchUp: .none)).catchUp == .none)
        #expect(Self.rule(Schedule(every: .seconds(1))).catchUp == .latest)
    }
}
