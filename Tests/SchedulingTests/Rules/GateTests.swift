import Scheduling
import TaskModel
import Testing

struct GateTests {
    @Test func `What a request asks for must be known to be there`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.conditions = DeviceConditions()
        bench.begin()
        let request = try bench.submit(task) {
            $0.requiresExternalPower = true
            $0.requiresNetwork = true
        }
        #expect(bench.started == [])
        #expect(bench.holding(request) == [.externalPower, .network])
        #expect(bench.report(.externalPower, of: request)?.verdict == .unknown)
        bench.set { $0.externalPower = .yes }
        bench.set { $0.network = .constrained }
        #expect(bench.started == [request])
    }

    @Test func `What is only considerate may be unknown`() throws {
        let bench = Bench()
        let (refresh, processing) = (bench.add(.appRefresh), bench.add(.processing) { $0.requires.idle = true })
        bench.conditions = DeviceConditions()
        bench.begin()
        let first = try bench.submit(refresh)
        #expect(bench.started == [first])
        let second = try bench.submit(processing)
        #expect(bench.started == [second])
        #expect(bench.report(.idle, of: second)?.verdict == .unknown)
        #expect(bench.report(.idle, of: second)?.holds == false)
    }

    /// One condition that keeps a refresh, or a processing run that waits for an idle machine, from running.
    struct Bad: Sendable, CustomTestStringConvertible {
        var gate: Gate
        var condition: ConditionName
        var value: String
        var refresh: Bool
        var processing: Bool
        var testDescription: String { "\(condition) \(value)" }
    }

    static let bad = [
        Bad(gate: .backgroundRefresh, condition: .refresh, value: "off", refresh: true, processing: false),
        Bad(gate: .firstUnlock, condition: .unlocked, value: "no", refresh: true, processing: true),
        Bad(gate: .sleep, condition: .sleep, value: "on", refresh: true, processing: true),
        Bad(gate: .window, condition: .window, value: "closed", refresh: false, processing: true),
        Bad(gate: .lowPowerMode, condition: .lowPower, value: "on", refresh: true, processing: true),
        Bad(gate: .idle, condition: .user, value: "active", refresh: false, processing: true),
        Bad(gate: .cpuPressure, condition: .cpu, value: "high", refresh: false, processing: true),
        Bad(gate: .memoryPressure, condition: .memory, value: "high", refresh: true, processing: true),
        Bad(gate: .thermal, condition: .thermal, value: "serious", refresh: true, processing: true),
        Bad(gate: .thermal, condition: .thermal, value: "critical", refresh: true, processing: true),
    ]

    @Test(arguments: bad) func `A bad condition holds the kinds that it concerns`(bad: Bad) throws {
        let bench = Bench()
        let (refresh, processing) = (bench.add(.appRefresh), bench.add(.healthResearch) { $0.requires.idle = true })
        bench.begin()
        // Submitted ahead: a refresh is refused while background refresh is off.
        let date = bench.time(in: .seconds(1))
        let r = try bench.submit(refresh) { $0.earliestBeginDate = date }
        let p = try bench.submit(processing) { $0.earliestBeginDate = date }
        bench.set { #expect(bad.condition.set(bad.value, in: &$0)) }
        bench.pass(.seconds(1))
        #expect(bench.holding(r) == (bad.refresh ? [bad.gate] : []))
        #expect(bench.holding(p) == (bad.processing ? [bad.gate] : []))
        let free = (bad.refresh ? [] : [r]) + (bad.processing ? [] : [p])
        #expect(bench.started == free)
        bench.set { $0 = .ideal }
        #expect(Set(bench.started) == Set([r, p]).subtracting(free))
    }

    @Test func `A low battery holds until it is charged or on external power`() throws {
        let bench = Bench()
        let (one, two) = (bench.add(.processing), bench.add(.processing))
        bench.conditions.externalPower = .no
        bench.conditions.batteryLevel = 19
        bench.begin()
        let first = try bench.submit(one)
        #expect(bench.holding(first) == [.batteryLevel])
        bench.set { $0.batteryLevel = 20 }
        #expect(bench.started == [first])
        bench.set { $0.batteryLevel = 5 }
        #expect(bench.expired == [], "a battery that runs low ends no run")
        let second = try bench.submit(two)
        #expect(bench.started == [])
        bench.set { $0.externalPower = .yes }
        #expect(bench.started == [second])
    }

    @Test func `A manifest may require an unmetered network`() throws {
        let bench = Bench()
        let task = bench.add(.appRefresh) { $0.requires.network = .ok }
        bench.conditions.network = .constrained
        bench.begin()
        let request = try bench.submit(task) { $0.requiresNetwork = true }
        #expect(bench.holding(request) == [.network])
        bench.set { $0.network = .ok }
        #expect(bench.started == [request])
        bench.set { $0.network = .constrained }
        #expect(bench.decisions == [.expire(request, .networkLost)])
    }

    /// A condition that a run needs, how it is lost, and how it comes back.
    static let losses: [(lost: [(ConditionName, String)], reason: Reason)] = [
        ([(.power, "battery")], .powerLost), ([(.network, "none")], .networkLost), ([(.user, "active")], .userActive),
        ([(.memory, "high")], .memoryPressure), ([(.thermal, "critical")], .thermal),
        ([(.window, "closed")], .windowClosed),
    ]

    @Test(arguments: losses.indices) func `A lost condition expires the run, which starts again with it`(index: Int)
        throws
    {
        let (lost, reason) = Self.losses[index]
        let bench = Bench()
        let task = bench.add(.processing) {
            $0.requires.idle = true
            $0.requires.externalPower = true
            $0.requires.network = .constrained
        }
        bench.begin()
        let request = try bench.submit(task)
        bench.set { for (name, value) in lost { #expect(name.set(value, in: &$0)) } }
        #expect(bench.decisions == [.expire(request, reason)])
        bench.set { $0.batteryLevel = 99 }
        #expect(bench.expired == [], "a run expires once")
        bench.end(request, .expired, reason)
        #expect(bench.decisions == [.remember(request)])
        #expect(bench.request(request)?.request.attempt == 1)
        #expect(bench.started == [])
        bench.set { $0 = .ideal }
        #expect(bench.started == [request])
    }

    @Test func `Not to know is no loss`() throws {
        let bench = Bench()
        let task = bench.add(.processing) {
            $0.requires.externalPower = true
            $0.requires.network = .ok
        }
        bench.begin()
        try bench.submit(task)
        bench.set { $0 = DeviceConditions() }
        #expect(bench.decisions == [])
    }

    @Test func `Sleep ends nothing that runs, and starts nothing, not even what a user waits for`() throws {
        let bench = Bench()
        let (task, job) = (bench.add(.processing), bench.add(.continuedProcessing) { $0.isWildcard = true })
        bench.begin()
        bench.call { $0.setState(.active, application: bench.application, at: $1) }
        let first = try bench.submit(task)
        #expect(bench.started == [first])
        bench.set { $0.isAsleep = .yes }
        #expect(bench.decisions == [])
        let second = try bench.submit(job, identity: 1)
        #expect(bench.started == [] && bench.holding(second) == [.sleep])
        bench.set { $0.isAsleep = .no }
        #expect(bench.started == [second])
    }

    @Test func `A closed window says when the next one opens`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let date = bench.time(in: .seconds(90))
        bench.set {
            $0.windowClosed = .yes
            $0.windowEdge = date
        }
        let request = try bench.submit(task)
        let report = try #require(bench.report(.window, of: request))
        #expect(report.holds && report.next == date && report.opens == "the next window")
        // A user said so: no end is known.
        bench.set { #expect(ConditionName.window.set("closed", in: &$0)) }
        #expect(bench.report(.window, of: request)?.next == nil)
    }

    @Test func `Continued processing asks nothing of the machine`() throws {
        let bench = Bench()
        let job = bench.add(.continuedProcessing) {
            $0.isWildcard = true
            $0.requires.externalPower = true
        }
        bench.conditions.externalPower = .no
        bench.conditions.batteryLevel = 1
        bench.conditions.thermal = .critical
        bench.begin()
        bench.call { $0.setState(.inactive, application: bench.application, at: $1) }
        let request = try bench.submit(job, identity: 1)
        #expect(bench.started == [request])
        bench.set { $0.memoryPressure = .yes }
        #expect(bench.decisions == [])
    }

    @Test func `A second run of an identity waits for the first`() throws {
        var limits = SchedulerLimits()
        limits.pace = .zero
        let bench = Bench(limits)
        let task = bench.add(.processing)
        bench.begin()
        let first = try bench.submit(task)
        bench.skip(.seconds(10))
        let second = try bench.submit(task)
        #expect(bench.started == [])
        #expect(bench.holding(second) == [.overlap])
        bench.skip(.seconds(10))
        bench.end(first)
        #expect(bench.started == [second])
        #expect(
            bench.scheduler.waits(of: second, at: bench.now) == [
                GateWait(gate: .overlap, from: bench.time(in: .seconds(-10)), to: bench.now.time)
            ])
    }

    @Test func `A task waits for as much free space as it asks for, and keeps running without`() throws {
        let bench = Bench()
        let (small, large) = (
            bench.add(.appRefresh) { $0.requires[.disk] = 100 << 20 },
            bench.add(.processing) { $0.requires[.disk] = 500 << 20 }
        )
        bench.conditions.freeSpace = 128 << 20
        bench.begin()
        let first = try bench.submit(small)
        #expect(bench.started == [first])
        #expect(!bench.awaits(.disk))
        let second = try bench.submit(large)
        #expect(bench.started == [] && bench.awaits(.disk))
        let report = try #require(bench.report(.diskSpace, of: second))
        #expect(
            report.found == "128 MiB or somewhat more is free" && report.opens == "500 MiB of free space on the disk")
        bench.set { $0.freeSpace = .max }
        #expect(bench.started == [second])
        #expect(bench.report(.diskSpace, of: second)?.found == "there is room on the disk")
        bench.set { $0.freeSpace = 128 << 20 }
        #expect(bench.decisions == [], "what it has written is not taken from it")
        bench.end(first)
        bench.set { $0.diskLow = .unknown }
        let third = try bench.submit(small) { $0.origin = .person }
        #expect(bench.holding(third) == [.diskSpace], "what is asked for must be known to be there")
    }

    @Test func `Each distinct set of requirements is a separate class, also beyond those of one word`() throws {
        let bench = Bench()
        let tasks = (1...40).map { level in bench.add(.appRefresh) { $0.requires[.disk] = UInt64(level) << 20 } }
        bench.conditions.freeSpace = 0
        bench.begin()
        let requests = try tasks.map { try bench.submit($0) { $0.origin = .person } }
        #expect(bench.started == [])
        for level in 1...40 {
            bench.skip(.seconds(1))
            bench.set { $0.freeSpace = UInt64(level) << 20 }
            #expect(bench.started == [requests[level - 1]])
            bench.end(requests[level - 1])
        }
    }
}
