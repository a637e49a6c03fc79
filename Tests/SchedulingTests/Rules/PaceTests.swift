import Scheduling
import TaskModel
import Testing

@Suite struct PaceTests {
    @Test func `What a run asks for again starts a minute after that run has ended`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let first = try bench.submit(task)
        #expect(bench.started == [first])
        bench.skip(.seconds(10))
        let second = try bench.submit(task)
        #expect(bench.request(second)?.request.notBefore == bench.time(in: .seconds(60)))
        bench.skip(.seconds(7))
        bench.end(first)
        #expect(bench.started == [] && bench.holding(second) == [.backoff])
        #expect(bench.request(second)?.request.notBefore == bench.time(in: .seconds(60)))
        bench.pass(.seconds(59))
        #expect(bench.started == [])
        bench.pass(.seconds(1))
        #expect(bench.started == [second])
    }

    @Test func `What is asked for right after a run has ended waits as well, and a new answer of why says so`() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh)
        bench.begin()
        let first = try bench.submit(task)
        bench.end(first)
        bench.skip(.seconds(20))
        let second = try bench.submit(task)
        #expect(bench.started == [] && bench.holding(second) == [.backoff])
        #expect(bench.report(.backoff, of: second)?.found.contains("scheduling.pace") == true)
        // A newer request of the identifier changes nothing.
        bench.skip(.seconds(20))
        let third = try bench.submit(task)
        bench.pass(.seconds(19))
        #expect(bench.started == [])
        bench.pass(.seconds(1))
        #expect(bench.started == [third])
    }

    @Test func `A date that is late enough is all that counts, and others' runs do not`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        let other = bench.add(.processing)
        bench.begin()
        bench.end(try bench.submit(task))
        let late = try bench.submit(task) { $0.earliestBeginDate = bench.time(in: .seconds(61)) }
        #expect(bench.request(late)?.request.notBefore == nil)
        let free = try bench.submit(other)
        #expect(bench.started.last == free)
    }

    @Test func `A person waits for nothing but the end of the earlier run`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let first = try bench.submit(task)
        bench.skip(.seconds(1))
        let second = try bench.submit(task) { $0.origin = .person }
        bench.end(first)
        #expect(bench.started == [second])
    }

    @Test func `The pace is decided with the submission, and survives a host that dies in the run`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        try bench.submit(task)
        bench.skip(.seconds(10))
        let second = try bench.submit(task)
        let kept = try #require(bench.request(second))
        #expect(kept.request.notBefore == bench.time(in: .seconds(60)))

        let next = Bench()
        _ = next.add(.processing)
        next.skip(.seconds(12))
        let restored = next.scheduler.restore(kept.request, of: kept.task)
        next.begin()
        #expect(next.started == [] && next.holding(restored) == [.backoff])
        next.pass(.seconds(58))
        #expect(next.started == [restored])
    }
}
