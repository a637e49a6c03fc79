import Scheduling
import TaskModel
import Testing

struct ApplicationTests {
    private func crash(_ bench: Bench) {
        bench.skip(.milliseconds(1))
        bench.call { $0.crashed(application: bench.application, at: $1) }
    }

    @Test func `Three crashes in a row quarantine the application, longer each time`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        crash(bench)
        crash(bench)
        #expect(bench.scheduler.memory(of: bench.application).quarantinedUntil == nil)
        for minutes in [5, 10, 20] as [Int64] {
            crash(bench)
            let until = bench.time(in: .minutes(minutes))
            #expect(
                bench.decisions == [
                    .quarantined(application: bench.application, until: until),
                    .rememberApplication(bench.application),
                ])
            let request = try bench.submit(task) { $0.origin = .person }
            #expect(bench.holding(request) == [.quarantine])
            #expect(bench.report(.quarantine, of: request)?.next == until)
            bench.pass(.minutes(minutes))
            #expect(bench.started == [request])
            bench.end(request, .failed)
        }
        for _ in 0..<100 { crash(bench) }
        #expect(
            bench.scheduler.memory(of: bench.application).quarantinedUntil == bench.time(in: .seconds(86_400)))
    }

    @Test func `A good run clears the count of crashes`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        crash(bench)
        crash(bench)
        bench.end(try bench.submit(task), .succeeded)
        #expect(bench.scheduler.memory(of: bench.application).crashes == 0)
        crash(bench)
        crash(bench)
        #expect(bench.scheduler.memory(of: bench.application).quarantinedUntil == nil)
    }

    @Test func `A crash that is reported twice in one turn counts once`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        bench.end(try bench.submit(task), .crashed)
        bench.call { $0.crashed(application: bench.application, at: $1) }
        #expect(bench.scheduler.memory(of: bench.application).crashes == 1)
    }

    @Test func `A person lifts a quarantine`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        for _ in 0..<3 { crash(bench) }
        let request = try bench.submit(task)
        bench.call { $0.liftQuarantine(application: bench.application, at: $1) }
        #expect(bench.decisions == [.rememberApplication(bench.application), .start(request, launch: 1)])
        #expect(bench.scheduler.memory(of: bench.application) == ApplicationMemory())
        bench.call { $0.liftQuarantine(application: bench.application, at: $1) }
        #expect(bench.decisions == [])
    }

    @Test func `A quarantine outlives the host`() throws {
        var memory = ApplicationMemory()
        memory.crashes = 3
        let first = Bench()
        memory.quarantinedUntil = first.time(in: .seconds(100))
        let bench = Bench(memory: memory)
        let task = bench.add(.appRefresh)
        bench.begin()
        let request = try bench.submit(task)
        #expect(bench.untilDeadline == .seconds(100))
        bench.pass(.seconds(100))
        #expect(bench.started == [request])
    }

    @Test func `Who used up the quota waits for a new window`() throws {
        var limits = SchedulerLimits()
        limits.quota = .seconds(60)
        limits.quotaWindow = .seconds(3600)
        let bench = Bench(limits)
        let (task, job) = (bench.add(.processing), bench.add(.continuedProcessing) { $0.isWildcard = true })
        bench.begin()
        bench.end(try bench.submit(task), cpu: .seconds(59))
        bench.pass(.seconds(600))
        bench.end(try bench.submit(task), cpu: .seconds(1))
        let request = try bench.submit(task) { $0.origin = .person }
        #expect(bench.holding(request) == [.quota])
        #expect(bench.report(.quota, of: request)?.found == "1 m of 1 m used in 1 h")
        bench.call { $0.setState(.active, application: bench.application, at: $1) }
        let continued = try bench.submit(job, identity: 1)
        #expect(bench.started == [continued], "the user waits for it")
        #expect(bench.untilDeadline == .seconds(3000))
        bench.pass(.seconds(3000))
        #expect(bench.started == [request])
        #expect(bench.scheduler.memory(of: bench.application).quotaUsed == .zero)
    }

    @Test func `Refresh denied to one application holds its refreshes alone`() throws {
        let bench = Bench()
        let (refresh, processing) = (bench.add(.appRefresh), bench.add(.processing))
        let other = bench.add(.appRefresh, of: bench.scheduler.addApplication(ApplicationMemory()))
        bench.begin()
        let date = bench.time(in: .seconds(1))
        let r = try bench.submit(refresh) { $0.earliestBeginDate = date }
        let p = try bench.submit(processing) { $0.earliestBeginDate = date }
        let o = try bench.submit(other) { $0.earliestBeginDate = date }
        bench.call { $0.setRefreshDenied(true, application: bench.application, at: $1) }
        bench.pass(.seconds(1))
        #expect(Set(bench.started) == [p, o])
        #expect(bench.report(.backgroundRefresh, of: r)?.found == "turned off for this application")
        bench.call { $0.setRefreshDenied(false, application: bench.application, at: $1) }
        #expect(bench.started == [r])
    }

    @Test func `Queued continued processing of others is not touched by a quit`() throws {
        let bench = Bench()
        let other = bench.scheduler.addApplication(ApplicationMemory())
        let (mine, theirs) = (
            bench.add(.continuedProcessing) { $0.isWildcard = true },
            bench.add(.continuedProcessing, of: other) { $0.isWildcard = true }
        )
        bench.begin()
        for application in [bench.application, other] {
            bench.call { $0.setState(.active, application: application, at: $1) }
        }
        let first = try bench.submit(mine, identity: 1)
        try bench.submit(theirs, identity: 2)
        let third = try bench.submit(theirs, identity: 3)
        bench.call { $0.quit(application: bench.application, at: $1) }
        bench.end(first, .interrupted, .applicationTerminated)
        #expect(bench.started == [third])
        #expect(bench.request(first) == nil)
    }

    @Test func `Every refusal says what to do`() {
        let bench = Bench()
        let (refresh, second, job) = (
            bench.add(.appRefresh), bench.add(.appRefresh), bench.add(.continuedProcessing) { $0.isWildcard = true }
        )
        bench.conditions.backgroundRefresh = .no
        bench.begin()
        func sentence(_ request: TaskRequest, of task: TaskIndex) -> String? {
            do {
                _ = try bench.call { try $0.submit(request, of: task, at: $1) }
                return nil
            } catch {
                return (error as? SubmissionFault)?.sentence
            }
        }
        #expect(
            sentence(bench.request(refresh), of: refresh)
                == "background refresh is turned off on this machine; turn it on, then submit again")
        bench.set { $0.backgroundRefresh = .yes }
        let date = bench.time(in: .seconds(60))
        #expect(sentence(bench.request(refresh) { $0.earliestBeginDate = date }, of: refresh) == nil)
        #expect(
            sentence(bench.request(second), of: second)
                == "the application has 1 pending refresh request, and 1 may wait at once; cancel one, or submit an identifier that is pending already to replace it"
        )
        #expect(
            sentence(bench.request(job, identity: 1), of: job)
                == "continued processing begins in the foreground, and the application is notRunning; submit it from the user's action in the foreground (taskhost foreground)"
        )
        var wrong = bench.request(refresh)
        wrong.kind = .processing
        #expect(
            sentence(wrong, of: refresh)
                == "the request is of kind processing and the manifest's task of kind appRefresh; submit a BGAppRefreshTaskRequest or change the task's \"kind\""
        )
        bench.call { $0.setRemoved(true, task: second, at: $1) }
        #expect(
            sentence(bench.request(second), of: second)
                == "the manifest no longer has this task; put it back and run taskhost reload")
    }
}
