import Scheduling
import TaskModel
import Testing

struct NotificationTests {
    private func bench(_ memory: ApplicationMemory = ApplicationMemory(), atOnce: Int = 3) -> (Bench, TaskIndex) {
        var limits = SchedulerLimits()
        limits.notificationsPerHour = atOnce
        let bench = Bench(limits, memory: memory)
        let task = bench.add(.remoteNotification)
        bench.begin()
        return (bench, task)
    }

    /// Notifies, and answers if it is delivered at once; whether it was.
    private func notify(_ bench: Bench, _ task: TaskIndex) throws -> Bool {
        try bench.submit(task) { $0.origin = .person }
        guard let run = bench.started.first else { return false }
        bench.end(run)
        return true
    }

    @Test func `Three an hour are delivered, and of what comes meanwhile the newest`() throws {
        let (bench, task) = bench()
        for _ in 0..<3 {
            #expect(try notify(bench, task))
            bench.pass(.minutes(10))
        }
        // 30 minutes after the first.
        for _ in 0..<5 { #expect(try !notify(bench, task)) }
        let pending = try #require(bench.pending().first)
        #expect(bench.pending().count == 1)
        #expect(bench.request(pending)?.request.terms.earliestBeginDate == bench.time(in: .minutes(30)))
        #expect(bench.scheduler.nextNotification(of: bench.application, at: bench.now) == bench.time(in: .minutes(30)))
        bench.pass(.minutes(30) - .seconds(1))
        #expect(bench.started.isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.started == [pending])
        bench.end(pending)
        #expect(try !notify(bench, task))
        bench.pass(.minutes(10))
        #expect(bench.started.count == 1)
    }

    @Test(arguments: 1...8) func `In no hour are there more`(most: Int) throws {
        let (bench, task) = bench(atOnce: most)
        var times: [Timestamp] = []
        for _ in 0..<600 {
            if try notify(bench, task) { times.append(bench.now.time) }
            bench.pass(.seconds(97))
            if let run = bench.started.first {
                times.append(bench.now.time)
                bench.end(run)
            }
        }
        for (early, late) in zip(times, times.dropFirst(most)) {
            #expect(late.nanoseconds - early.nanoseconds >= TimeSpan.minutes(60).nanoseconds)
        }
        #expect(times.count > 14 * most)
    }

    @Test func `What was delivered counts over the host's death`() throws {
        let (bench, task) = bench()
        for _ in 0..<3 { #expect(try notify(bench, task)) }
        let memory = bench.scheduler.memory(of: bench.application)
        let (other, sameTask) = self.bench(memory)
        #expect(try !notify(other, sameTask))
        other.pass(.minutes(60))
        #expect(other.started.count == 1)
    }

    @Test func `One that comes while another is delivered waits for its end`() throws {
        let (bench, task) = bench()
        let first = try bench.submit(task) { $0.origin = .person }
        let second = try bench.submit(task) { $0.origin = .person }
        #expect(bench.holding(second) == [.overlap])
        bench.end(first)
        #expect(bench.started == [second])
    }

    @Test func `A person who turned refresh off, or quit the application, is not disturbed`() throws {
        let (bench, task) = bench()
        bench.call { $0.setRefreshDenied(true, application: bench.application, at: $1) }
        #expect(try !notify(bench, task))
        #expect(bench.holding(bench.pending()[0]) == [.backgroundRefresh])
        bench.call { $0.quit(application: bench.application, at: $1) }
        #expect(bench.pending().isEmpty)
        #expect(bench.refusal(task) { $0.origin = .person } == .notPermitted)
        bench.call { $0.open(application: bench.application, at: $1) }
        bench.call { $0.setRefreshDenied(false, application: bench.application, at: $1) }
        #expect(try notify(bench, task))
    }

    @Test func `No application asks for one itself`() {
        let (bench, task) = bench()
        let fetch = bench.add(.backgroundFetch)
        #expect(bench.refusal(task) == .notPermitted && bench.refusal(fetch) == .notPermitted)
    }

    @Test func `A clock that is set back by a day delays none by more than an hour`() throws {
        let (bench, task) = bench()
        for _ in 0..<3 { #expect(try notify(bench, task)) }
        #expect(try !notify(bench, task))
        bench.jump(by: .seconds(-86_400))
        bench.advance()
        bench.pass(.minutes(60))
        #expect(bench.started.count == 1)
    }
}
