import Engine
import Record
import Scheduling
import TaskModel
import TestSupport

// The gates as the reference describes them, and the rules that hold after every turn.
extension JointHost {
    /// The gates that hold the request at this moment.
    func holds(_ known: JointRequest) -> GateSet {
        let task = world.tasks[known.task]
        let (rules, kind, terms) = (task.scheduling, task.scheduling.kind, known.request.terms)
        let memory = scheduler.memory(of: rules.application)
        var gates = GateSet()
        func close(_ gate: Gate, if holds: Bool) { if holds { gates.insert(gate) } }
        close(.manifest, if: task.isRemoved)
        close(.paused, if: isHeldBack(known.task))
        close(.quarantine, if: memory.quarantinedUntil.map { $0 > now.time } ?? false)
        close(.overlap, if: !mayOverlap(known))
        close(known.tally == nil ? .backoff : .shortage, if: known.pauseEnd > now.instant)
        close(.revision, if: isOutdated(rules.application))
        let isInFront = [.active, .inactive].contains(scheduler.state(of: rules.application))
        close(.foreground, if: kind == .continuedProcessing && known.needsForeground && !isInFront)
        close(.capacity, if: running.count + overtaken.count >= world.limits.concurrency)
        close(.kindCapacity, if: isFull(kind))
        let lacksSpace = kind != .continuedProcessing && conditions.freeSpace < rules.requires[.disk]
        close(.diskSpace, if: conditions.diskLow == .yes || lacksSpace)
        guard kind != .continuedProcessing else { return gates }
        close(.forceQuit, if: memory.isForceQuit)
        let isRefreshOff = conditions.backgroundRefresh == .no || memory.isRefreshDenied
        close(.backgroundRefresh, if: kind == .appRefresh && isRefreshOff)
        close(.firstUnlock, if: conditions.unlocked == .no)
        for date in [terms.earliestBeginDate, known.request.scheduledFor] where !known.hasStarted {
            close(.earliestBeginDate, if: date.map { $0 > now.time } ?? false)
        }
        let needsPower = rules.requires.externalPower || terms.requiresExternalPower
        close(.externalPower, if: needsPower && conditions.externalPower != .yes)
        let isLow = conditions.batteryLevel.map { $0 < world.limits.lowBattery } ?? false
        close(.batteryLevel, if: isLow && conditions.externalPower != .yes)
        close(.lowPowerMode, if: conditions.lowPowerMode == .yes)
        let access = max(rules.requires.network ?? .unknown, terms.requiresNetwork ? .constrained : .unknown)
        close(.network, if: access > .none && conditions.network < access)
        let needsIdle = rules.requires.idle && kind != .appRefresh
        close(.idle, if: needsIdle && conditions.userActive == .yes)
        close(.cpuPressure, if: needsIdle && conditions.cpuPressure == .yes)
        close(.memoryPressure, if: conditions.memoryPressure == .yes)
        close(.thermal, if: conditions.thermal >= .serious)
        if let quota = world.limits.quota, let end = memory.quotaEnd, end > now.time {
            close(.quota, if: memory.quotaUsed >= quota)
        }
        return gates
    }

    /// Runs of the identity that are in progress.
    func inProgress(_ identity: Int64) -> Int {
        (running[identity] == nil ? 0 : 1) + overtaken.values.count { $0.request.identity == identity }
    }

    /// None of its identity runs, or its schedule lets fewer than sixteen run beside it.
    func mayOverlap(_ known: JointRequest) -> Bool {
        let count = inProgress(known.request.identity)
        guard count > 0 else { return true }
        guard known.request.terms.origin == .schedule, let schedule = world.tasks[known.task].scheduling.schedule else {
            return false
        }
        return world.schedules[schedule].overlap == .allow && count < 16
    }

    /// The highest priority of its kind starts, unless a lower one was passed too often.
    func judgeOrder(_ known: JointRequest) throws {
        let kind = known.request.kind
        let ready = pending.values.filter { $0.request.kind == kind && !$0.isForced && holds($0).isEmpty }
        let waiting = Set(ready.map { world.tasks[$0.task].scheduling.priority }).sorted { $0.rawValue < $1.rawValue }
        let overdue = waiting.dropLast().first { passed[kind]?[$0] ?? 0 >= Int(WorkPriority.mostPassed) }
        let own = world.tasks[known.task].scheduling.priority
        try expect(
            own == overdue ?? waiting.last, "\(own) of \(kind) starts of \(waiting), passed \(passed[kind] ?? [:])")
        if overdue != nil { count.overdue += 1 } else if waiting.count > 1 { count.preferred += 1 }
        for lower in waiting where lower.rawValue < own.rawValue { passed[kind, default: [:]][lower, default: 0] += 1 }
        passed[kind]?[own] = 0
    }

    /// A process of the application is still that of an earlier revision.
    func isOutdated(_ application: ApplicationIndex) -> Bool {
        outdatedLaunches.values.contains(application)
            || workers.values.contains { $0.application == application && $0.isOutdated && !$0.isGone }
    }

    private func isFull(_ kind: TaskKind) -> Bool {
        var (refreshes, processings, continued) = (0, 0, 0)
        // A run keeps the kind that its request was started with.
        for known in [Array(running.values), Array(overtaken.values)].joined() {
            switch known.request.kind {
            case .appRefresh, .backgroundFetch, .remoteNotification: refreshes += 1
            case .processing, .healthResearch: processings += 1
            case .continuedProcessing: continued += 1
            }
        }
        return switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: refreshes >= world.limits.refreshes
        case .processing, .healthResearch: processings >= world.limits.processings
        case .continuedProcessing: continued >= world.limits.continued
        }
    }

    func inspect() throws {
        let isStaggered = scheduler.nextDeadline(at: now) <= now.instant
        if actions.isEmpty && !isStopping && !isStaggered {
            for known in pending.values {
                let gates = holds(known)
                try expect(
                    !gates.isEmpty || known.isForced, "the request \(known.request.identity) waits for nothing")
            }
        }
        try expect(scheduler.pendingCount == pending.count, "the scheduler knows \(scheduler.pendingCount) requests")
        if count.turns % 8 == 0 {
            try inspectRows()
            try inspectReasons()
        }
        if count.turns % 64 == 0 { try inspectSchedules() }
    }

    /// A schedule always has a next time, and a clock that was wrong does not put it off.
    private func inspectSchedules() throws {
        guard !isStopping else { return }
        for task in world.tasks where !task.isRemoved && !skipped.contains(task.scheduling.identity) {
            guard let schedule = task.scheduling.schedule else { continue }
            guard let known = pending[task.scheduling.identity] else {
                try expect(false, "the schedule of \(task.scheduling.identity) has ended")
                continue
            }
            // Small corrections of the clock, three hours in all, repeat nothing: they leave times where they were. A host
            // that starts again does not know those before it.
            let rule = world.schedules[schedule]
            let corrected = Timestamp(nanoseconds: now.time.nanoseconds + 2 * 3 * 3600 * 1_000_000_000)
            guard let time = known.request.scheduledFor, known.request.attempt == 1, time > now.time,
                let next = rule.next(after: now.time), let latest = rule.next(after: corrected)
            else { continue }
            // The one after the next may be meant, when the next ran before the clock was set back; a pace's went back with
            // the small corrections.
            let afterNext = rule.next(after: next)?.nanoseconds ?? .max
            let isAfterNext =
                afterNext == time.nanoseconds
                || rule.isPace && time.nanoseconds < afterNext
                    && afterNext - time.nanoseconds < 3 * 3600 * 1_000_000_000
            try expect(
                time <= latest || isAfterNext, "a schedule is put off from \(next.iso8601) to \(time.iso8601)")
        }
    }

    /// What `why` says is what holds.
    private func inspectReasons() throws {
        guard !isStopping, let known = pending.values.first else { return }
        var told = GateSet()
        for report in scheduler.explain(known.handle, at: now) where report.holds { told.insert(report.gate) }
        let gates = holds(known)
        try expect(
            told == gates, "why says \(told.names), and it is \(gates.names)")
        let waits = scheduler.waits(of: known.handle, at: now)
        try expect(waits.allSatisfy { $0.from <= $0.to }, "a wait ends before it begins")
    }

    /// Nothing that was promised is missing in the record, and nothing else is in it.
    func inspectRows() throws {
        guard requestWrites.isEmpty, !store.isBehind else { return }
        for (identity, known) in pending {
            let row = kept.waiting[identity]
            try expect(row?.submitted == known.request.submitted, "the record has no row for the waiting \(identity)")
            try expect(row?.attempt == known.request.attempt, "the record has another attempt")
        }
        for (identity, known) in running {
            let row = kept.running[identity]
            try expect(row?.submitted == known.request.submitted, "the record has no row for the running \(identity)")
        }
        for identity in kept.waiting.keys { try expect(pending[identity] != nil, "the record keeps \(identity)") }
        for identity in kept.running.keys { try expect(running[identity] != nil, "the record keeps \(identity)") }
    }
}
