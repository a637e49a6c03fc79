import Engine
import TaskModel
import Testing

/// An application is removed: its worker is killed at once, without a warning.
struct QuitTests {
    @Test("Check 31: a cancelled run is warned, and removal from the switcher kills queued and running ones without")
    func removal() throws {
        let bench = Bench(concurrency: 2)
        let application = bench.application()
        let task = bench.task(of: application, wallClock: TimeSpan(nanoseconds: .max), stall: .seconds(30))
        let (worker, _) = try #require(bench.inFront(application))
        let first = try #require(bench.joining(worker, task))
        let second = try #require(bench.joining(worker, task))
        let queued = try #require(bench.submit(task))
        #expect(
            bench.feed(.expired(second, .userCancelled)) == .expiration(worker, second, .userCancelled))
        let actions = bench.feed(.terminateApplication(application: application, .userCancelled))
        #expect(actions == [.finish(queued), .reply(queued), .kill(worker)])
        #expect(bench.engine.state(of: application) == .notRunning)
        let gone = bench.gone(worker)
        #expect(gone.finished == [first, second])
        for run in [first, second, queued] {
            #expect(bench.outcome(run) == .cancelled)
            #expect(bench.reason(run) == .userCancelled)
        }
        #expect(bench.isQuiet(after: actions + gone))
    }

    @Test func `Another reason interrupts its runs`() throws {
        let bench = Bench()
        let application = bench.application()
        let (run, worker) = try #require(bench.running(bench.task(of: application)))
        #expect(bench.feed(.terminateApplication(application: application, .applicationTerminated)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.reason(run) == .applicationTerminated)
    }

    @Test func `A launch is killed with the runs that wait for it, and makes room for others`() throws {
        let bench = Bench(concurrency: 1)
        let application = bench.application()
        let (run, worker) = try #require(bench.launching(bench.task(of: application)))
        let other = try #require(bench.submit(bench.task(of: bench.application())))
        let actions = bench.feed(.terminateApplication(application: application, .userCancelled))
        #expect(actions.prefix(3) == [.kill(worker), .finish(run), .reply(run)])
        #expect(actions.launched != nil)
        #expect(bench.slot(other)?.phase == .launching)
    }

    @Test func `Every process of isolated runs is killed, and those of other applications are not`() throws {
        let bench = Bench()
        let application = bench.application(isolated: true)
        let task = bench.task(of: application)
        let first = try #require(bench.running(task))
        let second = try #require(bench.running(task))
        let other = try #require(bench.running(bench.task(of: bench.application(isolated: true))))
        let actions = bench.feed(.terminateApplication(application: application, .userCancelled))
        #expect(actions == [.kill(first.worker), .kill(second.worker)])
        #expect(bench.slot(other.run)?.phase == .running)
    }

    @Test func `What is being killed already keeps its outcome`() throws {
        let bench = Bench()
        let application = bench.application()
        let (run, worker) = try #require(bench.running(bench.task(of: application)))
        _ = bench.pass(.seconds(25))
        _ = bench.pass(.seconds(5))
        #expect(bench.feed(.terminateApplication(application: application, .userCancelled)) == [])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
    }

    @Test func `Quitting what does not run does nothing, and a later run is launched as ever`() throws {
        let bench = Bench()
        let application = bench.application()
        #expect(bench.feed(.terminateApplication(application: application, .userCancelled)) == [])
        #expect(bench.running(bench.task(of: application)) != nil)
    }
}
