import Engine
import TaskModel
import Testing

/// Applications whose manifest or library changed.
struct RevisionTests {
    private func renewal(in bench: Bench) -> (application: ApplicationIndex, isOutdated: Bool)? {
        bench.engine.takeRenewal()
    }

    @Test func `A process of the earlier revision is news until nothing is left of it`() throws {
        let bench = Bench()
        let application = bench.application()
        let (run, worker) = try #require(bench.running(bench.task(of: application)))
        #expect(renewal(in: bench) == nil)
        _ = bench.feed(.renewed(application: application))
        let news = try #require(renewal(in: bench))
        #expect(news.application == application && news.isOutdated)
        _ = bench.complete(run, of: worker)
        #expect(renewal(in: bench) == nil)
        _ = bench.gone(worker, signal: 0)
        let end = try #require(renewal(in: bench))
        #expect(end.application == application && !end.isOutdated)
        #expect(renewal(in: bench) == nil)
    }

    @Test func `An application without a process has no earlier revision`() {
        let bench = Bench()
        _ = bench.feed(.renewed(application: bench.application()))
        #expect(renewal(in: bench) == nil)
    }

    @Test func `Isolated runs have their own processes, and start at once`() throws {
        let bench = Bench()
        let application = bench.application(isolated: true)
        let task = bench.task(of: application)
        _ = try #require(bench.running(task))
        _ = bench.feed(.renewed(application: application))
        #expect(renewal(in: bench) == nil)
        #expect(bench.running(task) != nil)
    }
}
