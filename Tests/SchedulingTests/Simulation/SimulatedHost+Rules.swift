import Scheduling
import TaskModel
import TestSupport

// What must hold whatever happens, written down from the description of the gates and not from the scheduler.
extension SimulatedHost {
    // MARK: Decisions

    func take(_ decision: Decision) throws {
        switch decision {
        case .remember(let handle):
            guard let view = scheduler.request(handle) else {
                return try expect(false, "an unknown request is remembered")
            }
            try remember(view, handle)
        case .forget(let identity, let submitted):
            if rows[identity]?.request.submitted == submitted {
                rows[identity] = nil
                forced.remove(identity)
                pauses[identity] = nil
                failures[identity] = nil
            }
        case .start(let handle, _): try start(handle)
        case .expire(let handle, .superseded):
            count.superseded += 1
            guard let run = runs[handle] else { return try expect(false, "a request is superseded that does not run") }
            try expect(takesPlace(of: run), "a run is superseded by no time of its schedule")
            runs[handle]?.isExpired = true
        case .expire(let handle, let reason):
            count.expirations += 1
            guard let run = runs[handle] else { return try expect(false, "a request expires that does not run") }
            try expect(!run.isForced, "a forced run loses a condition")
            try expect(!run.isExpired, "a run is expired twice")
            try expect(isLost(reason, run), "no run has lost a condition by \(reason)")
            if reason == .windowClosed { count.windowEnds += 1 }
            runs[handle]?.isExpired = true
        case .rememberApplication(let application):
            memories[application] = scheduler.memory(of: application)
        case .quarantined(let application, let until):
            count.quarantines += 1
            try expect(until > now.time, "a quarantine ends before it begins")
            try expect(scheduler.memory(of: application).quarantinedUntil == until, "another end of the quarantine")
        case .pauseEnded(let part):
            let until = stops[part]?.until
            try expect(until.map { $0 <= now.time } ?? false, "a pause ends by itself before its time")
            stops[part] = nil
            count.pauseEnds += 1
        case .starved: try expect(false, "nothing lacks anything here")
        case .terminate: break
        }
    }

    private func remember(_ view: RequestView, _ handle: RequestHandle) throws {
        let identity = view.request.identity
        // By the end of the call it may run already; then its row is marked as running by `start`.
        if rows[identity] != nil { count.replaced += 1 }
        if view.request.terms.origin == .schedule { count.occurrences += 1 }
        if view.request.terms.origin == .task, view.request.attempt == 1, rows[identity]?.request != view.request {
            followed.insert(identity)
            count.followed += 1
        }
        rows[identity] = Row(request: view.request, task: view.task)
        if let retrying, retrying.identity == identity {
            failures[identity] = retrying.failures
            pauses[identity] = retrying.pause
            rows[identity]?.hasStarted = true
            rows[identity]?.needsForeground = view.request.kind == .continuedProcessing
            self.retrying = nil
        } else if view.request.attempt == 1 {
            failures[identity] = 0
            pauses[identity] = pace(of: view.request)
        }
        try expect(view.request.failures == failures[identity] ?? 0, "\(view.request.failures) failures are remembered")
    }

    /// When a request of an application may start, by its identity's last run.
    private func pace(of request: TaskRequest) -> Instant? {
        guard request.terms.origin == .application, request.kind != .continuedProcessing else { return nil }
        let isRunning = runs.values.contains { $0.row.request.identity == request.identity }
        guard let end = isRunning ? now.instant + limits.pace : paceEnds[request.identity] else { return nil }
        let rest = end - now.instant
        let date = max(request.terms.earliestBeginDate?.nanoseconds ?? .min, request.scheduledFor?.nanoseconds ?? .min)
        guard rest > .zero, date < now.time.nanoseconds + rest.nanoseconds else { return nil }
        return end
    }

    private func start(_ handle: RequestHandle) throws {
        guard let view = scheduler.request(handle) else { return try expect(false, "an unknown request starts") }
        count.starts += 1
        if view.request.kind == .backgroundFetch { count.fetches += 1 }
        if view.request.kind == .remoteNotification { count.notifications += 1 }
        let identity = view.request.identity
        let isForced = forced.remove(identity) != nil
        skipped.remove(identity)
        try expect(!isStopped, "a request starts after the stop")
        try expect(view.phase == .running, "a request that starts does not run")
        let others = runs.filter { $0.value.row.request.identity == identity }
        try expect(others.isEmpty || mayStart(view.request, of: view.task, beside: others.count), "a run too many")
        try expect(
            others.allSatisfy { $0.value.row.request.submitted != view.request.submitted }, "two runs have one row")
        if !others.isEmpty { count.beside += 1 }
        count.mostBeside = max(count.mostBeside, others.count)
        for other in others.keys { runs[other]?.isOvertaken = true }
        guard let row = rows[identity], !row.isRunning, row.request.submitted == view.request.submitted else {
            return try expect(false, "a request starts that is not remembered")
        }
        try expect(row.request.attempt == view.request.attempt, "another attempt than the one remembered")
        if !isForced {
            let holding = gates(of: row, identity: identity)
            try expect(holding.isEmpty, "it starts against \(holding)")
            try judgeOrder(row)
        }
        rows[identity]?.isRunning = true
        runs[handle] = Run(row: row, isForced: isForced, failures: failures[identity] ?? 0, started: now.time)
        failures[identity] = nil
        pauses[identity] = nil
    }

    /// The highest priority of its kind starts, unless a lower one was passed four times.
    private func judgeOrder(_ row: Row) throws {
        let kind = row.request.kind
        let ready = rows.filter { identity, other in
            other.request.kind == kind && !other.isRunning && gates(of: other, identity: identity).isEmpty
        }
        let waiting = Set(ready.values.map { rules[$0.task].priority }).sorted { $0.rawValue < $1.rawValue }
        let overdue = waiting.dropLast().first { passed[kind]?[$0] ?? 0 >= 4 }
        let own = rules[row.task].priority
        try expect(own == overdue ?? waiting.last, "\(own) starts of \(waiting), passed \(passed[kind] ?? [:])")
        if waiting.count > 1 { count.turns += 1 }
        for lower in waiting where lower.rawValue < own.rawValue { passed[kind, default: [:]][lower, default: 0] += 1 }
        passed[kind]?[own] = 0
    }

    // MARK: Gates

    /// The gates that hold a pending request back now.
    func gates(of row: Row, identity: Int64) -> [Gate] {
        let task = rules[row.task]
        let memory = scheduler.memory(of: task.application)
        let terms = row.request.terms
        var list: [Gate] = []
        func hold(_ gate: Gate, _ holds: Bool) { if holds { list.append(gate) } }
        hold(.manifest, isRemoved[row.task])
        hold(.paused, isHeldBack(row.task))
        hold(.backoff, (pauses[identity] ?? Instant(nanoseconds: 0)) > now.instant)
        hold(.quarantine, memory.quarantinedUntil != nil)
        hold(.revision, outdated.contains(task.application))
        hold(.foreground, row.needsForeground && !inFront.contains(task.application))
        let earlier = runs.values.count { $0.row.request.identity == identity }
        hold(.overlap, earlier > 0 && !mayStart(row.request, of: row.task, beside: earlier))
        let others = runs.values.map(\.row.request.kind)
        let space = row.request.kind == .continuedProcessing ? 0 : task.requires[.disk]
        let lacks = space > 0 && (conditions.diskLow == .unknown || conditions.freeSpace < space)
        hold(.diskSpace, conditions.diskLow == .yes || lacks)
        hold(.sleep, conditions.isAsleep == .yes)
        hold(.capacity, runs.count >= limits.concurrency)
        switch row.request.kind {
        case .appRefresh, .backgroundFetch, .remoteNotification:
            hold(.kindCapacity, others.count { KindSet.refresh.contains($0) } >= limits.refreshes)
        case .continuedProcessing:
            hold(.kindCapacity, others.count { $0 == .continuedProcessing } >= limits.continued)
        default:
            hold(.kindCapacity, others.count { $0 == .processing || $0 == .healthResearch } >= limits.processings)
        }
        guard row.request.kind != .continuedProcessing else { return list }
        let unmet = task.awaits.subtracting(met[row.task] ?? [])
        for name in unmet.names { hold(name.condition.gate, true) }
        hold(.forceQuit, memory.isForceQuit)
        if KindSet.refresh.contains(row.request.kind) {
            hold(.backgroundRefresh, memory.isRefreshDenied || conditions.backgroundRefresh == .no)
        } else {
            hold(.idle, task.requires.idle && conditions.userActive == .yes)
            hold(.cpuPressure, task.requires.idle && conditions.cpuPressure == .yes)
            hold(.window, isWindowSet ? conditions.windowClosed == .yes : windows?.isOpen(at: now.time) == false)
        }
        hold(.firstUnlock, conditions.unlocked == .no)
        let date = max(terms.earliestBeginDate?.nanoseconds ?? .min, row.request.scheduledFor?.nanoseconds ?? .min)
        hold(.earliestBeginDate, date > now.time.nanoseconds && !row.hasStarted)
        hold(
            .externalPower,
            (task.requires.externalPower || terms.requiresExternalPower) && conditions.externalPower != .yes)
        hold(.batteryLevel, (conditions.batteryLevel ?? 100) < limits.lowBattery && conditions.externalPower != .yes)
        hold(.lowPowerMode, conditions.lowPowerMode == .yes)
        let network = max(task.requires.network ?? .unknown, terms.requiresNetwork ? .constrained : .unknown)
        hold(.network, conditions.network < network)
        hold(.memoryPressure, conditions.memoryPressure == .yes)
        hold(.thermal, conditions.thermal >= .serious)
        hold(.quota, limits.quota.map { memory.quotaEnd != nil && memory.quotaUsed >= $0 } ?? false)
        return list
    }

    /// The user holds it, its application or everything back.
    private func isHeldBack(_ task: TaskIndex) -> Bool {
        let parts: [PausedPart] = [.host, .application(rules[task].application), .task(task)]
        return parts.contains { stops[$0] != nil }
    }

    /// It is of a schedule that lets its runs overlap, sixteen at most.
    private func mayStart(_ request: TaskRequest, of task: TaskIndex, beside count: Int) -> Bool {
        guard request.terms.origin == .schedule, let schedule = rules[task].schedule else { return false }
        return schedules[schedule].overlap == .allow && count < 16
    }

    /// A time of its schedule, which replaces runs in progress, has come.
    private func takesPlace(of run: Run) -> Bool {
        guard let schedule = rules[run.row.task].schedule, schedules[schedule].overlap == .replace,
            let row = rows[run.row.request.identity], row.request.terms.origin == .schedule,
            let date = row.request.scheduledFor
        else { return false }
        return !run.isExpired && date <= now.time && !isHeldBack(run.row.task)
    }

    /// After a success each follower has a request, unless it has one that is not a time of its schedule yet to come.
    func judgeFollowers(of task: TaskIndex, waiting before: [Int64: Row]) throws {
        for follower in followers[task] ?? [] where !isRemoved[follower] {
            let identity = Int64(follower.number)
            let isTaken = before[identity].map { row in
                !row.isRunning
                    && (row.request.terms.origin != .schedule || row.hasStarted || row.request.attempt > 1
                        || rules[follower].schedule == nil || row.request.scheduledFor.map { $0 <= now.time } ?? true)
            }
            try expect(
                followed.contains(identity) == !(isTaken ?? false),
                "\(follower) after \(task): it has a request: \(isTaken ?? false), and got one: \(followed.contains(identity))"
            )
        }
    }

    private func isLost(_ reason: Reason, _ run: Run) -> Bool {
        switch reason {
        case .powerLost: conditions.externalPower == .no
        case .networkLost: conditions.network == .none || conditions.network == .constrained
        case .userActive:
            conditions.userActive == .yes && run.row.request.kind != .appRefresh
                && run.row.request.kind != .continuedProcessing
        case .memoryPressure: conditions.memoryPressure == .yes
        case .thermal: conditions.thermal == .critical
        case .windowClosed: conditions.windowClosed == .yes && KindSet.long.contains(run.row.request.kind)
        default: false
        }
    }

    // MARK: After every call

    func judge() throws {
        let waiting = rows.filter { !$0.value.isRunning }
        try expect(
            scheduler.pendingCount == waiting.count,
            "\(scheduler.pendingCount) requests are pending and \(waiting.count) are remembered")
        let deadline = scheduler.nextDeadline(at: now)
        for (identity, row) in waiting {
            guard let handle = scheduler.handle(identity: identity), let view = scheduler.request(handle) else {
                throw Violation(
                    description: "TASKHOST_SEED=\(seed): the request \(identity) is lost\n"
                        + trace.joined(separator: "\n"))
            }
            try expect(
                view.request == row.request,
                "\(identity) is not what was remembered: \(view.request) and \(row.request)")
            try expect(view.phase == .pending, "\(identity) is pending and runs")
            let holding = gates(of: row, identity: identity).filter { !isStopped || $0 != .capacity }
                .sorted()
            let told = scheduler.explain(handle, at: now).filter { $0.holds && (!isStopped || $0.gate != .capacity) }
            try expect(told.map(\.gate) == holding, "\(identity) is held by \(holding) and explained by \(told)")
            guard !isStopped, deadline > now.instant else { continue }
            try expect(!holding.isEmpty, "\(identity) could start and does not")
            let comes = row.request.terms.earliestBeginDate?.nanoseconds != .max
            if (holding == [.earliestBeginDate] && comes) || holding == [.backoff] {
                try expect(deadline < .distantFuture, "no deadline is set for the date of \(identity)")
            }
        }
        for task in rules.indices where !isRemoved[task] && !rules[task].isWildcard {
            guard let schedule = rules[task].schedule else { continue }
            let row = rows[Int64(task.number)]
            try expect(row != nil, "the schedule of \(task) has stopped")
            guard let row, !skipped.contains(Int64(task.number)), !row.isRunning, !row.hasStarted,
                row.request.terms.origin == .schedule,
                row.request.attempt == 1,
                let date = row.request.scheduledFor, date > now.time,
                let next = schedules[schedule].next(after: now.time)
            else { continue }
            // However the clock was set, a pace continues: one time at most was left out for having run before.
            let distance = span(from: next, to: schedules[schedule].next(after: next) ?? next)
            try expect(
                span(from: next, to: date) <= distance + .seconds(1),
                "the schedule of \(task) waits for \(date.iso8601)")
        }
        try judgeFetches()
        try judgeWaits()
    }

    /// An application that asked for fetches has one that waits or runs, no farther away than its pause.
    private func judgeFetches() throws {
        for task in rules.indices where rules[task].kind == .backgroundFetch && !isRemoved[task] {
            let application = rules[task].application
            let memory = scheduler.memory(of: application)
            guard let pause = scheduler.fetchPause(of: application), !memory.isForceQuit else { continue }
            guard let row = rows[Int64(task.number)] else {
                throw Violation(
                    description: "TASKHOST_SEED=\(seed): the fetch of \(task) has stopped\n"
                        + trace.joined(separator: "\n"))
            }
            guard row.request.terms.origin == .host, !row.isRunning, !row.hasStarted, row.request.attempt == 1,
                let date = row.request.terms.earliestBeginDate
            else { continue }
            // Steps of the clock below a second are none.
            try expect(span(from: now.time, to: date) <= pause + .minutes(1), "\(task) waits for \(date.iso8601)")
            try expect(
                pause >= limits.fetchInterval && pause <= max(.minutes(7 * 24 * 60), memory.fetchInterval ?? .zero),
                "a pause of \(pause)")
        }
    }

    private func judgeWaits() throws {
        guard random.chance(0.05), let handle = scheduler.pending(application: nil).randomElement(using: &random)
        else { return }
        let waits = scheduler.waits(of: handle, at: now)
        try expect(waits.allSatisfy { $0.from < $0.to }, "a wait ends before it begins")
        try expect(waits.allSatisfy { $0.to <= now.time }, "a wait ends in the future")
        try expect(zip(waits, waits.dropFirst()).allSatisfy { $0.from <= $1.from }, "waits out of order")
    }
}
