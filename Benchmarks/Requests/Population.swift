import Scheduling
import TaskModel

/// Applications with as many requests as the limits let each have: one refresh and ten processings. Of three requests one
/// waits for its date, one for external power, and one for nothing but its turn.
enum Population {
    static let tasksPerApplication = 11
    /// Year 2026.
    static let start = ClockReading(
        instant: Instant(nanoseconds: 1_000_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))

    enum Obstacle: Int64 {
        case date, power, turn
    }

    static func obstacle(of identity: Int64) -> Obstacle { Obstacle(rawValue: identity % 3) ?? .turn }

    static func task(of identity: Int64) -> TaskIndex { TaskIndex(number: UInt32(identity - 1)) }

    /// - Parameter date: nil for what does not wait for one.
    static func request(_ identity: Int64, submitted: Timestamp, date: Timestamp?) -> TaskRequest {
        var terms = RequestTerms()
        terms.earliestBeginDate = date
        terms.requiresExternalPower = obstacle(of: identity) == .power
        terms.requiresNetwork = obstacle(of: identity) == .turn
        return TaskRequest(
            identity: identity, kind: (identity - 1) % 11 == 0 ? .appRefresh : .processing, terms: terms,
            submitted: submitted)
    }

    /// On battery, with a network, unused: what waits for power waits, what waits for its turn may run.
    static var conditions: DeviceConditions {
        var conditions = DeviceConditions.quiet
        conditions.externalPower = .no
        conditions.batteryLevel = 80
        return conditions
    }

    /// A scheduler with the applications and tasks of so many requests, and none of these.
    static func scheduler(requests count: Int) -> Scheduler {
        var limits = SchedulerLimits()
        // The clock hardly moves, and what has run is submitted anew.
        limits.pace = .zero
        var scheduler = Scheduler(limits: limits)
        var application = ApplicationIndex.first
        for task in 0..<count {
            if task % tasksPerApplication == 0 { application = scheduler.addApplication(ApplicationMemory()) }
            var rules = TaskSchedulingRules(
                application: application, kind: task % tasksPerApplication == 0 ? .appRefresh : .processing)
            rules.identity = Int64(task + 1)
            _ = scheduler.addTask(rules)
        }
        scheduler.setConditions(conditions, at: start)
        return scheduler
    }
}

/// A small generator (SplitMix64): every process makes the same numbers.
struct Generator {
    private var state: UInt64 = 7

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}
