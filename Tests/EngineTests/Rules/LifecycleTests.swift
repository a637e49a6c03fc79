import Engine
import TaskModel
import Testing

/// Callbacks that must return, background time, and the records of terminations.
struct LifecycleTests {
    private func inBackground(
        profile: LimitsProfile = .modern
    ) throws -> (bench: Bench, application: ApplicationIndex, worker: WorkerHandle) {
        let bench = Bench(profile: profile)
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        #expect(
            bench.feed(.foreground(application: application, false))
                == [.state(worker, .inactive), .state(worker, .background)])
        return (bench, application, worker)
    }

    @Test func `didEnterBackground that does not return in five seconds ends the application`() throws {
        let (bench, _, worker) = try inBackground()
        // willResignActive, and the callbacks before it, have returned: that is not it.
        #expect(bench.feed(.returned(worker, state: 3)) == [])
        #expect(!bench.pass(.milliseconds(4999)).contains(.kill(worker)))
        #expect(
            bench.pass(.milliseconds(1)) == [
                .terminated(worker, .appWatchdog, callback: .didEnterBackground, took: .seconds(5)), .kill(worker),
            ])
    }

    @Test func `One that returns in time does not`() throws {
        let (bench, _, worker) = try inBackground()
        _ = bench.pass(.milliseconds(4900))
        #expect(bench.feed(.returned(worker, state: 4)) == [])
        #expect(!bench.pass(.seconds(60)).contains(.kill(worker)))
    }

    @Test func `To be opened meanwhile gives no more time, and the next call has its own`() throws {
        let (bench, application, worker) = try inBackground()
        _ = bench.pass(.seconds(3))
        _ = bench.feed(.foreground(application: application, true))
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.pass(.seconds(1))
        #expect(bench.feed(.returned(worker, state: 4)) == [])
        #expect(!bench.pass(.milliseconds(4999)).contains(.kill(worker)))
        #expect(
            bench.pass(.milliseconds(1)) == [
                .terminated(worker, .appWatchdog, callback: .didEnterBackground, took: .seconds(5)), .kill(worker),
            ])
    }

    @Test func `A return that the host does not wait for is a breach`() throws {
        let (bench, _, worker) = try inBackground()
        #expect(bench.feed(.returned(worker, state: 5)) == [.kill(worker)])
    }

    @Test func `willTerminate has five seconds too`() throws {
        let (bench, application, worker) = try inBackground()
        _ = bench.feed(.returned(worker, state: 4))
        #expect(
            bench.feed(.terminateApplication(application: application, .userCancelled))
                == [.terminated(worker, .forceQuit, callback: nil, took: nil), .terminate(worker)])
        #expect(bench.feed(.terminateApplication(application: application, .userCancelled)) == [])
        #expect(bench.pass(.milliseconds(4999)) == [])
        #expect(
            bench.pass(.milliseconds(1)) == [
                .terminated(worker, .appWatchdog, callback: .willTerminate, took: .seconds(5)), .kill(worker),
            ])
    }

    @Test func `A force-quit ends runs at once, and their application after its callback`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (run, worker) = try #require(bench.running(bench.task(of: application)))
        #expect(
            bench.feed(.terminateApplication(application: application, .userCancelled))
                == [.terminated(worker, .forceQuit, callback: nil, took: nil), .terminate(worker)])
        #expect(bench.complete(run, of: worker) == [])
        let actions = bench.feed(
            .exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
        #expect(actions == [.kill(worker)])
        #expect(bench.feed(.treeExited(worker)).contains(.finish(run)))
        #expect(bench.outcome(run) == .cancelled)
    }

    @Test func `A launch that hangs is on record`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (_, worker) = try #require(bench.launching(bench.task(of: application)))
        #expect(
            bench.feed(.hung(worker)).first == .terminated(worker, .appWatchdog, callback: .launch, took: .seconds(10)))
    }

    @Test func `A leak is on record with the time in the background`() throws {
        let (bench, _, worker) = try inBackground()
        _ = bench.feed(.returned(worker, state: 4))
        _ = bench.feed(.assertions(worker, count: 1))
        #expect(bench.pass(.seconds(25)) == [.expireAssertions(worker)])
        #expect(
            bench.pass(.seconds(5)) == [
                .terminated(worker, .backgroundTaskAssertionTimeout, callback: nil, took: .seconds(30)),
                .kill(worker),
            ])
    }

    @Test func `One that is begun when the others were warned is warned at once`() throws {
        let (bench, _, worker) = try inBackground()
        _ = bench.feed(.assertions(worker, count: 1))
        _ = bench.feed(.returned(worker, state: 4))
        _ = bench.pass(.seconds(25))
        #expect(bench.feed(.assertions(worker, count: 2)) == [.expireAssertions(worker)])
        #expect(bench.feed(.assertions(worker, count: 1)) == [])
    }

    @Test func `More than a thousand are too many`() throws {
        let bench = Bench()
        let (worker, _) = try #require(bench.inFront(bench.application(hasLifecycle: true)))
        #expect(bench.feed(.assertions(worker, count: 1000)) == [])
        #expect(
            bench.feed(.assertions(worker, count: 1001)) == [
                .terminated(worker, .tooManyBackgroundTaskAssertions, callback: nil, took: nil), .kill(worker),
            ])
    }

    @Test(
        arguments: [
            (nil, .backgroundTaskTimeout, nil), (.performFetch, .backgroundFetchTimeout, .seconds(30)),
            (.didReceiveRemoteNotification, .backgroundFetchTimeout, .seconds(30)),
        ] as [(ApplicationCallback?, TerminationReason, TimeSpan?)])
    func `A task, a fetch and a push that are never completed have their own codes`(
        _ callback: ApplicationCallback?, _ reason: TerminationReason, _ took: TimeSpan?
    ) throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let task = bench.task(of: application, grace: callback == nil ? .seconds(5) : .zero, callback: callback)
        let (_, worker) = try #require(bench.running(task))
        _ = bench.feed(.returned(worker, state: 1))
        _ = bench.pass(.seconds(25))
        let actions = bench.pass(.seconds(5)) + bench.pass(.zero)
        #expect(actions.contains(.terminated(worker, reason, callback: callback, took: took)), "\(actions)")
    }

    @Test func `A fetch that loses a condition continues, and ends for a user and for the host`() throws {
        let bench = Bench()
        let task = bench.task(
            of: bench.application(hasLifecycle: true), grace: .zero, callback: .performFetch)
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.returned(worker, state: 1))
        for reason in [Reason.memoryPressure, .powerLost, .networkLost, .userActive, .thermal, .windowClosed] {
            #expect(bench.feed(.expired(run, reason)) == [])
        }
        _ = bench.complete(run, of: worker)
        #expect(bench.outcome(run) == .succeeded)
        let next = try #require(bench.joining(worker, task))
        #expect(bench.feed(.cancelled(next)).contains(.expire(worker, next, .userCancelled)))
    }

    @Test func `Other libraries have no watchdog and no records`() throws {
        let bench = Bench()
        let application = bench.application()
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.foreground(application: application, false))
        #expect(bench.pass(.milliseconds(9999)).allSatisfy { $0 == .sweep(worker) || $0 == .meter(worker) })
        #expect(bench.feed(.terminateApplication(application: application, .userCancelled)) == [.kill(worker)])
    }
}
