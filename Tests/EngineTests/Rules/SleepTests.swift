import Engine
import TaskModel
import Testing

/// The machine's sleep: applications go to the background, get a moment, freeze and continue.
struct SleepTests {
    private func sleeps(_ bench: Bench, within span: TimeSpan? = nil) -> [Action] {
        bench.feed(.sleeps(waitsUntil: span.map { bench.now.instant + $0 } ?? .distantFuture))
    }

    @Test func `With nothing alive it may sleep at once`() {
        #expect(sleeps(Bench()) == [.allowSleep])
    }

    @Test func `Who is in front goes to the background, and sleep waits for the callback`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        #expect(sleeps(bench) == [.state(worker, .inactive), .state(worker, .background)])
        _ = bench.pass(.seconds(1))
        #expect(bench.feed(.returned(worker, state: 4)) == [.freeze(worker), .allowSleep])
        _ = bench.pass(.seconds(3600))
        let actions = bench.feed(.awoke)
        #expect(actions.contains(.thaw(worker)))
        #expect(actions.suffix(2) == [.state(worker, .inactive), .state(worker, .active)])
        #expect(bench.engine.state(of: application) == .active)
    }

    @Test(arguments: [nil, TimeSpan.milliseconds(4500), .seconds(60)])
    func `What runs has five seconds, or less when the machine grants less`(_ granted: TimeSpan?) throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .minutes(5))))
        #expect(sleeps(bench, within: granted) == [])
        let time = min(granted ?? .seconds(5), .seconds(5))
        #expect(bench.pass(time - .milliseconds(1)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.pause(run), .freeze(worker), .allowSleep])
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test func `Its budget pauses with it`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .seconds(60))))
        let end = try #require(bench.slot(run)?.budgetEnd)
        _ = bench.pass(.seconds(10))
        _ = sleeps(bench)
        _ = bench.pass(.seconds(5))
        _ = bench.pass(.seconds(3600))
        #expect(bench.feed(.awoke) == [.thaw(worker), .resume(run), .setDeadline(worker, run)])
        #expect(bench.slot(run)?.budgetEnd == end + .seconds(3600))
        #expect(!bench.pass(.milliseconds(39999)).contains(.expire(worker, run, .budget)))
        #expect(bench.pass(.milliseconds(1)).contains(.expire(worker, run, .budget)))
        _ = bench.pass(.seconds(1))
        _ = bench.complete(run, of: worker)
        #expect(bench.slot(run)?.figures.wallTime == .seconds(56))
        #expect(bench.slot(run)?.frozenTime == .seconds(3600))
    }

    @Test func `A warning that was given before has its grace afterwards`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .seconds(60), grace: .seconds(10))
        let (run, worker) = try #require(bench.running(task))
        #expect(bench.pass(.seconds(50)).contains(.expire(worker, run, .budget)))
        _ = sleeps(bench)
        #expect(bench.pass(.seconds(5)).contains(.freeze(worker)))
        _ = bench.pass(.seconds(600))
        _ = bench.feed(.awoke)
        #expect(!bench.pass(.milliseconds(4999)).contains(.kill(worker)))
        #expect(bench.pass(.milliseconds(1)).contains(.kill(worker)))
    }

    @Test func `Background time pauses, and so does the watchdog`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.assertions(worker, count: 1))
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.feed(.returned(worker, state: 4))
        _ = bench.pass(.seconds(10))
        _ = sleeps(bench)
        #expect(bench.pass(.seconds(5)) == [.freeze(worker), .allowSleep])
        _ = bench.pass(.seconds(3600))
        #expect(bench.feed(.awoke) == [.thaw(worker)])
        #expect(bench.pass(.milliseconds(9999)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.expireAssertions(worker)])
    }

    @Test func `Nothing is launched, started or opened while it sleeps`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let task = bench.task(of: application)
        _ = sleeps(bench)
        let (run, actions) = bench.submitted(task)
        #expect(actions == [.insert(try #require(run))])
        #expect(try bench.engine.gate(of: #require(run)) == .sleep)
        #expect(bench.feed(.foreground(application: application, true)) == [])
        #expect(bench.feed(.wake(application: bench.application(hasLifecycle: true))) == [])
        let launches = bench.feed(.awoke).filter { if case .urgent(.launch) = $0 { true } else { false } }
        #expect(launches.count == 2)
    }

    @Test func `A worker that becomes ready while the machine sleeps is frozen at once`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.launching(bench.task(of: bench.application())))
        #expect(sleeps(bench) == [])
        #expect(bench.pass(.seconds(5)) == [.allowSleep])
        #expect(bench.feed(.ready(worker)).suffix(2) == [.pause(run), .freeze(worker)])
    }

    @Test func `Suspended applications stay so`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.feed(.returned(worker, state: 4))
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.seconds(5)).contains(.freeze(worker)))
        #expect(sleeps(bench) == [.allowSleep])
        #expect(bench.feed(.awoke) == [])
        #expect(bench.engine.state(of: application) == .suspended)
    }

    @Test func `A stop thaws what is to be warned`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        _ = sleeps(bench)
        _ = bench.pass(.seconds(5))
        let actions = bench.feed(.stopping)
        #expect(actions.first == .thaw(worker))
        #expect(actions.contains(.expire(worker, run, .hostStopping)))
    }

    @Test func `A run that ends while it is frozen is not charged for that`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.pass(.seconds(2))
        _ = sleeps(bench)
        _ = bench.pass(.seconds(5))
        _ = bench.pass(.seconds(100))
        // It had completed before it was frozen, or another process killed it.
        _ = bench.complete(run, of: worker)
        #expect(bench.slot(run)?.figures.wallTime == .seconds(7))
        #expect(bench.slot(run)?.frozenTime == .seconds(100))
    }

    @Test func `Work out of sight is what keeps an old machine awake`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.assertions(worker, count: 1))
        #expect(bench.engine.isBusyInBackground == false)
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.engine.isBusyInBackground == true)
        _ = bench.feed(.assertions(worker, count: 0))
        #expect(bench.engine.isBusyInBackground == false)
        _ = bench.joining(worker, bench.task(of: application))
        #expect(bench.engine.isBusyInBackground == true)
    }
}
