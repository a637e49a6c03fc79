import Engine
import TaskModel
import Testing

/// Continued processing: no time limit, but it has to make progress.
struct ProgressTests {
    private func continued(wallClock: TimeSpan = TimeSpan(nanoseconds: .max)) throws
        -> (bench: Bench, run: RunHandle, worker: WorkerHandle)
    {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: wallClock, stall: .seconds(30))
        let (run, worker) = try #require(bench.running(task))
        return (bench, run, worker)
    }

    @Test("Check 30: a run whose progress stays unchanged is expired, one with steady progress is not")
    func stall() throws {
        let (bench, run, worker) = try continued()
        #expect(bench.slot(run)?.budgetEnd == .distantFuture)
        for step in 1...180 as ClosedRange<Int64> {
            #expect(bench.pass(.seconds(20)) == [])
            #expect(bench.feed(.progressed(worker, run, completed: step)) == [])
        }
        #expect(bench.pass(.milliseconds(29_999)) == [])
        // The same figure again is no progress.
        #expect(bench.feed(.progressed(worker, run, completed: 180)) == [])
        #expect(
            bench.pass(.milliseconds(1)) == .expiration(worker, run, .noProgress))
        #expect(bench.complete(run, of: worker).finished == [run])
        #expect(bench.outcome(run) == .expired)
        #expect(bench.reason(run) == .noProgress)
    }

    @Test func `After the warning progress saves it no more, and it is killed at the end of the grace`() throws {
        let (bench, run, worker) = try continued()
        #expect(
            bench.pass(.seconds(30)) == .expiration(worker, run, .noProgress))
        #expect(bench.feed(.progressed(worker, run, completed: 1)) == [])
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
        #expect(bench.reason(run) == .noProgress)
    }

    @Test func `A wall-clock budget from the manifest ends it in spite of its progress`() throws {
        let (bench, run, worker) = try continued(wallClock: .seconds(65))
        for step in 1...3 as ClosedRange<Int64> {
            _ = bench.pass(.seconds(19))
            _ = bench.feed(.progressed(worker, run, completed: step))
        }
        #expect(
            bench.pass(.seconds(3)) == .expiration(worker, run, .budget))
    }

    @Test func `Others need no progress, and no worker reports another's`() throws {
        let (bench, run, worker) = try continued()
        let other = try #require(bench.running(bench.task(of: bench.application(), wallClock: .minutes(5))))
        #expect(bench.feed(.progressed(other.worker, other.run, completed: 1)) == [])
        _ = bench.pass(.seconds(29))
        _ = bench.feed(.progressed(other.worker, run, completed: 1))
        #expect(
            bench.pass(.seconds(1)) == .expiration(worker, run, .noProgress))
        #expect(bench.slot(other.run)?.phase == .running)
    }

    @Test func `Progress in a tree that is being killed restarts nothing`() throws {
        let bench = Bench()
        let application = bench.application()
        let (run, worker) = try #require(bench.running(bench.task(of: application, stall: .seconds(1))))
        let short = try #require(
            bench.joining(worker, bench.task(of: application, wallClock: .milliseconds(10), grace: .zero)))
        #expect(bench.pass(.milliseconds(10)).contains(.kill(worker)))
        #expect(bench.feed(.progressed(worker, run, completed: 1)) == [])
        for _ in 0..<100 { #expect(bench.pass(.milliseconds(20)) == [.kill(worker)]) }
        _ = bench.gone(worker)
        #expect([run, short].map { bench.outcome($0) } == [.interrupted, .overran])
    }
}
