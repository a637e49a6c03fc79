import Engine
import TaskModel
import Testing

/// Applications in front, in the background and gone.
struct ApplicationStateTests {
    @Test func `A worker that is launched for a run learns that it is in the background before the handler is invoked`()
        throws
    {
        let bench = Bench()
        let application = bench.application()
        let (run, worker) = try #require(bench.launching(bench.task(of: application)))
        #expect(bench.engine.state(of: application) == .background)
        let actions = bench.feed(.ready(worker))
        #expect(actions.first == .state(worker, .background))
        #expect(actions.last == .start(worker, run))
        // A second run finds it there.
        let (second, more) = bench.submitted(bench.task(of: application))
        #expect(more.filter { if case .effect(.state) = $0 { true } else { false } }.isEmpty)
        #expect(second != nil)
    }

    @Test func `A launch to the foreground is inactive first and then active`() throws {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application, memory: .mebibytes(48))
        let actions = bench.feed(.foreground(application: application, true))
        let worker = try #require(actions.launched)
        #expect(actions == [.launch(worker, application: application, memory: .mebibytes(48))])
        #expect(bench.engine.state(of: application) == .inactive)
        #expect(bench.feed(.ready(worker)) == [.state(worker, .inactive), .state(worker, .active)])
        #expect(bench.engine.state(of: application) == .active)
        // It does not count as a run, and runs of it join it.
        #expect(bench.engine.occupied == 0)
        #expect(bench.joining(worker, task) != nil)
    }

    @Test func `An application goes to the background and comes back by way of inactive`() throws {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        #expect(
            bench.feed(.foreground(application: application, false)) == [
                .state(worker, .inactive), .state(worker, .background),
            ])
        #expect(bench.engine.state(of: application) == .background)
        #expect(
            bench.feed(.foreground(application: application, true)) == [
                .state(worker, .inactive), .state(worker, .active),
            ])
        #expect(bench.engine.state(of: application) == .active)
        // Nothing is said twice.
        #expect(bench.feed(.foreground(application: application, true)) == [])
    }

    @Test func `An application in the foreground keeps its worker, and no idle rule touches it`() throws {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application)
        let (worker, _) = try #require(bench.inFront(application))
        #expect(bench.pass(.minutes(600)) == [])
        #expect(bench.meter(worker, cpu: .minutes(500)) == [])
        let run = try #require(bench.joining(worker, task))
        #expect(bench.complete(run, of: worker) == [.finish(run), .reply(run)])
        #expect(bench.engine.nextDeadline == .distantFuture)
        // In the background it is let go when it has been idle.
        _ = bench.feed(.foreground(application: application, false))
        var actions: [Action] = []
        while !actions.contains(.terminate(worker)) { actions = try #require(bench.passToDeadline()) }
        #expect(bench.engine.state(of: application) == .notRunning)
        #expect(bench.isQuiet(after: [.reply(run)] + bench.gone(worker, signal: 0)))
    }

    @Test func `A crash in the foreground leaves the application not running until a user opens it`() throws {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        let actions = bench.gone(worker, signal: 11)
        #expect(bench.engine.state(of: application) == .notRunning)
        #expect(actions.launched == nil)
        #expect(bench.isQuiet(after: actions))
        #expect(bench.inFront(application) != nil)
    }

    @Test func `A launch to the foreground that fails leaves the application not running`() throws {
        let bench = Bench()
        let application = bench.application()
        let worker = try #require(bench.feed(.foreground(application: application, true)).launched)
        let actions = bench.feed(.refused(worker)) + bench.gone(worker)
        #expect(actions.launched == nil)
        #expect(bench.engine.state(of: application) == .notRunning)
        #expect(bench.isQuiet(after: actions))
    }

    @Test(arguments: [true, false])
    func `A person who opens an application while its worker goes gets the next one`(leaving: Bool) throws {
        let bench = Bench()
        let application = bench.application()
        let (run, worker) = try #require(bench.running(bench.task(of: application)))
        if leaving {
            _ = bench.complete(run, of: worker)
            while try #require(bench.passToDeadline()) != [.terminate(worker)] {}
        } else {
            _ = bench.feed(.violated(worker))
        }
        #expect(bench.feed(.foreground(application: application, true)) == [])
        let next = try #require(bench.gone(worker).launched)
        #expect(bench.feed(.ready(next)) == [.state(next, .inactive), .state(next, .active)])
    }

    @Test func `An application that left the foreground while it was launched gets the background alone`() throws {
        let bench = Bench()
        let application = bench.application()
        let worker = try #require(bench.feed(.foreground(application: application, true)).launched)
        #expect(bench.feed(.foreground(application: application, false)) == [])
        #expect(bench.feed(.ready(worker)) == [.state(worker, .background)])
    }

    @Test func `An application is woken without a run, gets the background and ends when it is idle`() throws {
        let bench = Bench()
        let application = bench.application()
        let worker = try #require(bench.feed(.wake(application: application)).launched)
        #expect(bench.feed(.wake(application: application)) == [])
        #expect(bench.feed(.ready(worker)) == [.state(worker, .background)])
        #expect(bench.feed(.wake(application: application)) == [])
        while try #require(bench.passToDeadline()) != [.terminate(worker)] {}
        // On its way out it is not the launch that was asked for.
        #expect(bench.feed(.wake(application: application)) == [])
        let next = try #require(bench.gone(worker, signal: 0).launched)
        #expect(next != worker)
        _ = bench.feed(.ready(next))
        while try #require(bench.passToDeadline()) != [.terminate(next)] {}
        #expect(bench.gone(next, signal: 0).launched == nil)
    }

    @Test func `Isolated runs have their own processes beside the one in front`() throws {
        let bench = Bench()
        let application = bench.application(isolated: true)
        let (front, _) = try #require(bench.inFront(application))
        let (run, worker) = try #require(bench.launching(bench.task(of: application)))
        #expect(worker != front)
        #expect(bench.feed(.ready(worker)).first == .state(worker, .background))
        _ = bench.complete(run, of: worker)
        let gone = bench.gone(worker)
        #expect(bench.engine.state(of: application) == .active)
        let actions = bench.feed(.foreground(application: application, false))
        #expect(actions == [.state(front, .inactive), .state(front, .background), .terminate(front)])
        #expect(bench.isQuiet(after: [.reply(run)] + gone + bench.gone(front)))
    }

    @Test func `The host receives every state once, and no rests between runs`() throws {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application)
        let (run, worker) = try #require(bench.running(task))
        #expect(bench.stateChanges() == [.background])
        _ = bench.complete(run, of: worker)
        #expect(bench.stateChanges() == [])
        _ = bench.feed(.foreground(application: application, true))
        #expect(bench.stateChanges() == [.active])
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.feed(.foreground(application: application, true))
        #expect(bench.stateChanges() == [.active])
        _ = bench.gone(worker, signal: 6)
        #expect(bench.stateChanges() == [.notRunning])
    }

    @Test func `A stopping host lets go of the application in front and brings none there`() throws {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        #expect(bench.feed(.stopping) == [.terminate(worker)])
        #expect(bench.feed(.foreground(application: application, true)) == [])
        #expect(bench.feed(.wake(application: application)) == [])
        #expect(bench.isQuiet(after: bench.gone(worker, signal: 0)))
    }

    @Test("Check 26: the CPU monitor kills in the background, and neither in the foreground nor on external power")
    func monitor() throws {
        for (isMonitored, isInFront, isKilled) in [(true, false, true), (false, false, false), (true, true, false)] {
            let bench = Bench()
            let application = bench.application()
            let task = bench.task(of: application, wallClock: .minutes(10), isMonitored: isMonitored)
            let (run, worker) = try #require(bench.running(task))
            if isInFront { _ = bench.feed(.foreground(application: application, true)) }
            _ = bench.pass(.seconds(60))
            let actions = bench.meter(worker, cpu: .seconds(50))
            #expect(actions == (isKilled ? [.kill(worker)] : []))
            if isKilled { _ = bench.gone(worker) }
            #expect(bench.outcome(run) == (isKilled ? .exceededCPU : nil))
        }
    }

    @Test("Check 26: a request that asked for external power is not monitored, whatever its task's manifest says")
    func monitorOfRequest() throws {
        for isOnPower in [true, false] {
            let bench = Bench()
            let task = bench.task(of: bench.application(), wallClock: .minutes(10), isMonitored: true)
            let submission = Submission(
                task: task, id: ULID(high: 0, low: 1), requester: 1, isOnPower: isOnPower)
            let worker = try #require(bench.feed(.submitted(submission)).launched)
            let actions = bench.feed(.ready(worker))
            bench.answer(actions)
            _ = bench.pass(.seconds(60))
            #expect(bench.meter(worker, cpu: .seconds(50)) == (isOnPower ? [] : [.kill(worker)]))
        }
    }

    @Test func `What a run burnt in the foreground is not held against it in the background`() throws {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        let run = try #require(
            bench.joining(worker, bench.task(of: application, wallClock: .minutes(600), isMonitored: true)))
        _ = bench.pass(.minutes(10))
        let actions = bench.feed(.foreground(application: application, false))
        #expect(actions == [.state(worker, .inactive), .state(worker, .background), .meter(worker)])
        #expect(bench.meter(worker, cpu: .minutes(10)) == [])
        _ = bench.pass(.seconds(60))
        #expect(bench.meter(worker, cpu: .minutes(10) + .seconds(47)) == [])
        _ = bench.pass(.seconds(60))
        #expect(bench.meter(worker, cpu: .minutes(11) + .seconds(47)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededCPU)
    }
}
