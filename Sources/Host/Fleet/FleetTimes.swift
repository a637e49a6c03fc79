import Record
import Scheduling
import Setting
import TaskModel

/// The times of schedules that are one for the fleet. Every host evaluates them, and shares a request under a key that the task
/// and the time make: the fleet has one of each, whoever comes first. So no host has to lead.
///
/// The record has the last time that the fleet has acknowledged. A host that was away shares the newest time that has passed
/// since, unless `catchUp` is `none`. Thread: the loop's.
final class FleetTimes {
    private struct Known {
        /// The last time that the fleet has; of a new schedule, when this host saw it first.
        var last: Timestamp
        var next: Timestamp?
        /// Shared, and not acknowledged.
        var shared: (key: ULID, time: Timestamp)?
    }

    /// A time that passed longer ago is not made up for. The fleet knows the keys of ended requests for longer.
    private static let farthest = TimeSpan.minutes(7 * 24 * 60)

    private var known: [TaskIndex: Known] = [:]
    private let installed: Installation
    private let keeper: RecordKeeper
    private let decider: Decider

    init(_ installed: Installation, _ keeper: RecordKeeper, _ decider: Decider) {
        self.installed = installed
        self.keeper = keeper
        self.decider = decider
    }

    /// When the next time comes, by the calendar; nil: none does.
    var next: Timestamp? { known.values.compactMap(\.next).min() }

    /// The task is new, has new rules, or was removed.
    func look(at task: TaskIndex) throws(HostError) {
        guard let rule = rule(of: task) else { return known[task] = nil }
        let row = installed.tasks[task].row
        var last = known[task]?.last
        if last == nil { last = try HostError.rethrowing(store: keeper.reader.sharedTime(task: row)) }
        if last == nil { keeper.write(.timeShared(task: row, decider.now.time)) }
        let begin = last ?? decider.now.time
        known[task] = Known(last: begin, next: rule.next(after: begin), shared: known[task]?.shared)
    }

    private func rule(of task: TaskIndex) -> ScheduleRule? {
        let installed = installed.tasks[task]
        guard !installed.isRemoved, let schedule = installed.definition.schedule, schedule.scope == .fleet else {
            return nil
        }
        return self.installed.scheduleRule(schedule, of: installed.definition.identifier)
    }

    /// The requests whose times have come: the newest one of each task.
    func takeDue(at now: Timestamp) -> [(key: ULID, request: TaskRequest)] {
        guard let next, next <= now else { return [] }
        var requests: [(key: ULID, request: TaskRequest)] = []
        for (task, state) in known where state.next.map({ $0 <= now }) ?? false {
            guard let rule = rule(of: task), let first = state.next else { continue }
            known[task]?.next = rule.next(after: now)
            let definition = installed.tasks[task].definition
            let isOnTime = definition.schedule?.catchUp == CatchUp.none ? now - Scheduler.lateness : now - Self.farthest
            guard let time = Self.newest(of: rule, from: first, to: now), time >= isOnTime else { continue }
            let key = Self.key(of: definition.identifier, at: time)
            known[task]?.shared = (key, time)
            requests.append((key, request(for: definition, at: time)))
        }
        return requests
    }

    /// The last one of the times that have passed.
    private static func newest(of rule: ScheduleRule, from first: Timestamp, to now: Timestamp) -> Timestamp? {
        // Of many the last ones are near.
        for span in [TimeSpan.minutes(60), .minutes(24 * 60), farthest] {
            let begin = max(first, now - span)
            guard var time = rule.next(after: begin - TimeSpan(nanoseconds: 1)), time <= now else { continue }
            while let next = rule.next(after: time), next <= now { time = next }
            return time
        }
        return nil
    }

    /// The same on every host.
    private static func key(of identifier: String, at time: Timestamp) -> ULID {
        let low = ScheduleRule.seed(machine: Array("fleet".utf8), identifier: identifier)
        let high = ScheduleRule.seed(machine: Array("time".utf8), identifier: identifier)
        return ULID(at: time, random: (UInt16(truncatingIfNeeded: high), low))
    }

    private func request(for task: TaskDefinition, at time: Timestamp) -> TaskRequest {
        var terms = RequestTerms()
        terms.origin = .schedule
        // The clock of this host may be ahead.
        terms.earliestBeginDate = time
        var request = TaskRequest(identifier: task.identifier, kind: task.kind, terms: terms)
        request.payload = task.schedule.map { Array($0.payload.utf8) } ?? []
        return request
    }

    /// The fleet has the request.
    func acknowledge(_ key: ULID) {
        guard let (task, state) = known.first(where: { $0.value.shared?.key == key }), let shared = state.shared else {
            return
        }
        known[task]?.shared = nil
        known[task]?.last = shared.time
        keeper.write(.timeShared(task: installed.tasks[task].row, shared.time))
    }
}
