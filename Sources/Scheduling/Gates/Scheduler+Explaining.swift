package import TaskModel

// Why a request waits, gate by gate.
extension Scheduler {
    /// Every gate that concerns a request of its kind, in the order of `Gate`. Empty for a forgotten request.
    package func explain(_ handle: RequestHandle, at now: ClockReading) -> [GateReport] {
        guard let index = requests.index(handle) else { return [] }
        let slot = requests[index]
        let task = tasks[slot.task]
        return Gate.allCases.compactMap { report($0, on: index, slot, task, at: now) }
    }

    /// The report on one gate; nil when it does not concern the request.
    private func report(
        _ gate: Gate, on index: RequestIndex, _ slot: RequestSlot, _ task: TaskSlot, at now: ClockReading
    ) -> GateReport? {
        if let condition = Condition.of(gate) {
            return condition.isOfMachine
                ? conditionReport(condition, slot, task) : taskConditionReport(condition, slot, task)
        }
        let isContinued = slot.kind == .continuedProcessing
        switch gate {
        case .manifest: return manifestReport(task)
        case .paused: return pauseReport(slot)
        case .forceQuit: return isContinued ? nil : forceQuitReport(task)
        case .earliestBeginDate: return isContinued ? nil : dateReport(slot, at: now)
        case .backoff: return isContinued && slot.backoffEnd == 0 ? nil : backoffReport(index, at: now)
        case .quarantine: return quarantineReport(task)
        case .quota: return isContinued || limits.quota == nil ? nil : quotaReport(task)
        case .overlap: return overlapReport(slot)
        case .kindCapacity: return kindCapacityReport(slot)
        case .capacity: return capacityReport()
        case .revision: return revisionReport(task)
        case .shortage: return shortages[index].map { shortageReport(slot, $0, at: now) }
        case .foreground:
            return isContinued && slot.flags.contains(.foreground) ? foregroundReport(slot, task) : nil
        default: preconditionFailure("the gate \(gate.name) is neither a condition's nor the host's")
        }
    }

    /// What would open the gates that hold it, such as "external power, an idle machine"; nil when none does.
    package static func phrase(of reports: [GateReport]) -> String? {
        let held = reports.filter(\.holds)
        return held.isEmpty ? nil : held.map { $0.opens.isEmpty ? $0.gate.name : $0.opens }.joined(separator: ", ")
    }

    /// One sentence, such as "waiting: external power"; "ready" when no gate holds it.
    package static func summary(of reports: [GateReport]) -> String {
        phrase(of: reports).map { "waiting: " + $0 } ?? "ready"
    }

    static func report(
        _ gate: Gate, holds: Bool, since: Int64 = RequestSlot.none, next: Timestamp? = nil, found: String, opens: String
    ) -> GateReport {
        GateReport(
            gate: gate, verdict: holds ? .closed : .open, holds: holds, since: RequestSlot.time(since), next: next,
            found: found, opens: holds ? opens : "")
    }

    // MARK: The request itself

    private func dateReport(_ slot: RequestSlot, at now: ClockReading) -> GateReport {
        guard let date = RequestSlot.time(slot.date) else {
            let found = slot.flags.contains(.started) ? "it has started before" : "none"
            return Self.report(.earliestBeginDate, holds: false, since: slot.submitted, found: found, opens: "")
        }
        let holds = date > now.time
        let isScheduled = slot.scheduledFor == slot.date
        let source = source(ofDateOf: slot).map { ": \($0)" } ?? ""
        return Self.report(
            .earliestBeginDate, holds: holds, since: holds ? slot.submitted : max(slot.submitted, slot.date),
            next: holds ? date : nil, found: (isScheduled ? "scheduled for " : "not before ") + date.iso8601 + source,
            opens: isScheduled ? "its time" : "its date")
    }

    /// The resource that its launches lacked.
    private func shortageReport(_ slot: RequestSlot, _ tally: ShortageTally, at now: ClockReading) -> GateReport {
        let rest = Instant(nanoseconds: slot.backoffEnd) - now.instant
        let holds = slot.phase == .pending && rest > .zero
        let times = tally.returns == 1 ? "once" : "\(tally.returns) times"
        let (end, overflow) = now.time.nanoseconds.addingReportingOverflow(max(.zero, rest).nanoseconds)
        return Self.report(
            .shortage, holds: holds, since: slot.since,
            next: holds ? Timestamp(nanoseconds: overflow ? .max : end) : nil,
            found: "its launch lacked \(tally.cause.wanted) \(times) in a row"
                + (tally.isLasting ? "; it is tried once an hour now" : "") + (holds ? ", next in \(rest)" : ""),
            opens: tally.cause.wanted)
    }

    private func backoffReport(_ index: RequestIndex, at now: ClockReading) -> GateReport {
        let slot = requests[index]
        let rest = Instant(nanoseconds: slot.backoffEnd) - now.instant
        let holds = rest > .zero && shortages[index] == nil
        guard holds else {
            let found = slot.attempt > 1 ? "attempt \(slot.attempt)" : "first attempt"
            return Self.report(.backoff, holds: false, since: slot.notBefore, found: found, opens: "")
        }
        let (end, overflow) = now.time.nanoseconds.addingReportingOverflow(rest.nanoseconds)
        let (found, opens) = Self.pause(of: slot)
        return Self.report(
            .backoff, holds: true, since: slot.since, next: Timestamp(nanoseconds: overflow ? .max : end),
            found: "\(found), in \(rest)", opens: opens)
    }

    /// The cause of a pause, and its end.
    private static func pause(of slot: RequestSlot) -> (found: String, opens: String) {
        if slot.deferrals >= Deferral.mostInRow {
            let times = slot.deferrals == .max ? "\(slot.deferrals) times or more" : "\(slot.deferrals) times"
            return (
                "its handler asked for another time \(times) in a row, which now waits at least as long as a failure",
                "the end of the pause after so many deferrals"
            )
        }
        if slot.deferrals > 0 {
            let times = slot.deferrals == 1 ? "" : " (\(slot.deferrals) times in a row)"
            return ("its handler asked for another time\(times)", "the time that its handler asked for")
        }
        if slot.failures > 0 {
            return ("attempt \(slot.attempt) after a failure", "the end of the pause after a failure")
        }
        return (
            "asked for again within the pace after its last run (scheduling.pace)", "the end of the pause after a run"
        )
    }

    private func overlapReport(_ slot: RequestSlot) -> GateReport {
        let count = runCount(of: slot.identity)
        guard slot.phase == .pending, let other = earlierRun(holding: slot) else {
            let isBeside = slot.phase == .pending && count > 0
            return Self.report(
                .overlap, holds: false,
                found: isBeside
                    ? "\(count) of \(Limit.overlaps.most) run; its schedule lets them overlap"
                    : "no other run of the identifier", opens: "")
        }
        let isOne = count == 1
        return Self.report(
            .overlap, holds: true, since: max(requests[other].since, slot.submitted),
            found: isOne ? "an earlier run is in progress" : "\(count) earlier runs are in progress",
            opens: isOne
                ? "the end of the earlier run" : mayOverlap(slot) ? "the end of one of them" : "the end of all of them")
    }

    // MARK: Its task and application

    private func manifestReport(_ task: TaskSlot) -> GateReport {
        Self.report(
            .manifest, holds: task.isRemoved, since: task.since,
            found: task.isRemoved ? "the manifest no longer has the task" : "installed", opens: "its manifest")
    }

    private func forceQuitReport(_ task: TaskSlot) -> GateReport {
        let application = applications[task.rules.application]
        return Self.report(
            .forceQuit, holds: application.memory.isForceQuit, since: application.forceQuitSince,
            found: application.memory.isForceQuit ? "the user quit the application" : "not quit",
            opens: "the user opening the application")
    }

    private func quarantineReport(_ task: TaskSlot) -> GateReport {
        let application = applications[task.rules.application]
        let crashes = application.memory.crashes
        return Self.report(
            .quarantine, holds: application.isQuarantined, since: application.quarantineSince,
            next: application.memory.quarantinedUntil,
            found: crashes == 0 ? "no crash" : crashes == 1 ? "1 crash" : "\(crashes) crashes in a row",
            opens: "the end of the quarantine")
    }

    private func revisionReport(_ task: TaskSlot) -> GateReport {
        let application = applications[task.rules.application]
        return Self.report(
            .revision, holds: application.isOutdated, since: application.outdatedSince,
            found: application.isOutdated
                ? "its manifest or library changed while a run of the earlier revision is in progress"
                : "no run of an earlier revision",
            opens: "the end of the runs of the earlier revision")
    }

    private func foregroundReport(_ slot: RequestSlot, _ task: TaskSlot) -> GateReport {
        let application = applications[task.rules.application]
        return Self.report(
            .foreground, holds: awaitsForeground(slot), since: application.foregroundSince,
            found:
                "the application is \(application.state.name); interrupted requests continue only in the foreground",
            opens: "the user opening the application")
    }

    private func quotaReport(_ task: TaskSlot) -> GateReport {
        let application = applications[task.rules.application]
        let holds = application.isOverQuota(limits)
        let quota = limits.quota ?? .zero
        return Self.report(
            .quota, holds: holds, since: application.quotaSince, next: holds ? application.memory.quotaEnd : nil,
            found: "\(application.memory.quotaUsed) of \(quota) used in \(limits.quotaWindow)",
            opens: "a new quota window")
    }

    // MARK: Capacity

    private func kindCapacityReport(_ slot: RequestSlot) -> GateReport {
        let (used, most) =
            switch slot.kind {
            case .appRefresh, .backgroundFetch, .remoteNotification: (occupied.refreshes, limits.refreshes)
            case .processing, .healthResearch: (occupied.processings, limits.processings)
            case .continuedProcessing: (occupied.continued, limits.continued)
            }
        let priority = tasks[slot.task].rules.priority
        let rank = priority == .normal ? "" : "; its priority is \(priority.name)"
        return Self.report(
            .kindCapacity, holds: slot.phase == .pending && used >= most, found: "\(used) of \(most) run\(rank)",
            opens: "the end of another run of its kind")
    }

    private func capacityReport() -> GateReport {
        Self.report(
            .capacity, holds: occupied.total >= limits.concurrency || isStopped || !hasBegun || !startsByItself,
            found: isStopped
                ? "the host is stopping"
                : startsByItself ? "\(occupied.total) of \(limits.concurrency) run" : "no daemon serves",
            opens: isStopped
                ? "the next start of the host" : startsByItself ? "the end of another run" : "taskhost serve")
    }
}
