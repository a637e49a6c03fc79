import TaskModel

/// The distinct sets of requirements of all tasks, the resulting classes of requests, and the conditions that block each of
/// them.
///
/// A set is added once, with the first task or request that has it; from then on it is a number. The cost of a change of
/// conditions grows with the number of sets, and most tasks share theirs.
struct ClassTable: Sendable {
    /// A condition at a level that some class needs.
    private struct Obstacle: Sendable {
        let condition: Condition
        let level: UInt64
        var stands: Bool
        var log = ConditionLog()
    }

    private var sets: [Requirements] = []
    private var numbers: [Requirements: RequirementSet] = [:]
    /// For each set: the resulting set when a request adds power (1), network (2), or both. No number: not computed
    /// yet.
    private var additions: [UInt32] = []
    private var obstacles: [Obstacle] = []
    /// By class: the obstacles that concern it, in the order of the table of conditions.
    private var concerns: [[Int]] = []
    /// Classes that the conditions let pass.
    private(set) var passing = ClassMask()
    /// By condition: the classes that mind it.
    private var minding: [ClassMask] = Condition.all.map { _ in ClassMask() }
    /// Counts changes of what the conditions block.
    private(set) var changes: UInt64 = 0
    private var conditions: DeviceConditions
    private let limits: SchedulerLimits

    init(_ conditions: DeviceConditions, _ limits: SchedulerLimits) {
        self.conditions = conditions
        self.limits = limits
        _ = number(Requirements())
    }

    // MARK: Sets

    /// The number of a set of requirements.
    mutating func number(_ requirements: Requirements) -> RequirementSet {
        if let known = numbers[requirements] { return known }
        let set = RequirementSet(rawValue: UInt32(sets.count))
        sets.append(requirements)
        numbers[requirements] = set
        additions += [set.rawValue, .max, .max, .max]
        // In the order of their numbers.
        for kind in TaskKind.allCases { addClass(ConditionClass(set, kind)) }
        while concerns.count < sets.count * ConditionClass.perSet { concerns.append([]) }
        return set
    }

    /// The class of a request of that kind for a task with that set.
    mutating func group(_ set: RequirementSet, _ kind: TaskKind, _ flags: RequestSlot.Flags) -> ConditionClass {
        let place = Int(set.rawValue) << 2 | Int(flags.asked)
        if additions[place] == .max {
            additions[place] = number(sets[Int(set.rawValue)].union(flags.requirements)).rawValue
        }
        return ConditionClass(RequirementSet(rawValue: additions[place]), kind)
    }

    func requirements(_ set: RequirementSet) -> Requirements { sets[Int(set.rawValue)] }

    private mutating func addClass(_ group: ConditionClass) {
        var list: [Int] = []
        for condition in Condition.ofMachine {
            guard let level = condition.level(for: group.kind, requirements(group.set)) else { continue }
            list.append(obstacle(condition, limits.level(of: condition, asked: level)))
            minding[condition.name.index][group] = true
        }
        concerns.append(list)
        passing[group] = passes(group)
    }

    private mutating func obstacle(_ condition: Condition, _ level: UInt64) -> Int {
        if let known = index(condition, level) { return known }
        obstacles.append(Obstacle(condition: condition, level: level, stands: condition.holds(conditions, level)))
        return obstacles.count - 1
    }

    private func index(_ condition: Condition, _ level: UInt64) -> Int? {
        obstacles.firstIndex { $0.level == level && $0.condition.name.index == condition.name.index }
    }

    private func passes(_ group: ConditionClass) -> Bool {
        !concerns[Int(group.rawValue)].contains { obstacles[$0].stands }
    }

    // MARK: Conditions

    /// The machine has changed.
    mutating func update(_ conditions: DeviceConditions, at time: Timestamp) {
        self.conditions = conditions
        var isNew = false
        for index in obstacles.indices {
            let stands = obstacles[index].condition.holds(conditions, obstacles[index].level)
            guard stands != obstacles[index].stands else { continue }
            obstacles[index].stands = stands
            obstacles[index].log.record(stands, at: time)
            isNew = true
        }
        guard isNew else { return }
        changes &+= 1
        for number in 0..<UInt32(sets.count) {
            for kind in TaskKind.allCases {
                let group = ConditionClass(RequirementSet(rawValue: number), kind)
                passing[group] = passes(group)
            }
        }
    }

    /// The condition that a run of that class has lost; nil: none.
    func loss(of group: ConditionClass) -> Reason? {
        for number in concerns[Int(group.rawValue)] {
            let obstacle = obstacles[number]
            if let reason = obstacle.condition.reason, obstacle.condition.isLost(conditions, obstacle.level) {
                return reason
            }
        }
        return nil
    }

    /// The first condition that blocks every request of a kind, regardless of its requirements.
    func obstacle(of kind: TaskKind) -> Condition? {
        concerns[Int(ConditionClass(RequirementSet(rawValue: 0), kind).rawValue)].first { obstacles[$0].stands }
            .map { obstacles[$0].condition }
    }

    /// Classes that mind a condition.
    func minding(_ name: ConditionName) -> ClassMask { minding[name.index] }

    // MARK: Reports

    /// The report on a condition; nil when it does not concern requests of that kind.
    func report(_ condition: Condition, _ kind: TaskKind, _ requirements: Requirements) -> GateReport? {
        guard let asked = condition.level(for: kind, requirements) else { return nil }
        let level = limits.level(of: condition, asked: asked)
        let stands = condition.holds(conditions, level)
        let found = condition.found(conditions)
        return GateReport(
            gate: condition.gate, verdict: found == nil ? .unknown : stands ? .closed : .open, holds: stands,
            since: index(condition, level).flatMap { obstacles[$0].log.since },
            next: stands ? condition.next(conditions) : nil,
            found: found ?? "unknown: nothing on this machine tells",
            opens: stands ? condition.opens(level) : "")
    }

    /// Calls the body for each span in which a condition blocked the class.
    func forEachSpan(
        of group: ConditionClass, from: Int64, to: Int64, _ body: (Gate, _ from: Int64, _ to: Int64) -> Void
    ) {
        for number in concerns[Int(group.rawValue)] where obstacles[number].stands || !obstacles[number].log.isEmpty {
            let stands = obstacles[number].stands
            for span in obstacles[number].log.spans(standsNow: stands, from: from, to: to) {
                body(obstacles[number].condition.gate, span.from, span.to)
            }
        }
    }
}

extension SchedulerLimits {
    /// The level of a condition for a request with that requirement; conditions that only protect the user have the
    /// host's levels.
    func level(of condition: Condition, asked: UInt64) -> UInt64 {
        condition.name == .battery ? UInt64(lowBattery) : asked
    }
}
