import Host
import TaskModel
import Testing

@Suite("The time by which old runs are forgotten")
struct RetentionClockTests {
    private let start = ClockReading(
        instant: Instant(nanoseconds: 1_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))

    private func moment(_ passed: TimeSpan, setForward: TimeSpan = .zero) -> ClockReading {
        ClockReading(instant: start.instant + passed, time: start.time + passed + setForward)
    }

    @Test("follows the calendar, and small corrections do not count")
    func calendar() {
        var clock = RetentionClock(at: start, newest: nil)
        for minutes in 0..<100 as Range<Int64> {
            let now = moment(.minutes(minutes * 30), setForward: .minutes(minutes))
            #expect(clock.time(at: now) == now.time)
        }
    }

    @Test("does not follow a calendar that is set forward before that has stood for a day")
    func forward() {
        var clock = RetentionClock(at: start, newest: start.time)
        let year = TimeSpan.seconds(365 * 86_400)
        for hours in 1...24 as ClosedRange<Int64> {
            #expect(
                clock.time(at: moment(.seconds(hours * 3600), setForward: year)) == moment(.seconds(hours * 3600)).time)
        }
        let later = moment(.seconds(25 * 3600), setForward: year)
        #expect(clock.time(at: later) == later.time)
    }

    @Test("continues as before when the mistake is corrected, and doubts the next one again")
    func setRight() {
        var clock = RetentionClock(at: start, newest: start.time)
        let year = TimeSpan.seconds(365 * 86_400)
        for _ in 0..<3 {
            _ = clock.time(at: moment(.seconds(20 * 3600), setForward: year))
            let right = moment(.seconds(20 * 3600))
            #expect(clock.time(at: right) == right.time)
        }
        let again = moment(.seconds(40 * 3600), setForward: year)
        #expect(clock.time(at: again) == moment(.seconds(40 * 3600)).time)
    }

    @Test("follows a calendar that is set back at once")
    func back() {
        var clock = RetentionClock(at: start, newest: start.time)
        let earlier = moment(.seconds(1), setForward: .seconds(-86_400))
        #expect(clock.time(at: earlier) == earlier.time)
    }

    @Test("doubts a calendar that is a year ahead of the record when the host starts, and no other")
    func silence() {
        var fresh = RetentionClock(at: start, newest: start.time - .seconds(300 * 86_400))
        #expect(fresh.time(at: start) == start.time)
        let newest = start.time - .seconds(1000 * 86_400)
        var doubtful = RetentionClock(at: start, newest: newest)
        #expect(doubtful.time(at: moment(.seconds(60))) == newest + .seconds(60))
        let later = moment(.seconds(86_400))
        #expect(doubtful.time(at: later) == later.time)
    }
}
