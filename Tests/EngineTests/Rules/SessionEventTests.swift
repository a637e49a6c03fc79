import Engine
import TaskModel
import Testing

/// Background sessions have events: their application is resumed or launched, and has thirty seconds.
struct SessionEventTests {
    private func suspended() throws -> (bench: Bench, application: ApplicationIndex, worker: WorkerHandle) {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let (worker, _) = try #require(bench.inFront(application))
        _ = bench.feed(.foreground(application: application, false))
        _ = bench.feed(.returned(worker, state: 4))
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.seconds(5)).contains(.freeze(worker)))
        return (bench, application, worker)
    }

    @Test func `A suspended application thaws, gets them, and is frozen again when it has handled them`() throws {
        let (bench, application, worker) = try suspended()
        #expect(bench.feed(.sessionEvents(application: application)) == [.thaw(worker), .handleSessionEvents(worker)])
        #expect(bench.pass(.milliseconds(29_999)) == [])
        #expect(bench.feed(.sessionsHandled(worker)) == [])
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.seconds(5)) == [.sweep(worker), .freeze(worker)])
    }

    @Test func `One that does not run is launched, gets the background, and gets them after that`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let worker = try #require(bench.feed(.sessionEvents(application: application)).launched)
        let actions = bench.feed(.ready(worker))
        let state = try #require(actions.firstIndex(of: .state(worker, .background)))
        let told = try #require(actions.firstIndex(of: .handleSessionEvents(worker)))
        #expect(state < told)
    }

    @Test func `Thirty seconds after it got them it is terminated with the documented code`() throws {
        let (bench, application, worker) = try suspended()
        _ = bench.feed(.sessionEvents(application: application))
        #expect(
            bench.pass(.seconds(30)) == [
                .terminated(
                    worker, .sessionEventsTimeout, callback: .handleSessionEvents, took: .seconds(30)),
                .kill(worker),
            ])
        #expect(TerminationReason.sessionEventsTimeout.codeText == "0x2182bad3")
    }

    @Test func `Events that come while it handles others wait for the end of that`() throws {
        let (bench, application, worker) = try suspended()
        _ = bench.feed(.sessionEvents(application: application))
        _ = bench.pass(.seconds(20))
        #expect(bench.feed(.sessionEvents(application: application)) == [])
        #expect(bench.feed(.sessionsHandled(worker)) == [.handleSessionEvents(worker)])
        // It has the whole time again.
        #expect(bench.pass(.milliseconds(29_999)) == [])
        #expect(bench.pass(.milliseconds(1)).contains(.kill(worker)))
    }

    @Test func `One that is leaving is launched again for them`() throws {
        let bench = Bench()
        let application = bench.application(isolated: false, hasLifecycle: false)
        let (run, worker) = try #require(bench.running(bench.task(of: application)))
        _ = bench.complete(run, of: worker)
        bench.answer(bench.pass(.milliseconds(50)))
        #expect(bench.pass(.seconds(10)).contains(.terminate(worker)))
        #expect(bench.feed(.sessionEvents(application: application)) == [])
        _ = bench.feed(.exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
        let next = try #require(bench.feed(.treeExited(worker)).launched)
        #expect(bench.feed(.ready(next)).contains(.handleSessionEvents(next)))
    }

    @Test func `While the machine sleeps no application gets them, and its time pauses`() throws {
        let (bench, application, worker) = try suspended()
        _ = bench.feed(.sleeps(waitsUntil: .distantFuture))
        #expect(bench.feed(.sessionEvents(application: application)) == [])
        #expect(bench.feed(.awoke) == [.thaw(worker), .handleSessionEvents(worker)])
        _ = bench.pass(.seconds(20))
        _ = bench.feed(.sleeps(waitsUntil: .distantFuture))
        #expect(bench.pass(.seconds(5)).contains(.freeze(worker)))
        _ = bench.pass(.seconds(100))
        _ = bench.feed(.awoke)
        #expect(!bench.pass(.milliseconds(4_999)).contains(.kill(worker)))
        #expect(bench.pass(.milliseconds(1)).contains(.kill(worker)))
    }

    @Test func `A quit forgets them, and a host that stops takes none`() throws {
        let bench = Bench()
        let application = bench.application(hasLifecycle: true)
        let worker = try #require(bench.feed(.sessionEvents(application: application)).launched)
        _ = bench.feed(.terminateApplication(application: application, .userCancelled))
        _ = bench.feed(.exited(worker, WorkerExit(signal: 9, status: 0, outOfMemory: false)))
        #expect(bench.feed(.treeExited(worker)).launched == nil)
        _ = bench.feed(.stopping)
        #expect(bench.feed(.sessionEvents(application: application)) == [])
    }
}
