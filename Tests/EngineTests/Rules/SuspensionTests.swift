import Engine
import TaskModel
import Testing

/// Applications without anything to do are frozen, and continue when something needs them.
struct SuspensionTests {
    /// An application that got `background`, and whose callback has returned.
    private func resting(
        profile: LimitsProfile = .modern
    ) throws -> (bench: Bench, application: ApplicationIndex, worker: WorkerHandle) {
        let bench = Bench(profile: profile)
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.feed(.returned(worker, state: 4))
        return (bench, application, worker)
    }

    private func suspended() throws -> (bench: Bench, application: ApplicationIndex, worker: WorkerHandle) {
        let (bench, application, worker) = try resting()
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.milliseconds(4950)) == [.sweep(worker), .freeze(worker)])
        #expect(bench.engine.state(of: application) == .suspended)
        return (bench, application, worker)
    }

    @Test func `Idle for five seconds, it is swept and frozen, and nothing is due`() throws {
        let (bench, _, worker) = try resting()
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.milliseconds(4949)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.sweep(worker), .freeze(worker)])
        #expect(bench.feed(.frozen(worker, holdsLock: false)) == [])
        #expect(bench.engine.nextDeadline == .distantFuture)
        #expect(bench.stateChanges().last == .suspended)
    }

    @Test func `An assertion, a run, a callback under way and the foreground keep it from that`() throws {
        let (bench, application, worker) = try resting()
        _ = bench.feed(.assertions(worker, count: 1))
        #expect(bench.pass(.seconds(20)) == [])
        _ = bench.feed(.assertions(worker, count: 0))
        let run = try #require(bench.joining(worker, bench.task(of: application)))
        #expect(!bench.pass(.seconds(20)).contains(.freeze(worker)))
        _ = bench.complete(run, of: worker)
        _ = bench.feed(.foreground(application: application, true))
        #expect(!bench.pass(.seconds(20)).contains(.freeze(worker)))
        _ = bench.feed(.foreground(application: application, false))
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(!bench.pass(.milliseconds(4949)).contains(.freeze(worker)))
        #expect(bench.feed(.returned(worker, state: 8)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.sweep(worker), .freeze(worker)])
    }

    @Test func `It is frozen when its callback returns, if it was idle for long enough by then`() throws {
        var profile = LimitsProfile.modern
        profile.suspendAfter = .seconds(1)
        let bench = Bench(profile: profile)
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.foreground(application: application, false))
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.seconds(2)) == [])
        #expect(bench.feed(.returned(worker, state: 4)) == [.sweep(worker), .freeze(worker)])
    }

    @Test func `A run thaws it first, and its time begins then`() throws {
        let (bench, application, worker) = try suspended()
        _ = bench.pass(.seconds(3600))
        let (run, actions) = bench.submitted(bench.task(of: application))
        let started = try #require(run)
        #expect(actions.firstIndex(of: .thaw(worker)) ?? .max < actions.firstIndex(of: .start(worker, started)) ?? -1)
        #expect(bench.engine.state(of: application) == .background)
        _ = bench.complete(started, of: worker)
        #expect(bench.slot(started)?.frozenTime == .zero)
    }

    @Test func `It comes to the front by way of inactive`() throws {
        let (bench, application, worker) = try suspended()
        #expect(
            bench.feed(.foreground(application: application, true))
                == [.thaw(worker), .state(worker, .inactive), .state(worker, .active)])
    }

    @Test func `An assertion that it had just begun thaws it`() throws {
        let (bench, application, worker) = try suspended()
        #expect(bench.feed(.assertions(worker, count: 1)) == [.thaw(worker)])
        #expect(bench.engine.state(of: application) == .background)
        // The time for which it was frozen does not count.
        #expect(bench.pass(.seconds(19)) == [])
        #expect(bench.pass(.seconds(1)) == [.expireAssertions(worker)])
    }

    @Test func `Memory pressure ends it without a word, and it is launched again when something needs it`() throws {
        let (bench, application, worker) = try suspended()
        #expect(
            bench.feed(.memoryPressure(true))
                == [.terminated(worker, .memoryPressure, callback: nil, took: nil), .kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.engine.state(of: application) == .notRunning)
        #expect(bench.submitted(bench.task(of: application)).actions.launched != nil)
    }

    @Test func `While memory is short no application is suspended`() throws {
        let (bench, _, worker) = try resting()
        _ = bench.feed(.memoryPressure(true))
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(
            bench.pass(.milliseconds(4950))
                == [.terminated(worker, .memoryPressure, callback: nil, took: nil), .kill(worker)])
    }

    @Test func `The least recently used one goes when there are too many`() throws {
        var profile = LimitsProfile.modern
        profile.suspendedApplications = 2
        let bench = Bench(profile: profile)
        var ended: [WorkerHandle] = []
        var workers: [WorkerHandle] = []
        for _ in 0..<4 {
            let application = bench.application(hasLifecycle: true)
            let (worker, _) = try #require(bench.inFront(application))
            workers.append(worker)
            _ = bench.feed(.foreground(application: application, false))
            _ = bench.feed(.returned(worker, state: 4))
            bench.answer(bench.pass(.milliseconds(50)))
            for case .effect(.kill(let worker)) in bench.pass(.seconds(5)) {
                ended.append(worker)
                _ = bench.gone(worker)
            }
        }
        #expect(ended == Array(workers.prefix(2)))
    }

    @Test func `A lock that others may wait for ends it`() throws {
        let (bench, _, worker) = try suspended()
        #expect(
            bench.feed(.frozen(worker, holdsLock: true))
                == [.terminated(worker, .suspendedWithLockedFile, callback: nil, took: nil), .kill(worker)])
    }

    @Test func `A force-quit, a stop and a new form end it without a callback`() throws {
        for event in [0, 1, 2] {
            let (bench, application, worker) = try suspended()
            let actions =
                switch event {
                case 0: bench.feed(.terminateApplication(application: application, .userCancelled))
                case 1: bench.feed(.stopping)
                default: bench.feed(.renewed(application: application))
                }
            #expect(actions.contains(.kill(worker)))
            #expect(!actions.contains(.terminate(worker)))
        }
    }

    @Test func `Other libraries' processes end instead`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.complete(run, of: worker)
        var actions = bench.pass(.milliseconds(50))
        while !actions.contains(.terminate(worker)) {
            #expect(!actions.contains(.freeze(worker)))
            bench.answer(actions)
            actions = try #require(bench.passToDeadline())
        }
    }
}
