import Engine
import TaskModel
import Testing

@Suite("A worker that floods the host")
struct FloodTests {
    @Test("loses its tree: the run that all of it was about crashed, its siblings are interrupted")
    func culprit() throws {
        let bench = Bench()
        let application = bench.application()
        let (task, other) = (bench.task(of: application), bench.task(of: application))
        let (culprit, worker) = try #require(bench.running(task))
        let sibling = try #require(bench.joining(worker, other))
        #expect(bench.feed(.flooded(worker, by: culprit)).contains(.kill(worker)))
        _ = bench.gone(worker)
        #expect(bench.outcome(culprit) == .crashed)
        #expect(bench.outcome(sibling) == .interrupted && bench.reason(sibling) == .applicationTerminated)
    }

    @Test("loses all its runs as crashed when its worker does not name the culprit", arguments: [false, true])
    func everybody(_ namesStranger: Bool) throws {
        let bench = Bench()
        let application = bench.application()
        let (task, other) = (bench.task(of: application), bench.task(of: application))
        let (first, worker) = try #require(bench.running(task))
        let second = try #require(bench.joining(worker, other))
        let stranger = try #require(bench.running(bench.task(of: bench.application())))
        #expect(bench.feed(.flooded(worker, by: namesStranger ? stranger.run : nil)).contains(.kill(worker)))
        _ = bench.gone(worker)
        #expect(bench.outcome(first) == .crashed && bench.outcome(second) == .crashed)
        #expect(bench.outcome(stranger.run) == nil, "a worker speaks for no other")
    }

    @Test("is not killed a second time, and reports no run that has ended")
    func late() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.feed(.flooded(worker, by: run))
        #expect(bench.feed(.flooded(worker, by: run)).isEmpty)
        let end = bench.gone(worker)
        #expect(bench.isQuiet(after: end))
        #expect(bench.feed(.flooded(worker, by: nil)).isEmpty)
    }
}
