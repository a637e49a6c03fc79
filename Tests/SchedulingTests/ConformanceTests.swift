import Scheduling
import TaskModel
import Testing

/// Those of the reference's checks that the scheduler alone decides, with its numbers.
struct ConformanceTests {
    @Test("Check 5: processing without its background mode is not permitted (3)")
    func missingMode() {
        let bench = Bench()
        let task = bench.add(.processing) { $0.lacksMode = true }
        bench.begin()
        #expect(bench.refusal(task) == .notPermitted)
        #expect(bench.pending() == [])
    }

    @Test("Check 6: a refresh is unavailable (1) while background refresh is off")
    func refreshOff() {
        let bench = Bench()
        let task = bench.add(.appRefresh)
        bench.begin()
        bench.call { $0.setRefreshDenied(true, application: bench.application, at: $1) }
        #expect(bench.refusal(task) == .unavailable)
        bench.call { $0.setRefreshDenied(false, application: bench.application, at: $1) }
        bench.set { $0.backgroundRefresh = .no }
        #expect(bench.refusal(task) == .unavailable)
        bench.set { $0.backgroundRefresh = .yes }
        #expect(bench.refusal(task) == nil)
    }

    @Test("Check 7: a second pending refresh is one too many (2)")
    func twoRefreshes() throws {
        let bench = Bench()
        let (r1, r2) = (bench.add(.appRefresh), bench.add(.appRefresh))
        bench.begin()
        let date = bench.time(in: .seconds(3600))
        let first = try bench.submit(r1) { $0.earliestBeginDate = date }
        #expect(bench.refusal(r2) == .tooManyPendingTaskRequests)
        #expect(bench.pending() == [first])
    }

    @Test("Check 8: the eleventh processing request is one too many (2), a replaced tenth is not")
    func elevenProcessings() throws {
        let bench = Bench()
        let tasks = (0..<11).map { _ in bench.add(.processing) }
        bench.begin()
        let date = bench.time(in: .seconds(3600))
        for task in tasks.prefix(10) { try bench.submit(task) { $0.earliestBeginDate = date } }
        #expect(bench.refusal(tasks[10]) == .tooManyPendingTaskRequests)
        let later = bench.time(in: .seconds(7200))
        let again = try bench.submit(tasks[9]) { $0.earliestBeginDate = later }
        #expect(bench.pending().count == 10)
        #expect(bench.request(again)?.request.terms.earliestBeginDate == later)
        #expect(
            bench.pending().filter { bench.request($0)?.request.identity == bench.identity(tasks[9]) }
                == [again])
    }

    @Test("Check 9: the list of pending requests is a copy")
    func copies() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let date = bench.time(in: .seconds(3600))
        let request = try bench.submit(task) { $0.earliestBeginDate = date }
        var view = try #require(bench.request(request))
        view.request.terms.earliestBeginDate = nil
        #expect(bench.request(request)?.request.terms.earliestBeginDate == date)
    }

    @Test("Check 10: cancel one, cancel an unknown one, cancel all")
    func cancel() throws {
        let bench = Bench()
        let (p1, p2) = (bench.add(.processing), bench.add(.processing))
        bench.begin()
        let date = bench.time(in: .seconds(3600))
        try bench.submit(p1) { $0.earliestBeginDate = date }
        let second = try bench.submit(p2) { $0.earliestBeginDate = date }
        #expect(bench.call { $0.cancel(identity: bench.identity(p1), at: $1) })
        #expect(bench.pending() == [second])
        #expect(!bench.call { $0.cancel(identity: 4711, at: $1) })
        #expect(bench.decisions == [] && bench.pending() == [second])
        bench.call { $0.cancelAll(application: bench.application, at: $1) }
        #expect(bench.pending() == [])
        #expect(bench.decisions == [.forget(identity: bench.identity(p2), submitted: bench.now.time)])
    }

    @Test("Check 11: a request outlives the host and runs once")
    func restore() throws {
        let first = Bench()
        let task = first.add(.processing) { $0.requires.externalPower = true }
        first.conditions.externalPower = .no
        first.begin()
        let request = try first.submit(task)
        let kept = try #require(first.request(request))

        let second = Bench()
        _ = second.add(.processing) { $0.requires.externalPower = true }
        second.skip(.seconds(86_400))
        let restored = second.scheduler.restore(kept.request, of: kept.task)
        second.begin()
        #expect(second.started == [restored])
        second.end(restored)
        #expect(second.decisions == [.forget(identity: kept.request.identity, submitted: kept.request.submitted)])
        second.pass(.seconds(86_400))
        #expect(second.started == [])
    }

    @Test("Check 12: a completed request does not run again by itself")
    func once() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        #expect(bench.started == [request])
        bench.end(request)
        #expect(bench.untilDeadline == nil)
        for _ in 0..<7 {
            bench.pass(.seconds(86_400))
            #expect(bench.decisions == [])
        }
    }

    @Test("Check 13: no run before the earliest begin date, and one at it")
    func earliestBeginDate() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh)
        bench.begin()
        let date = bench.time(in: .seconds(3600))
        let request = try bench.submit(task) { $0.earliestBeginDate = date }
        #expect(bench.untilDeadline == .seconds(3600))
        bench.pass(.seconds(3599))
        #expect(bench.started == [])
        bench.pass(.seconds(1))
        #expect(bench.started == [request])
    }

    @Test("Check 14: a request that needs external power runs when it is attached and the machine idle")
    func power() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.idle = true }
        bench.conditions.externalPower = .no
        bench.conditions.userActive = .yes
        bench.begin()
        let request = try bench.submit(task) { $0.requiresExternalPower = true }
        bench.pass(.seconds(86_400))
        #expect(bench.started == [])
        bench.set { $0.externalPower = .yes }
        #expect(bench.started == [])
        bench.set { $0.userActive = .no }
        #expect(bench.started == [request])
    }

    @Test("Check 15: a request that needs the network waits for it, another does not")
    func network() throws {
        let bench = Bench()
        let (needy, content) = (bench.add(.processing), bench.add(.processing))
        bench.conditions.network = .none
        bench.begin()
        let first = try bench.submit(needy) { $0.requiresNetwork = true }
        #expect(bench.started == [])
        let second = try bench.submit(content)
        #expect(bench.started == [second])
        bench.set { $0.network = .constrained }
        #expect(bench.started == [first])
    }

    @Test("Check 16: nothing runs after a force-quit until a user opens the application")
    func forceQuit() throws {
        let bench = Bench()
        let (refresh, processing) = (bench.add(.appRefresh), bench.add(.processing))
        bench.begin()
        bench.call { $0.quit(application: bench.application, at: $1) }
        #expect(bench.decisions == [.rememberApplication(bench.application)])
        #expect(bench.scheduler.memory(of: bench.application).isForceQuit)
        let r = try bench.submit(refresh)
        let p = try bench.submit(processing)
        bench.pass(.seconds(86_400))
        #expect(bench.started == [])
        #expect(bench.holding(r) == [.forceQuit] && bench.holding(p) == [.forceQuit])
        bench.call { $0.open(application: bench.application, at: $1) }
        #expect(bench.started == [r, p])
    }

    @Test("Check 17: a refresh waits for the end of low-power mode")
    func lowPowerMode() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh)
        bench.conditions.lowPowerMode = .yes
        bench.begin()
        let request = try bench.submit(task)
        bench.pass(.seconds(3600))
        #expect(bench.started == [])
        bench.set { $0.lowPowerMode = .no }
        #expect(bench.started == [request])
    }

    @Test("Check 20: what is due together is delivered in one launch")
    func oneLaunch() throws {
        var limits = SchedulerLimits()
        limits.processings = 1
        let bench = Bench(limits)
        let (r1, p1, other) = (bench.add(.appRefresh), bench.add(.processing), bench.add(.processing))
        bench.begin()
        let date = bench.time(in: .seconds(60))
        let refresh = try bench.submit(r1) { $0.earliestBeginDate = date }
        let processing = try bench.submit(p1) { $0.earliestBeginDate = date }
        bench.pass(.seconds(60))
        #expect(bench.decisions == [.start(refresh, launch: 1), .start(processing, launch: 1)])
        bench.skip(.seconds(1))
        let later = try bench.submit(other)
        #expect(!bench.started.contains(later), "one processing run at a time")
        bench.end(refresh)
        bench.end(processing)
        #expect(bench.decisions.last == .start(later, launch: 2))
    }

    @Test("Check 25: an active user expires processing and no refresh")
    func userActive() throws {
        let bench = Bench()
        let (refresh, processing) = (bench.add(.appRefresh), bench.add(.processing) { $0.requires.idle = true })
        bench.begin()
        try bench.submit(refresh)
        let request = try bench.submit(processing)
        bench.set { $0.userActive = .yes }
        #expect(bench.decisions == [.expire(request, .userActive)])
    }

    @Test("Check 27: a simulated launch ignores dates and gates; without a request there is none")
    func simulateLaunch() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.externalPower = true }
        bench.conditions.externalPower = .no
        bench.begin()
        #expect(!bench.call { $0.simulateLaunch(identity: bench.identity(task), at: $1) })
        #expect(bench.decisions == [])
        let date = bench.time(in: .seconds(3600))
        let request = try bench.submit(task) { $0.earliestBeginDate = date }
        #expect(bench.call { $0.simulateLaunch(identity: bench.identity(task), at: $1) })
        #expect(bench.started == [request])
        bench.set { $0.memoryPressure = .yes }
        #expect(bench.expired == [], "what the user forces continues whatever the machine lacks")
    }

    @Test("Check 28: continued processing fails with 4 or waits in order when there is no room")
    func continuedCapacity() throws {
        let bench = Bench()
        let job = bench.add(.continuedProcessing) { $0.isWildcard = true }
        bench.begin()
        bench.call { $0.setState(.active, application: bench.application, at: $1) }
        let first = try bench.submit(job, identity: 1) { $0.strategy = .fail }
        let second = try bench.submit(job, identity: 2)
        #expect(bench.started == [second])
        #expect(bench.refusal(job, identity: 3) { $0.strategy = .fail } == .immediateRunIneligible)
        let fourth = try bench.submit(job, identity: 4)
        bench.skip(.seconds(1))
        let fifth = try bench.submit(job, identity: 5)
        #expect(bench.started == [])
        bench.end(second)
        #expect(bench.started == [fourth])
        bench.end(first)
        #expect(bench.started == [fifth])
    }

    @Test(
        "Check 29: continued processing begins in the foreground and ignores dates; from the background it is refused")
    func continuedForeground() throws {
        let bench = Bench()
        let job = bench.add(.continuedProcessing) { $0.isWildcard = true }
        bench.begin()
        bench.call { $0.setState(.active, application: bench.application, at: $1) }
        let date = bench.time(in: .seconds(3600))
        let request = try bench.submit(job, identity: 7) { $0.earliestBeginDate = date }
        #expect(bench.decisions == [.remember(request), .start(request, launch: 0)])
        bench.call { $0.setState(.background, application: bench.application, at: $1) }
        #expect(bench.refusal(job, identity: 8) == .notPermitted)
        #expect(bench.refusal(job, identity: 8) { $0.strategy = .fail } == .immediateRunIneligible)
        #expect(bench.pending() == [])
    }

    @Test(
        "Check 31: removal from the switcher ends queued and running continued processing; unknown resources are refused (3)"
    )
    func continuedRemoval() throws {
        let bench = Bench()
        let job = bench.add(.continuedProcessing) { $0.isWildcard = true }
        bench.begin()
        bench.call { $0.setState(.active, application: bench.application, at: $1) }
        #expect(bench.refusal(job, identity: 9) { $0.requiredResources = 1 } == .notPermitted)
        let first = try bench.submit(job, identity: 1)
        let second = try bench.submit(job, identity: 2)
        try bench.submit(job, identity: 3)
        let time = bench.now.time
        bench.call { $0.quit(application: bench.application, at: $1) }
        #expect(
            bench.decisions == [
                .forget(identity: 3, submitted: time), .terminate(application: bench.application, .userCancelled),
                .rememberApplication(bench.application),
            ])
        for request in [first, second] { bench.end(request, .interrupted, .applicationTerminated) }
        #expect(bench.pending() == [] && bench.started == [])
    }
}
