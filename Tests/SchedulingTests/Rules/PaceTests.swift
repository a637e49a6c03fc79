import Scheduling
import TaskModel
import Testing

@Suite struct PaceTests {
    @Test func `What a run asks for again starts a minute after that run began`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let first = try bench.submit(task)
        #expect(bench.started == [first])
        bench.skip(.seconds(10))
        let second = try bench.submit(task)
        bench.end(first)
        #expect(bench.started == [] && bench.holding(second) == [.backoff])
        bench.pass(.seconds(49))
        #expect(bench.started == [])
        bench.pass(.seconds(1))
        #expect(bench.started == [second])
    }

    @Test func `A run that took longer than that is followed at once`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let first = try bench.submit(task)
        bench.skip(.seconds(61))
        let second = try bench.submit(task)
        bench.end(first)
        #expect(bench.started == [second])
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
        let kept = try #require(bench.scheduler.request(second))
        #expect(kept.request.notBefore == bench.time(in: .seconds(50)))

        let next = Bench()
        _ = next.add(.processing)
        next.skip(.seconds(12))
        let restored = next.scheduler.restore(kept.request, of: kept.task)
        next.begin()
        #expect(next.started == [] && next.holding(restored) == [.backoff])
        next.pass(.seconds(48))
        #expect(next.started == [restored])
    }
}
