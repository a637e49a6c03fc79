import TaskModel
import Testing

/// A run that is unlike the last ones of its task, by a rule that a person can follow.
@Suite struct UsualRunsTests {
    /// Adds runs a distance apart, and says what was marked.
    struct Past {
        var usual = UsualRuns()
        var time = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
        var calendar: (Timestamp, Timestamp) -> Int = { _, _ in 0 }
        var hasCalendar = false

        mutating func run(
            after gap: TimeSpan = .seconds(3600), took wall: TimeSpan = .seconds(60), used mebibytes: UInt64 = 40,
            succeeded: Bool = true, counts: Bool = true
        ) -> [RunDifference] {
            time = time + gap
            let sample = UsualRuns.Sample(
                startedAt: time, countsAsBeginning: counts, hasSucceeded: succeeded, wallTime: wall,
                peakMemory: ByteCount(bytes: mebibytes << 20))
            return usual.judge(sample, hasCalendar: hasCalendar, timesPassed: calendar)
        }

        mutating func kinds(
            after gap: TimeSpan = .seconds(3600), took wall: TimeSpan = .seconds(60), used mebibytes: UInt64 = 40
        ) -> [RunDifference.Kind] {
            run(after: gap, took: wall, used: mebibytes).map { $0.kind }
        }

        mutating func pass(_ count: Int, after gap: TimeSpan = .seconds(3600), took wall: TimeSpan = .seconds(60)) {
            for number in 0..<count { #expect(run(after: gap, took: wall) == [], "run \(number)") }
        }
    }

    @Test func `A month of steady runs has nothing to note`() {
        var past = Past()
        for number in 0..<720 {
            // A fifth more or less of everything, as load does.
            let wave = Int64(number * 7919 % 41) - 20
            let found = past.run(
                after: .seconds(3600 + wave * 30), took: .milliseconds(60_000 + wave * 600),
                used: UInt64(40 + wave / 3))
            #expect(found == [], "run \(number)")
        }
    }

    @Test func `Each kind is marked with its figure and what is usual`() {
        var past = Past()
        past.pass(30)
        #expect(
            past.run(took: .seconds(190)) == [RunDifference(.longer, value: 190_000_000_000, usual: 60_000_000_000)])
        #expect(past.run(took: .seconds(19)) == [RunDifference(.shorter, value: 19_000_000_000, usual: 60_000_000_000)])
        #expect(past.run(used: 130) == [RunDifference(.larger, value: 130 << 20, usual: 40 << 20)])
        #expect(
            past.run(after: .seconds(600)) == [
                RunDifference(.moreOften, value: 600_000_000_000, usual: 3600_000_000_000)
            ])
        #expect(
            past.run(after: .seconds(12_000)) == [
                RunDifference(.lessOften, value: 12_000_000_000_000, usual: 3600_000_000_000)
            ])
        #expect(past.run(took: .seconds(170)) == [], "less than three times as long")
    }

    @Test func `Ten runs are needed, and small figures say nothing`() {
        var past = Past()
        past.pass(9)
        #expect(past.run(took: .seconds(600)) == [], "nine runs are too few")
        var quick = Past()
        for _ in 0..<30 { #expect(quick.run(took: .milliseconds(20), used: 4) == []) }
        #expect(quick.run(took: .milliseconds(900), used: 15) == [])
        #expect(quick.run(took: .milliseconds(1), used: 4) == [])
        #expect(quick.kinds(took: .milliseconds(1500), used: 16) == [.longer, .larger])
    }

    @Test func `A lasting change is marked four times, then it is usual`() {
        var past = Past()
        past.pass(30)
        let marked = (0..<10).map { _ in past.kinds(took: .seconds(600)) }
        #expect(marked == Array(repeating: [.longer], count: 4) + Array(repeating: [], count: 6))
    }

    @Test func `Failures and the user's own starts are not compared`() {
        var past = Past()
        past.pass(30)
        #expect(past.run(took: .seconds(1), succeeded: false) == [])
        #expect(past.run(after: .seconds(60), counts: false) == [], "the user started it")
        #expect(past.run(after: .seconds(3540)) == [], "its next time, an hour after the one before")
    }

    @Test func `Times that are not regular are not compared`() {
        var past = Past()
        for number in 0..<60 { #expect(past.run(after: .seconds(Int64(1 + number * 7919 % 97 * 60))) == []) }
        #expect(past.run(after: .seconds(1)) == [])
        #expect(past.run(after: .seconds(86_400)) == [])
    }

    @Test func `A calendar has gaps of its own`() {
        var past = Past()
        past.hasCalendar = true
        // Working hours: a time an hour, and none at night.
        past.calendar = { from, to in (to - from).nanoseconds > 3600 * 20 * 1_000_000_000 ? 9 : 1 }
        for _ in 0..<6 {
            for _ in 0..<8 { #expect(past.run() == []) }
            #expect(past.run(after: .seconds(3600 * 16)) == [])
        }
        #expect(past.kinds(after: .seconds(3600 * 40)) == [.lessOften], "nine of its times passed")
    }

    @Test func `A clock that was set back says nothing`() {
        var past = Past()
        past.pass(30)
        #expect(past.run(after: .seconds(-7200)) == [])
        #expect(past.run() == [])
    }

    @Test func `The sentence says which figure, and how far`() {
        #expect(
            RunDifference(.longer, value: 190_000_000_000, usual: 60_000_000_000).sentence
                == "longer than usual: it took 3 m 10 s, and nine of ten of the runs before it 1 m at most")
    }
}
