import Scheduling
import TaskModel
import Testing

struct PriorityTests {
    private let bench: Bench
    private let blocker: RequestHandle

    /// A host with one place, which a run takes.
    init() throws {
        var limits = SchedulerLimits()
        (limits.concurrency, limits.processings, limits.pendingProcessings) = (1, 1, 100)
        limits.startsPerTurn = 100
        bench = Bench(limits)
        let task = bench.add(.processing)
        bench.begin()
        blocker = try bench.submit(task)
    }

    private func wait(_ priority: WorkPriority, _ kind: TaskKind = .processing) throws -> RequestHandle {
        let application = bench.scheduler.addApplication(ApplicationMemory())
        return try bench.submit(bench.add(kind, of: application) { $0.priority = priority })
    }

    /// Ends each run in turn, and returns the order in which the others start.
    private func order(_ count: Int) -> [RequestHandle] {
        var list: [RequestHandle] = []
        var last = blocker
        for _ in 0..<count {
            bench.end(last)
            guard bench.started.count == 1 else { break }
            last = bench.started[0]
            list.append(last)
        }
        return list
    }

    @Test func `The highest priority of a kind comes first, whichever application used less`() throws {
        let (low, normal, high) = (try wait(.low), try wait(.normal), try wait(.high))
        let owner = try #require(bench.request(high)?.application)
        bench.call { $0.charge(application: owner, cpuTime: .seconds(100), at: $1) }
        #expect(order(3) == [high, normal, low])
    }

    @Test func `Within one priority the order stays fair, and within an application it is that of arrival`() throws {
        let requests = try (0..<4).map { try wait($0 < 2 ? .normal : .high) }
        let owner = try #require(bench.request(requests[2])?.application)
        bench.call { $0.charge(application: owner, cpuTime: .seconds(1), at: $1) }
        #expect(order(4) == [requests[3], requests[2], requests[0], requests[1]])
    }

    @Test func `A lower priority is passed four times in a row at most`() throws {
        let low = try wait(.low)
        let normal = try wait(.normal)
        let high = try (0..<9).map { _ in try wait(.high) }
        #expect(order(11) == Array(high[0..<4]) + [low, normal] + Array(high[4...]))
    }

    @Test func `Kinds do not compete by priority`() throws {
        let low = try wait(.low, .appRefresh)
        let high = try wait(.high)
        #expect(order(2) == [low, high])
    }

    @Test func `A request that may not start now lets others pass, and they do not count`() throws {
        let application = bench.scheduler.addApplication(ApplicationMemory())
        let held = bench.add(.processing, of: application) {
            $0.priority = .high
            $0.requires.idle = true
        }
        bench.set { $0.userActive = .yes }
        let high = try bench.submit(held)
        let normal = try wait(.normal)
        #expect(order(1) == [normal])
        bench.set { $0.userActive = .no }
        bench.end(normal)
        #expect(bench.started == [high])
    }

    @Test func `New rules move what waits`() throws {
        let application = bench.scheduler.addApplication(ApplicationMemory())
        let task = bench.add(.processing, of: application) { $0.priority = .low }
        let moved = try bench.submit(task)
        let normal = try wait(.normal)
        var rules = TaskSchedulingRules(application: application, kind: .processing)
        rules.identity = bench.identity(task)
        rules.priority = .high
        bench.call { $0.setRules(rules, of: task, at: $1) }
        #expect(bench.report(.kindCapacity, of: moved)?.found == "1 of 1 run; its priority is high")
        #expect(order(2) == [moved, normal])
    }
}
