import Scheduling
import TaskModel
import Testing

/// Requests of applications that have another revision, or that a user has to see.
struct StandingTests {
    private func setOutdated(_ outdated: Bool, _ bench: Bench) {
        bench.call { $0.setOutdated(outdated, application: bench.application, at: $1) }
    }
    private func set(_ state: ApplicationState, _ bench: Bench) {
        bench.call { $0.setState(state, application: bench.application, at: $1) }
    }

    @Test func `While a run of the earlier revision continues, requests wait for its end and have no place`() throws {
        var limits = SchedulerLimits()
        limits.concurrency = 2
        let bench = Bench(limits)
        let (old, new) = (bench.add(.processing), bench.add(.processing))
        let neighbour = bench.add(.processing, of: bench.scheduler.addApplication(ApplicationMemory()))
        bench.begin()
        let running = try bench.submit(old)
        setOutdated(true, bench)
        bench.skip(.seconds(5))
        let request = try bench.submit(new)
        #expect(bench.started == [] && bench.holding(request) == [.revision])
        #expect(bench.summary(request) == "waiting: the end of the runs of the earlier revision")
        let other = try bench.submit(neighbour)
        #expect(bench.started == [other], "it has no place")
        bench.skip(.seconds(5))
        bench.end(running)
        #expect(bench.started == [], "the process is still there")
        setOutdated(false, bench)
        #expect(bench.started == [request])
        let from = bench.time(in: .seconds(-5))
        #expect(
            bench.scheduler.waits(of: request, at: bench.now) == [
                GateWait(gate: .revision, from: from, to: bench.now.time)
            ])
    }

    @Test func `What a user forces waits for the earlier revision to end, and for nothing else`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.externalPower = true }
        bench.conditions.externalPower = .no
        bench.begin()
        setOutdated(true, bench)
        let request = try bench.submit(task)
        #expect(bench.call { $0.simulateLaunch(identity: bench.identity(task), at: $1) })
        #expect(bench.started == [])
        setOutdated(false, bench)
        #expect(bench.started == [request])
    }

    @Test func `Continued processing that was interrupted continues in the foreground alone`() throws {
        let bench = Bench()
        let job = bench.add(.continuedProcessing) { $0.isWildcard = true }
        bench.begin()
        set(.active, bench)
        let request = try bench.submit(job, identity: 1)
        #expect(bench.started == [request])
        set(.notRunning, bench)
        bench.end(request, .interrupted, .applicationTerminated)
        #expect(bench.started == [] && bench.holding(request) == [.foreground])
        #expect(bench.summary(request) == "waiting: the user opening the application")
        bench.pass(.seconds(86_400))
        set(.background, bench)
        #expect(bench.started == [])
        set(.inactive, bench)
        #expect(bench.started == [request])
    }

    @Test(arguments: [ApplicationState.notRunning, .background, .suspended])
    func `Continued processing from the record waits for a user who opens its application`(
        state: ApplicationState
    ) throws {
        let bench = Bench()
        let job = bench.add(.continuedProcessing) { $0.isWildcard = true }
        let processing = bench.add(.processing)
        let kept = bench.scheduler.restore(bench.request(job, identity: 1), of: job)
        let other = bench.scheduler.restore(bench.request(processing), of: processing)
        bench.begin()
        #expect(bench.started == [other])
        set(state, bench)
        #expect(bench.started == [])
        // A user may force it, as any other.
        #expect(bench.call { $0.simulateLaunch(identity: 1, at: $1) })
        #expect(bench.started == [kept])
    }

    @Test func `Queued continued processing that lost the foreground before it began starts all the same`() throws {
        var limits = SchedulerLimits()
        limits.continued = 1
        let bench = Bench(limits)
        let job = bench.add(.continuedProcessing) { $0.isWildcard = true }
        bench.begin()
        set(.active, bench)
        let first = try bench.submit(job, identity: 1)
        let second = try bench.submit(job, identity: 2)
        set(.background, bench)
        bench.end(first)
        #expect(bench.started == [second])
    }
}
