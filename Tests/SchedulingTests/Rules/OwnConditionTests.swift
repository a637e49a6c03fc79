import Scheduling
import TaskModel
import Testing

struct OwnConditionTests {
    private func meet(_ bench: Bench, _ name: ConditionName, _ task: TaskIndex, _ isMet: Bool = true) {
        bench.call { $0.setMet(isMet, name, of: task, at: $1) }
    }

    @Test func `A request waits until every condition of its task's own is met`() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh) { $0.awaits = ConditionSet([.paths, .changed]) }
        let other = bench.add(.appRefresh)
        bench.begin()
        let request = try bench.submit(task)
        #expect(bench.started == [] && bench.holding(request) == [.paths, .changed])
        #expect(bench.untilDeadline == nil, "it causes no wake-up")
        bench.pass(.seconds(10))
        meet(bench, .paths, task)
        #expect(bench.started == [] && bench.holding(request) == [.changed])
        meet(bench, .paths, other)
        #expect(bench.decisions == [], "it has no such condition")
        let from = bench.time(in: .seconds(-10))
        let between = bench.now.time
        bench.pass(.seconds(5))
        meet(bench, .changed, task)
        #expect(bench.started == [request])
        #expect(
            bench.scheduler.waits(of: request, at: bench.now) == [
                GateWait(gate: .paths, from: from, to: between),
                GateWait(gate: .changed, from: from, to: bench.now.time),
            ])
        meet(bench, .paths, task, false)
        #expect(bench.decisions == [], "files that go end no run")
    }

    @Test func `What was met and is so no more holds the next request`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.awaits = ConditionSet(.changed) }
        bench.begin()
        meet(bench, .changed, task)
        let first = try bench.submit(task)
        #expect(bench.started == [first])
        meet(bench, .changed, task, false)
        bench.end(first)
        bench.pass(.seconds(120))
        let second = try bench.submit(task)
        #expect(bench.started == [] && bench.holding(second) == [.changed])
        #expect(bench.summary(second) == "waiting: a change of a file that matches")
    }

    @Test func `A person's word goes before it, and continued processing does not mind`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.awaits = ConditionSet(.paths) }
        bench.begin()
        let request = try bench.submit(task)
        bench.call { _ = $0.simulateLaunch(identity: bench.identity(task), at: $1) }
        #expect(bench.started == [request])
    }

    @Test func `New rules have to be met again`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.awaits = ConditionSet(.paths) }
        bench.begin()
        meet(bench, .paths, task)
        var rules = TaskSchedulingRules(application: bench.scheduler.application(of: task), kind: .processing)
        rules.awaits = ConditionSet(.paths)
        bench.call { $0.setRules(rules, of: task, at: $1) }
        let request = try bench.submit(task)
        #expect(bench.holding(request) == [.paths])
        meet(bench, .paths, task)
        #expect(bench.started == [request])
    }
}
