import Scheduling
import TaskModel
import Testing

/// Tasks that run after others, and times of schedules that come during a run.
struct SequenceTests {
    private func pair(_ change: (inout TaskSchedulingRules) -> Void = { _ in }) -> (Bench, TaskIndex, TaskIndex) {
        let bench = Bench()
        let first = bench.add(.processing)
        let second = bench.add(.processing, change: change)
        bench.scheduler.setFollowers([second], of: first)
        bench.begin()
        return (bench, first, second)
    }

    @Test func `A success starts what comes after it, and only a success`() throws {
        for outcome in Outcome.allCases {
            let (bench, first, second) = pair()
            let request = try bench.submit(first)
            bench.end(request, outcome)
            #expect(
                (bench.request(bench.started.first ?? request)?.task == second) == (outcome == .succeeded))
            let follower = bench.started.first.flatMap { bench.request($0) }?.request
            if outcome == .succeeded { #expect(follower?.terms.origin == .task) }
        }
    }

    @Test func `A run without a request counts as well`() throws {
        let (bench, first, second) = pair()
        bench.call { $0.succeeded(first, at: $1) }
        #expect(bench.started.count == 1)
        bench.call { $0.succeeded(second, at: $1) }
        #expect(bench.started.isEmpty)
    }

    @Test func `Successes before it starts are one run, and one more while it runs`() throws {
        let (bench, first, _) = pair()
        bench.end(try bench.submit(first))
        let running = try #require(bench.started.first)
        for _ in 0..<3 { bench.end(try bench.submit(first) { $0.origin = .person }) }
        #expect(bench.pending().count == 1)
        bench.end(running)
        #expect(bench.started.count == 1)
        bench.end(try #require(bench.started.first))
        #expect(bench.started.isEmpty && bench.pending().isEmpty)
    }

    @Test func `It takes the place of a time of its schedule that is to come, which comes again afterwards`() throws {
        let bench = Bench()
        let hourly = bench.every(.seconds(3600))
        let first = bench.add(.processing)
        let second = bench.add(.processing) { $0.schedule = hourly }
        bench.scheduler.setFollowers([second], of: first)
        bench.begin()
        bench.end(try bench.submit(first))
        let run = try #require(bench.started.first)
        #expect(bench.request(run)?.request.terms.origin == .task)
        bench.end(run)
        #expect(bench.pending().count == 1)
        bench.pass(.seconds(3600))
        #expect(bench.started.count == 1)
    }

    @Test func `A task without manifest, or without its mode, follows none`() throws {
        let (bench, first, second) = pair()
        bench.call { $0.setRemoved(true, task: second, at: $1) }
        bench.end(try bench.submit(first))
        #expect(bench.started.isEmpty && bench.pending().isEmpty)
        let (other, task, _) = pair { $0.lacksMode = true }
        other.end(try other.submit(task))
        #expect(other.started.isEmpty)
    }

    // MARK: Times that come during a run

    private func slow(_ overlap: Overlap) throws -> (Bench, RequestHandle) {
        let bench = Bench()
        let schedule = bench.every(.seconds(3600), overlap: overlap)
        _ = bench.add(.processing) { $0.schedule = schedule }
        bench.begin()
        bench.pass(.seconds(3600))
        return (bench, try #require(bench.started.first))
    }

    @Test func `skip leaves out the times that come during a run`() throws {
        let (bench, run) = try slow(.skip)
        bench.pass(.seconds(2 * 3600 + 60))
        #expect(bench.started.isEmpty)
        bench.end(run)
        #expect(bench.started.isEmpty)
        bench.pass(.seconds(3600 - 61))
        #expect(bench.started.isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.started.count == 1)
    }

    @Test func `replace ends the run when the next time comes, once, and starts the next one when it has ended`() throws
    {
        let (bench, run) = try slow(.replace)
        bench.pass(.seconds(3599))
        #expect(bench.decisions.isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.decisions == [.expire(run, .superseded)])
        bench.pass(.seconds(60))
        #expect(bench.decisions.isEmpty)
        bench.end(run, .expired, .superseded)
        #expect(bench.started.count == 1)
        #expect(bench.pending().count == 1)
        bench.end(try #require(bench.started.first))
        #expect(bench.pending().count == 1)
    }

    @Test func `A run that ends in time is not replaced`() throws {
        let (bench, run) = try slow(.replace)
        bench.pass(.seconds(1800))
        bench.end(run)
        bench.pass(.seconds(1800))
        #expect(bench.started.count == 1)
    }
}
