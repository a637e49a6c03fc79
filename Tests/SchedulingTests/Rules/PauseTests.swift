import Scheduling
import TaskModel
import Testing

/// Work that the user holds back.
struct PauseTests {
    /// A scheduler with one task of its one application.
    private struct Case {
        let bench = Bench()
        let task: TaskIndex

        init(_ change: (inout TaskSchedulingRules, Bench) -> Void = { _, _ in }) {
            let bench = bench
            task = bench.add(.processing) { change(&$0, bench) }
            bench.begin()
        }

        func part(_ name: String) -> PausedPart {
            switch name {
            case "host": .host
            case "application": .application(bench.application)
            default: .task(task)
            }
        }

        func pause(_ part: PausedPart, until: Timestamp? = nil) {
            bench.call { $0.pause(part, WorkPause(since: $1.time, until: until), at: $1) }
        }

        @discardableResult
        func resume(_ part: PausedPart) -> Bool { bench.call { $0.resume(part, at: $1) } }
    }

    private static let parts = ["host", "application", "task"]

    @Test(arguments: parts)
    func `Nothing of it starts until it is resumed, and then it does at once`(_ name: String) throws {
        let test = Case()
        let part = test.part(name)
        test.pause(part)
        let request = try test.bench.submit(test.task)
        test.bench.pass(.seconds(86_400))
        #expect(test.bench.started.isEmpty)
        #expect(test.bench.scheduler.nextDeadline(at: test.bench.now) == .distantFuture)
        let held = test.bench.scheduler.explain(request, at: test.bench.now).filter(\.holds)
        #expect(held.map(\.gate) == [.paused] && held.first?.next == nil)
        #expect(test.resume(part))
        #expect(test.bench.started == [request])
        #expect(!test.resume(part))
        let waits = test.bench.scheduler.waits(of: request, at: test.bench.now)
        #expect(waits.map(\.gate) == [.paused] && waits.first.map { $0.to - $0.from } == .seconds(86_400))
    }

    @Test(arguments: parts)
    func `It ends by itself at its moment, which the scheduler wakes for`(_ name: String) throws {
        let test = Case()
        let part = test.part(name)
        let end = test.bench.now.time + .seconds(60)
        test.pause(part, until: end)
        let request = try test.bench.submit(test.task)
        #expect(test.bench.scheduler.nextDeadline(at: test.bench.now) == test.bench.now.instant + .seconds(60))
        #expect(test.bench.scheduler.explain(request, at: test.bench.now).first { $0.gate == .paused }?.next == end)
        test.bench.pass(.seconds(60))
        #expect(test.bench.decisions.contains(.pauseEnded(part)) && test.bench.started == [request])
    }

    @Test(arguments: parts)
    func `Times of a schedule that come during it are one run after it`(_ name: String) throws {
        let test = Case { rules, bench in rules.schedule = bench.every(.seconds(3600)) }
        let part = test.part(name)
        test.pause(part)
        for _ in 0..<5 { test.bench.pass(.seconds(3600)) }
        #expect(test.bench.started.isEmpty)
        test.resume(part)
        #expect(test.bench.started.count == 1)
        test.bench.end(try #require(test.bench.started.first))
        test.bench.pass(.seconds(1))
        #expect(test.bench.started.isEmpty && test.bench.pending().count == 1)
    }

    @Test(arguments: parts)
    func `A time that would take the place of a run in progress leaves it alone until the pause ends`(
        _ name: String
    ) throws {
        let test = Case { rules, bench in rules.schedule = bench.every(.seconds(3600), overlap: .replace) }
        test.bench.pass(.seconds(3600))
        let run = try #require(test.bench.started.first)
        let part = test.part(name)
        test.pause(part)
        test.bench.pass(.seconds(3600))
        #expect(!test.bench.decisions.contains(.expire(run, .superseded)))
        test.resume(part)
        #expect(test.bench.decisions.contains(.expire(run, .superseded)))
    }

    @Test func `The end of one of two pauses starts nothing`() throws {
        let test = Case()
        test.pause(.host)
        test.pause(.task(test.task))
        let request = try test.bench.submit(test.task)
        test.resume(.host)
        #expect(test.bench.started.isEmpty)
        test.resume(.task(test.task))
        #expect(test.bench.started == [request])
    }

    @Test func `Another pause keeps the beginning and has another end`() throws {
        let test = Case()
        let since = test.bench.now.time
        test.pause(.host, until: since + .seconds(10))
        test.bench.pass(.seconds(5))
        test.pause(.host)
        #expect(test.bench.scheduler.pause(of: .host) == WorkPause(since: since))
        test.bench.pass(.seconds(5))
        #expect(test.bench.scheduler.pause(of: .host) != nil)
    }

    @Test(arguments: parts)
    func `What the user starts himself starts`(_ name: String) throws {
        let test = Case()
        test.pause(test.part(name))
        let request = try test.bench.submit(test.task)
        let answer = test.bench.call {
            $0.simulateLaunch(identity: test.bench.identity(test.task), at: $1)
        }
        #expect(answer && test.bench.started == [request])
    }

    @Test func `Other tasks of its application run while one is paused`() throws {
        let test = Case()
        let other = test.bench.add(.appRefresh)
        test.pause(.task(test.task))
        try test.bench.submit(test.task)
        let request = try test.bench.submit(other)
        #expect(test.bench.started == [request])
    }
}
