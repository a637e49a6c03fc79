import Scheduling
import TaskModel
import Testing

/// Runs of one task beside each other, where its schedule allows them.
struct OverlapTests {
    private static let hour = TimeSpan.seconds(3600)

    /// A task that runs each hour, of a host that would start a hundred at once.
    private func bench(
        _ overlap: Overlap = .allow, places: Int = 100, _ change: (inout TaskSchedulingRules) -> Void = { _ in }
    ) -> (bench: Bench, task: TaskIndex) {
        var limits = SchedulerLimits()
        (limits.concurrency, limits.processings) = (places, places)
        let bench = Bench(limits)
        let schedule = bench.every(Self.hour, overlap: overlap)
        let task = bench.add(.processing) {
            $0.schedule = schedule
            change(&$0)
        }
        bench.begin()
        return (bench, task)
    }

    /// The run of the next hour.
    private func next(_ bench: Bench) throws -> RequestHandle {
        bench.pass(Self.hour)
        return try #require(bench.started.first)
    }

    private func forgotten(_ bench: Bench) -> [Timestamp] {
        bench.decisions.compactMap { if case .forget(_, let submitted) = $0 { submitted } else { nil } }
    }

    @Test func `Each time starts a run beside those in progress`() throws {
        let (bench, _) = bench()
        let runs = try (0..<3).map { _ in try next(bench) }
        #expect(Set(runs).count == 3 && bench.scheduler.runningCount == 3)
        let views = runs.compactMap { bench.request($0)?.request }
        #expect(Set(views.map(\.submitted)).count == 3)
        #expect(Set(views.compactMap(\.scheduledFor)).count == 3)
        // In any order, and each is forgotten with its own row.
        for (place, rest) in [(1, 2), (2, 1), (0, 0)] {
            bench.end(runs[place])
            #expect(forgotten(bench) == [views[place].submitted])
            #expect(bench.scheduler.runningCount == rest && bench.pending().count == 1)
        }
        _ = try next(bench)
    }

    @Test func `Beyond the bound a time waits for the end of one, and one time at most`() throws {
        let (bench, _) = bench()
        let runs = try (0..<Limit.overlaps.most).map { _ in try next(bench) }
        bench.pass(Self.hour)
        #expect(bench.started.isEmpty)
        let waiting = try #require(bench.pending().first)
        #expect(bench.holding(waiting) == [.overlap])
        let report = try #require(bench.report(.overlap, of: waiting))
        #expect(report.found == "16 earlier runs are in progress" && report.opens == "the end of one of them")
        bench.pass(Self.hour)
        bench.pass(Self.hour)
        #expect(bench.started.isEmpty && bench.pending() == [waiting])
        bench.end(runs[7])
        #expect(bench.started == [waiting])
        let gates = bench.scheduler.waits(of: waiting, at: bench.now).map(\.gate)
        #expect(gates.contains(.overlap))
        bench.pass(.seconds(60))
        #expect(bench.started.isEmpty && bench.pending().count == 1)
    }

    @Test func `why says that its schedule lets them overlap`() throws {
        let (bench, _) = bench()
        _ = try next(bench)
        _ = try next(bench)
        let pending = try #require(bench.pending().first)
        #expect(bench.holding(pending) == [.earliestBeginDate])
        #expect(bench.report(.overlap, of: pending)?.found == "2 of 16 run; its schedule lets them overlap")
    }

    @Test func `Places of the host and of the kind hold for each run`() throws {
        let (bench, _) = bench(places: 2)
        let first = try next(bench)
        _ = try next(bench)
        bench.pass(Self.hour)
        #expect(bench.started.isEmpty)
        let waiting = try #require(bench.pending().first)
        #expect(bench.holding(waiting) == [.kindCapacity, .capacity])
        bench.end(first)
        #expect(bench.started == [waiting])
    }

    @Test func `A lost condition ends each run, and the last one waits for it`() throws {
        let (bench, _) = bench { $0.requires.externalPower = true }
        let runs = try (0..<3).map { _ in try next(bench) }
        bench.set { $0.externalPower = .no }
        #expect(bench.expired == [.powerLost, .powerLost, .powerLost])
        for run in runs { bench.end(run, .expired, .powerLost) }
        #expect(bench.pending() == [runs[2]] && bench.scheduler.runningCount == 0)
        bench.set { $0.externalPower = .yes }
        #expect(bench.started == [runs[2]])
    }

    @Test func `Crashes of runs beside each other count towards the quarantine`() throws {
        let (bench, _) = bench()
        let runs = try (0..<3).map { _ in try next(bench) }
        for run in runs {
            bench.skip(.seconds(1))
            bench.end(run, .crashed)
        }
        #expect(bench.decisions.contains { if case .quarantined = $0 { true } else { false } })
        bench.pass(.seconds(120))
        #expect(bench.started.isEmpty)
    }

    // MARK: Further tries

    @Test func `Of runs beside each other the last one that began is tried again`() throws {
        let (bench, _) = bench { $0.attempts = 3 }
        let (first, second) = (try next(bench), try next(bench))
        let failure = RequestEnd(outcome: .failed, reason: nil, cpuTime: nil)
        #expect(!bench.call { $0.ended(first, failure, at: $1) })
        #expect(bench.request(first) == nil)
        #expect(bench.call { $0.ended(second, failure, at: $1) })
        #expect(bench.request(second)?.request.attempt == 2)
        bench.pass(.seconds(60))
        #expect(bench.started == [second])
    }

    @Test func `A further try starts beside an earlier run, and one that was overtaken stays so`() throws {
        let (bench, _) = bench { $0.attempts = 3 }
        let (first, second) = (try next(bench), try next(bench))
        bench.end(second, .failed)
        bench.pass(.seconds(60))
        #expect(bench.started == [second] && bench.scheduler.runningCount == 2)
        bench.end(second)
        bench.end(first, .failed)
        #expect(bench.request(first) == nil && bench.scheduler.runningCount == 0)
        #expect(bench.pending().count == 1)
    }

    @Test func `An overtaken run that gave way, was interrupted or deferred is no failure for good`() throws {
        let wish = try #require(Deferral(.minutes(5)))
        let ends: [RequestEnd] = [
            RequestEnd(outcome: .expired, reason: .powerLost, cpuTime: nil),
            RequestEnd(outcome: .interrupted, reason: .hostStopping, cpuTime: nil),
            RequestEnd(outcome: .deferred, reason: nil, cpuTime: nil, deferral: wish),
        ]
        for end in ends {
            let (bench, _) = bench()
            let first = try next(bench)
            _ = try next(bench)
            #expect(bench.call { $0.ended(first, end, at: $1) })
            #expect(bench.request(first) == nil && bench.pending().count == 1)
        }
    }

    // MARK: Other requests

    @Test func `A person's request waits for all runs, unless it is forced`() throws {
        let (bench, task) = bench()
        let runs = [try next(bench), try next(bench)]
        let request = try bench.submit(task) { $0.origin = .person }
        #expect(bench.holding(request) == [.overlap])
        #expect(bench.report(.overlap, of: request)?.opens == "the end of all of them")
        bench.end(runs[1])
        #expect(bench.started.isEmpty && bench.holding(request) == [.overlap])
        bench.end(runs[0])
        #expect(bench.started == [request])
    }

    @Test func `A time that a user launches starts beside the others at once`() throws {
        let (bench, task) = bench()
        _ = try next(bench)
        #expect(bench.call { $0.simulateLaunch(identity: bench.identity(task), at: $1) })
        #expect(bench.started.count == 1 && bench.scheduler.runningCount == 2)
        // Its own time is still to come.
        _ = try next(bench)
        #expect(bench.scheduler.runningCount == 3)
    }

    // MARK: Clock and manifest

    @Test func `Times that passed in one step are one run`() throws {
        let (bench, _) = bench()
        _ = try next(bench)
        bench.jump(by: .seconds(10 * 3600))
        bench.advance()
        #expect(bench.started.count == 1 && bench.scheduler.runningCount == 2)
    }

    @Test func `A clock that is set back lets no time come twice`() throws {
        let (bench, _) = bench()
        let first = try next(bench)
        bench.jump(by: .seconds(-1800))
        bench.advance()
        bench.pass(.seconds(1800))
        #expect(bench.started.isEmpty && bench.scheduler.runningCount == 1)
        bench.pass(.seconds(1800))
        #expect(bench.started.count == 1 && bench.started != [first])
    }

    @Test func `Runs beside each other that the manifest forbids by now are awaited, left out or ended`() throws {
        for overlap in [Overlap.queue, .skip, .replace] {
            let (bench, task) = bench()
            let runs = [try next(bench), try next(bench)]
            var rules = TaskSchedulingRules(application: bench.application, kind: .processing)
            rules.identity = bench.identity(task)
            rules.schedule = bench.every(Self.hour, overlap: overlap)
            bench.call { $0.setRules(rules, of: task, at: $1) }
            bench.pass(Self.hour)
            #expect(bench.started.isEmpty)
            #expect(bench.decisions == (overlap == .replace ? [.expire(runs[1], .superseded)] : []))
            bench.end(runs[1], overlap == .replace ? .expired : .succeeded, overlap == .replace ? .superseded : nil)
            #expect(bench.started.isEmpty)
            #expect(bench.expired == (overlap == .replace ? [.superseded] : []))
            bench.end(runs[0])
            #expect(bench.started.count == (overlap == .skip ? 0 : 1))
            #expect(bench.pending().count == 1)
        }
    }
}
