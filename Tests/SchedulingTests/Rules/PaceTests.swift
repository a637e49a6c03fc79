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
}
