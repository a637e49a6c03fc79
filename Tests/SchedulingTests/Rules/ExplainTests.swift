import Scheduling
import TaskModel
import Testing

struct ExplainTests {
    @Test func `Every gate of the kind is listed, in order`() throws {
        var limits = SchedulerLimits()
        limits.quota = .seconds(100)
        let bench = Bench(limits)
        let (refresh, processing, job) = (
            bench.add(.appRefresh) {
                $0.requires.externalPower = true
                $0.requires.network = .constrained
            }, bench.add(.processing) { $0.requires.idle = true },
            bench.add(.continuedProcessing) { $0.isWildcard = true }
        )
        bench.begin()
        bench.call { $0.setState(.active, application: bench.application, at: $1) }
        func gates(_ request: RequestHandle) -> [Gate] {
            bench.scheduler.explain(request, at: bench.now).map(\.gate)
        }
        #expect(
            gates(try bench.submit(refresh)) == [
                .manifest, .forceQuit, .backgroundRefresh, .firstUnlock, .sleep, .earliestBeginDate, .backoff,
                .externalPower, .batteryLevel, .lowPowerMode, .network, .memoryPressure, .thermal, .quarantine, .quota,
                .overlap,
                .kindCapacity, .capacity, .revision, .diskSpace,
            ])
        #expect(
            gates(try bench.submit(processing)) == [
                .manifest, .forceQuit, .firstUnlock, .sleep, .earliestBeginDate, .backoff, .batteryLevel,
                .lowPowerMode, .idle, .cpuPressure, .memoryPressure, .thermal, .window, .quarantine, .quota, .overlap,
                .kindCapacity, .capacity,
                .revision, .diskSpace,
            ])
        #expect(
            gates(try bench.submit(job, identity: 1)) == [
                .manifest, .sleep, .quarantine, .overlap, .kindCapacity, .capacity, .revision, .diskSpace,
            ])
    }

    @Test func `A closed gate says since when, what is found and what would open it`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.externalPower = true }
        bench.begin()
        bench.pass(.seconds(60))
        bench.set {
            $0.externalPower = .no
            $0.batteryLevel = 54
        }
        let since = bench.now.time
        bench.pass(.seconds(60))
        let date = bench.time(in: .seconds(3600))
        let request = try bench.submit(task) { $0.earliestBeginDate = date }
        #expect(
            bench.report(.externalPower, of: request)
                == GateReport(
                    gate: .externalPower, verdict: .closed, holds: true, since: since, found: "on battery, 54 %",
                    opens: "external power"))
        #expect(
            bench.report(.earliestBeginDate, of: request)
                == GateReport(
                    gate: .earliestBeginDate, verdict: .closed, holds: true, since: bench.now.time, next: date,
                    found: "not before \(date.iso8601)", opens: "its date"))
        #expect(
            bench.report(.batteryLevel, of: request)
                == GateReport(gate: .batteryLevel, verdict: .open, holds: false, found: "54 %"))
        #expect(bench.summary(request) == "waiting: its date, external power")
        bench.pass(.seconds(3600))
        #expect(bench.summary(request) == "waiting: external power")
        bench.set { $0.externalPower = .yes }
        #expect(bench.summary(request) == "ready")
    }

    @Test func `A forgotten request has nothing to tell`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        bench.end(request)
        #expect(bench.scheduler.explain(request, at: bench.now) == [])
        #expect(bench.scheduler.waits(of: request, at: bench.now) == [])
        #expect(bench.request(request) == nil)
    }

    @Test func `The history says what held a request back, and for how long`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let start = bench.now.time
        func at(_ seconds: Int64) -> Timestamp {
            Timestamp(nanoseconds: start.nanoseconds + seconds * 1_000_000_000)
        }
        let date = at(100)
        let request = try bench.submit(task) {
            $0.earliestBeginDate = date
            $0.requiresNetwork = true
        }
        bench.pass(.seconds(50))
        bench.set { $0.network = .none }
        bench.pass(.seconds(100))
        bench.call { $0.quit(application: bench.application, at: $1) }
        bench.pass(.seconds(50))
        bench.set { $0.network = .ok }
        bench.pass(.seconds(100))
        bench.call { $0.open(application: bench.application, at: $1) }
        #expect(bench.started == [request])
        let waits = [
            GateWait(gate: .earliestBeginDate, from: at(0), to: at(100)),
            GateWait(gate: .network, from: at(50), to: at(200)),
            GateWait(gate: .forceQuit, from: at(150), to: at(300)),
        ]
        #expect(bench.scheduler.waits(of: request, at: bench.now) == waits)
        bench.pass(.seconds(1000))
        #expect(bench.scheduler.waits(of: request, at: bench.now) == waits, "what runs waits no more")
    }

    @Test func `What is left after all gates was waiting for a place`() throws {
        var limits = SchedulerLimits()
        limits.processings = 1
        let bench = Bench(limits)
        let (one, two) = (bench.add(.processing), bench.add(.processing))
        bench.begin()
        let first = try bench.submit(one)
        let second = try bench.submit(two)
        bench.skip(.seconds(30))
        bench.end(first)
        #expect(bench.started == [second])
        let waits = bench.scheduler.waits(of: second, at: bench.now)
        #expect(waits == [GateWait(gate: .kindCapacity, from: bench.time(in: .seconds(-30)), to: bench.now.time)])
    }

    @Test func `A condition that flaps fills neither the log nor the history`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.requires.idle = true }
        bench.begin()
        bench.set { $0.userActive = .yes }
        bench.set { $0.thermal = .serious }
        let request = try bench.submit(task)
        for _ in 0..<1000 {
            bench.skip(.seconds(1))
            bench.set { $0.userActive = .no }
            bench.skip(.seconds(1))
            bench.set { $0.userActive = .yes }
        }
        let waits = bench.scheduler.waits(of: request, at: bench.now)
        #expect(waits.count <= 24)
        #expect(waits.contains(GateWait(gate: .thermal, from: bench.time(in: .seconds(-2000)), to: bench.now.time)))
    }
}
