import Scheduling
import TaskModel
import Testing

struct ClockTests {
    private static let year = TimeSpan.seconds(365 * 86_400)
    private static let yearBack = TimeSpan(nanoseconds: -year.nanoseconds)

    @Test func `A clock set forward brings dates nearer, a clock set back takes them away`() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh)
        bench.begin()
        let date = bench.time(in: .seconds(3600))
        let request = try bench.submit(task) { $0.earliestBeginDate = date }
        bench.jump(by: .seconds(1800))
        #expect(bench.untilDeadline == .seconds(1800))
        bench.jump(by: .seconds(-3600))
        #expect(bench.untilDeadline == .seconds(5400))
        bench.advance()
        #expect(bench.started == [])
        bench.jump(by: Self.year)
        #expect(bench.untilDeadline == .zero)
        bench.advance()
        #expect(bench.started == [request])
    }

    @Test func `A request whose date has come waits again when the clock goes back behind it`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.externalPower = true }
        bench.conditions.externalPower = .no
        bench.begin()
        let date = bench.time(in: .seconds(60))
        let request = try bench.submit(task) { $0.earliestBeginDate = date }
        bench.pass(.seconds(60))
        #expect(bench.holding(request) == [.externalPower])
        bench.jump(by: .seconds(-30))
        bench.set { $0.externalPower = .yes }
        #expect(bench.started == [])
        #expect(bench.untilDeadline == .seconds(30))
        bench.pass(.seconds(30))
        #expect(bench.started == [request])
    }

    @Test func `The pause after a failure does not move with the calendar`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.attempts = 2 }
        bench.begin()
        let request = try bench.submit(task)
        bench.end(request, .failed)
        for jump in [Self.year, Self.yearBack, .seconds(86_400)] {
            bench.jump(by: jump)
            bench.advance()
            #expect(bench.started == [])
            #expect(bench.untilDeadline == .seconds(30))
        }
        bench.pass(.seconds(30))
        #expect(bench.started == [request])
    }

    @Test func `Dates at the ends of time are kept and harm nothing`() throws {
        let bench = Bench()
        let (far, past) = (bench.add(.processing), bench.add(.processing))
        bench.begin()
        let never = try bench.submit(far) { $0.earliestBeginDate = Timestamp(nanoseconds: .max) }
        let now = try bench.submit(past) { $0.earliestBeginDate = Timestamp(nanoseconds: .min) }
        #expect(bench.started == [now])
        #expect(bench.untilDeadline == nil)
        #expect(bench.pending() == [never])
        bench.pass(Self.year)
        #expect(bench.started == [])
        #expect(bench.holding(never) == [.earliestBeginDate])
    }

    @Test func `A quarantine that a wrong clock set lasts no longer than one may`() {
        var memory = ApplicationMemory()
        memory.crashes = 3
        let bench = Bench(memory: memory)
        bench.begin()
        bench.jump(by: Self.year)
        bench.call { $0.crashed(application: bench.application, at: $1) }
        bench.jump(by: Self.yearBack)
        bench.advance()
        #expect(bench.untilDeadline.map { $0 <= .seconds(86_400) } == true)
        bench.pass(.seconds(86_400))
        #expect(bench.scheduler.memory(of: bench.application).quarantinedUntil == nil)
    }

    @Test func `Many dates that come at once are let go in portions`() throws {
        let bench = Bench()
        let tasks = (0..<1500).map { _ in
            bench.add(.processing, of: bench.scheduler.addApplication(ApplicationMemory()))
        }
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        let date = bench.time(in: .seconds(60))
        for task in tasks { try bench.submit(task) { $0.earliestBeginDate = date } }
        bench.pass(.seconds(60))
        #expect(bench.untilDeadline == .zero, "the rest follows in the next turn")
        bench.advance()
        #expect(bench.untilDeadline == nil)
    }

    @Test func `A further try of a time that was moved follows no clock that was wrong`() throws {
        let bench = Bench()
        let every = bench.every(.minutes(15))
        _ = bench.add(.processing) {
            $0.schedule = every
            $0.attempts = 2
            $0.backoff = .seconds(60)
        }
        bench.begin()
        bench.pass(.minutes(4))
        // A small step moves the time, and a large one follows while it waits for another try.
        bench.jump(by: .seconds(-6786))
        bench.advance()
        bench.pass(.minutes(11))
        let request = try #require(bench.started.first)
        bench.end(request, .failed)
        bench.jump(by: .minutes(-60 * 24 * 60))
        bench.advance()
        bench.pass(.seconds(60))
        #expect(bench.started == [request])
        let next = try #require(bench.pending().first.flatMap { bench.request($0)?.request.scheduledFor })
        #expect(next > bench.now.time && next <= bench.time(in: .minutes(15)), "\(next.iso8601)")
    }
}
