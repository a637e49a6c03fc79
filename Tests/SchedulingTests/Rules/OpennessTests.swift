import Scheduling
import TaskModel
import Testing

/// Which tasks could start, for a host that asks others for work.
struct OpennessTests {
    /// What changed the answer, and must have changed the mark by which callers know.
    private func expect(
        _ isOpen: Bool, _ task: TaskIndex, of bench: Bench, after change: () throws -> Void,
        _ location: SourceLocation = #_sourceLocation
    ) rethrows {
        let (before, mark) = (bench.couldStart(task), bench.scheduler.openness(upTo: 100))
        try change()
        #expect(bench.couldStart(task) == isOpen, sourceLocation: location)
        #expect((bench.scheduler.holdingGate(of: task) == nil) == isOpen, sourceLocation: location)
        if before != isOpen { #expect(bench.scheduler.openness(upTo: 100) != mark, sourceLocation: location) }
    }

    @Test func `A task could start while its gates are open`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.externalPower = true }
        #expect(!bench.couldStart(task))
        expect(true, task, of: bench) { bench.begin() }
        expect(false, task, of: bench) {
            var conditions = bench.conditions
            conditions.externalPower = .no
            bench.call { $0.setConditions(conditions, at: $1) }
        }
        expect(true, task, of: bench) { bench.call { $0.setConditions(bench.conditions, at: $1) } }
        for part in [PausedPart.host, .application(bench.application), .task(task)] {
            expect(false, task, of: bench) {
                bench.call { $0.pause(part, WorkPause(since: bench.now.time, until: nil), at: $1) }
            }
            expect(true, task, of: bench) { bench.call { _ = $0.resume(part, at: $1) } }
        }
        expect(false, task, of: bench) { bench.call { $0.quit(application: bench.application, at: $1) } }
        expect(true, task, of: bench) { bench.call { $0.open(application: bench.application, at: $1) } }
        expect(false, task, of: bench) { bench.call { $0.setRemoved(true, task: task, at: $1) } }
        expect(true, task, of: bench) { bench.call { $0.setRemoved(false, task: task, at: $1) } }
        expect(false, task, of: bench) { bench.call { $0.stop(at: $1) } }
    }

    @Test func `Runs take the room of their kind, and of all`() throws {
        var limits = SchedulerLimits()
        (limits.concurrency, limits.processings, limits.refreshes) = (3, 2, 2)
        let bench = Bench(limits)
        let (first, second, third) = (bench.add(.processing), bench.add(.processing), bench.add(.appRefresh))
        bench.begin()
        #expect(
            bench.scheduler.openness(upTo: 100).room(for: .background) == 3
                && bench.scheduler.openness(upTo: 1).room(for: .background) == 1)
        let run = try bench.submit(first)
        #expect(bench.couldStart(second) && bench.scheduler.openness(upTo: 100).room(for: .background) == 2)
        try expect(false, first, of: bench) { try bench.submit(second) }
        #expect(bench.couldStart(third) && bench.scheduler.openness(upTo: 100).room(for: .background) == 1)
        expect(true, first, of: bench) { bench.end(run, .succeeded) }
    }

    @Test func `The gate is named that holds it`() throws {
        var limits = SchedulerLimits()
        (limits.concurrency, limits.processings, limits.refreshes) = (2, 1, 2)
        let bench = Bench(limits)
        let task = bench.add(.processing) {
            $0.requires.externalPower = true
            $0.awaits = ConditionSet(.paths)
        }
        let (other, refresh) = (bench.add(.processing), bench.add(.appRefresh))
        #expect(bench.scheduler.holdingGate(of: other) == .capacity)
        bench.begin()
        #expect(bench.scheduler.holdingGate(of: task) == .paths)
        bench.call { $0.setMet(true, .paths, of: task, at: $1) }
        #expect(bench.scheduler.holdingGate(of: task) == nil)
        var conditions = bench.conditions
        conditions.externalPower = .no
        bench.call { $0.setConditions(conditions, at: $1) }
        #expect(
            bench.scheduler.holdingGate(of: task) == .externalPower && bench.scheduler.holdingGate(of: other) == nil)
        bench.call { $0.pause(.application(bench.application), WorkPause(since: bench.now.time, until: nil), at: $1) }
        #expect(bench.scheduler.holdingGate(of: task) == .paused && bench.scheduler.holdingGate(of: refresh) == .paused)
        bench.call { _ = $0.resume(.application(bench.application), at: $1) }
        bench.call { $0.quit(application: bench.application, at: $1) }
        #expect(bench.scheduler.holdingGate(of: other) == .forceQuit)
        bench.call { $0.open(application: bench.application, at: $1) }
        _ = try bench.submit(other)
        #expect(
            bench.scheduler.holdingGate(of: other) == .kindCapacity && bench.scheduler.holdingGate(of: refresh) == nil)
        _ = try bench.submit(refresh)
        #expect(bench.scheduler.holdingGate(of: refresh) == .capacity)
    }

    @Test func `Kinds that an application's user or the host begins are never asked for, nor wildcards`() {
        let bench = Bench()
        let tasks = [TaskKind.continuedProcessing, .backgroundFetch, .remoteNotification].map { bench.add($0) }
        let wildcard = bench.add(.processing) { $0.isWildcard = true }
        let modeless = bench.add(.processing) { $0.lacksMode = true }
        bench.begin()
        for task in tasks + [wildcard, modeless] { #expect(!bench.couldStart(task)) }
    }
}
