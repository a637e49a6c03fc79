import Scheduling
import TaskModel
import Testing

struct FairnessTests {
    /// A host with one place for processing: the order shows.
    private func narrow() -> Bench {
        var limits = SchedulerLimits()
        limits.processings = 1
        limits.pendingProcessings = 100
        return Bench(limits)
    }

    private func charge(_ bench: Bench, _ application: ApplicationIndex, _ time: TimeSpan) {
        bench.call { $0.charge(application: application, cpuTime: time, at: $1) }
    }

    @Test func `Who used less processor time comes first`() throws {
        let bench = narrow()
        let others = (0..<3).map { _ in bench.scheduler.addApplication(ApplicationMemory()) }
        let blocker = bench.add(.processing)
        let tasks = others.map { bench.add(.processing, of: $0) }
        bench.begin()
        var last = try bench.submit(blocker)
        charge(bench, others[0], .seconds(30))
        charge(bench, others[1], .seconds(10))
        charge(bench, others[2], .seconds(20))
        let requests = try tasks.map { try bench.submit($0) }
        for next in [1, 2, 0] {
            bench.end(last)
            #expect(bench.started == [requests[next]])
            last = requests[next]
        }
    }

    @Test func `A charge while requests wait moves them`() throws {
        let bench = narrow()
        let others = (0..<2).map { _ in bench.scheduler.addApplication(ApplicationMemory()) }
        let blocker = bench.add(.processing)
        let tasks = others.map { bench.add(.processing, of: $0) }
        bench.begin()
        let running = try bench.submit(blocker)
        let requests = try tasks.map { try bench.submit($0) }
        charge(bench, others[0], .seconds(1))
        bench.end(running)
        #expect(bench.started == [requests[1]])
    }

    @Test func `Time used long ago counts less`() throws {
        let bench = narrow()
        let (early, late) = (bench.application, bench.scheduler.addApplication(ApplicationMemory()))
        bench.begin()
        charge(bench, early, .seconds(100))
        #expect(bench.scheduler.usage(of: early, at: bench.now) == .seconds(100))
        bench.pass(.seconds(4 * 3600))
        let half = bench.scheduler.usage(of: early, at: bench.now).seconds
        #expect(abs(half - 50) < 0.001)
        charge(bench, late, .seconds(60))
        let tasks = [bench.add(.processing, of: early), bench.add(.processing, of: late)]
        let blocker = bench.add(.processing, of: bench.scheduler.addApplication(ApplicationMemory()))
        let running = try bench.submit(blocker)
        _ = try bench.submit(tasks[1])
        let first = try bench.submit(tasks[0])
        bench.end(running)
        #expect(bench.started == [first])
    }

    @Test func `Measures keep their order over a century of half-lives`() throws {
        let bench = narrow()
        let other = bench.scheduler.addApplication(ApplicationMemory())
        bench.begin()
        var expected = 0.0
        for _ in 0..<400 {
            charge(bench, bench.application, .seconds(10))
            expected = (expected + 10) / 2
            bench.pass(.seconds(4 * 3600))
        }
        let measured = bench.scheduler.usage(of: bench.application, at: bench.now).seconds
        #expect(abs(measured - expected) < 0.01)
        bench.pass(.seconds(100 * 365 * 86_400))
        #expect(bench.scheduler.usage(of: bench.application, at: bench.now) == .zero)
        charge(bench, other, .milliseconds(1))
        let (mine, others) = (
            bench.scheduler.memory(of: bench.application).usage, bench.scheduler.memory(of: other).usage
        )
        #expect(others > mine)
    }

    @Test func `No application takes every place because it asked first`() throws {
        var limits = SchedulerLimits()
        limits.processings = 2
        let bench = Bench(limits)
        let other = bench.scheduler.addApplication(ApplicationMemory())
        let many = (0..<4).map { _ in bench.add(.processing) }
        let one = bench.add(.processing, of: other)
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        let requests = try many.map { try bench.submit($0) }
        let late = try bench.submit(one)
        bench.set { $0.lowPowerMode = .no }
        #expect(bench.started == [requests[0], late])
    }

    @Test func `Equal applications take turns`() throws {
        let bench = narrow()
        let applications =
            [bench.application] + (0..<4).map { _ in bench.scheduler.addApplication(ApplicationMemory()) }
        let tasks = applications.flatMap { application in (0..<4).map { _ in bench.add(.processing, of: application) } }
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        for task in tasks { try bench.submit(task) }
        bench.set { $0.lowPowerMode = .no }
        var turns: [ApplicationIndex] = []
        while let request = bench.started.first {
            turns.append(try #require(bench.request(request)?.application))
            bench.skip(.seconds(1))
            bench.end(request, cpu: .seconds(1))
        }
        #expect(turns.count == 20)
        for round in 0..<4 { #expect(Set(turns[(round * 5)..<(round * 5 + 5)]).count == 5) }
    }

    @Test func `What was measured by a clock far ahead starves no application`() {
        var memory = ApplicationMemory()
        memory.usage = 1e9
        let bench = Bench(memory: memory)
        bench.begin()
        #expect(bench.scheduler.usage(of: bench.application, at: bench.now) <= .seconds(86_400))
    }

    @Test func `No more start in one turn than the limit`() throws {
        var limits = SchedulerLimits()
        limits.startsPerTurn = 3
        limits.processings = 100
        let bench = Bench(limits)
        let tasks = (0..<8).map { _ in bench.add(.processing) }
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        for task in tasks { try bench.submit(task) }
        bench.skip(.seconds(1))
        bench.set { $0.lowPowerMode = .no }
        #expect(bench.started.count == 3)
        for left in [3, 2, 0] {
            #expect(bench.untilDeadline == (left > 0 ? .zero : nil))
            bench.advance()
            #expect(bench.started.count == left)
        }
    }

    @Test func `Limits hold in all and for each kind`() throws {
        var limits = SchedulerLimits()
        (limits.concurrency, limits.refreshes, limits.processings) = (3, 2, 2)
        let bench = Bench(limits)
        func tasks(_ kind: TaskKind) -> [TaskIndex] {
            (0..<3).map { _ in bench.add(kind, of: bench.scheduler.addApplication(ApplicationMemory())) }
        }
        let (refreshes, processings) = (tasks(.appRefresh), tasks(.processing))
        bench.begin()
        let r = try refreshes.map { try bench.submit($0) }
        let p = try processings.map { try bench.submit($0) }
        #expect(bench.scheduler.runningCount == 3)
        #expect(bench.holding(r[2]) == [.kindCapacity, .capacity])
        #expect(bench.holding(p[1]) == [.capacity])
        bench.end(r[0])
        #expect(bench.started == [r[2]])
        bench.end(r[1])
        #expect(bench.started == [p[1]])
        bench.end(r[2])
        #expect(bench.started == [], "two processing runs continue")
        #expect(bench.holding(p[2]) == [.kindCapacity])
    }
}
