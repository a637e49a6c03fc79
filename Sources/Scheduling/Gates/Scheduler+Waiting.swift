package import TaskModel

// What delayed a request, assembled on demand from the logs.
extension Scheduler {
    /// The spans in which each gate held the request back in its present attempt, from when it began to wait until it
    /// started or until now; in order of time, at most `WaitList.most`.
    package func waits(of handle: RequestHandle, at now: ClockReading) -> [GateWait] {
        guard let index = requests.index(handle) else { return [] }
        let slot = requests[index]
        let task = tasks[slot.task]
        let from = slot.phase == .running ? slot.waitedFrom : slot.since
        let to = slot.phase == .running ? slot.since : now.time.nanoseconds
        var waits = WaitList(from: from, to: to)
        waits.add(.earliestBeginDate, from: from, to: slot.date)
        waits.add(shortages[index] == nil ? .backoff : .shortage, from: from, to: slot.notBefore)
        classes.forEachSpan(of: slot.group, from: from, to: to) { waits.add($0, from: $1, to: $2) }
        addHolds(of: task, index, to: &waits)
        addPresentHolds(of: task, slot, to: &waits)
        addOwnHolds(of: task, slot, to: &waits)
        // The rest of the time it waited for a place.
        let isKindFull = occupied.isFull(slot.kind, limits)
        waits.addRest(isKindFull && occupied.total < limits.concurrency ? .kindCapacity : .capacity)
        return waits.list
    }

    /// Past delays.
    private func addHolds(of task: TaskSlot, _ index: RequestIndex, to waits: inout WaitList) {
        let slot = requests[index]
        var number = applications[task.rules.application].newestHold
        while let hold = holdLog[number], hold.to > waits.from {
            number = hold.previous
            switch hold.gate {
            case .paused where hold.subject != Self.all && hold.subject != slot.task.number: continue
            case .manifest where hold.subject != slot.task.number: continue
            case let gate where Condition.isOfTasks(gate) && !isOwn(hold, slot): continue
            case .overlap where hold.subject != index.number: continue
            case .backgroundRefresh where !KindSet.refresh.contains(slot.kind): continue
            case .forceQuit where slot.kind == .continuedProcessing: continue
            case .quota where slot.kind == .continuedProcessing: continue
            case .foreground where !slot.flags.contains(.foreground): continue
            default: waits.add(hold.gate, from: hold.from, to: hold.to)
            }
        }
    }

    /// Whether a condition of the request's task was lacking, and the request minded.
    private func isOwn(_ hold: HoldLog.Hold, _ slot: RequestSlot) -> Bool {
        hold.subject == slot.task.number && slot.kind != .continuedProcessing
    }

    /// Present delays.
    private func addPresentHolds(of task: TaskSlot, _ slot: RequestSlot, to waits: inout WaitList) {
        let application = applications[task.rules.application]
        let isContinued = slot.kind == .continuedProcessing
        if task.isRemoved { waits.add(.manifest, from: task.since, to: waits.to) }
        for (_, pause) in pauses(of: slot.task) { waits.add(.paused, from: pause.since.nanoseconds, to: waits.to) }
        if application.memory.isForceQuit && !isContinued {
            waits.add(.forceQuit, from: application.forceQuitSince, to: waits.to)
        }
        if application.memory.isRefreshDenied && KindSet.refresh.contains(slot.kind) {
            waits.add(.backgroundRefresh, from: application.refreshSince, to: waits.to)
        }
        if application.isOutdated { waits.add(.revision, from: application.outdatedSince, to: waits.to) }
        if awaitsForeground(slot) { waits.add(.foreground, from: application.foregroundSince, to: waits.to) }
        if application.isQuarantined { waits.add(.quarantine, from: application.quarantineSince, to: waits.to) }
        if application.isOverQuota(limits) && !isContinued {
            waits.add(.quota, from: application.quotaSince, to: waits.to)
        }
        if slot.phase == .pending, let other = earlierRun(holding: slot) {
            waits.add(.overlap, from: requests[other].since, to: waits.to)
        }
    }
}

/// Spans of waiting between a request's submission and its start.
struct WaitList {
    /// More than a row of the history needs; a flapping condition would fill it.
    static let most = 24

    let from: Int64
    let to: Int64
    private var waits: [GateWait] = []

    init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }

    /// Adds a span, cut to the request's lifetime.
    mutating func add(_ gate: Gate, from start: Int64, to end: Int64) {
        let (start, end) = (max(start, from), min(end, to))
        guard start < end else { return }
        waits.append(
            GateWait(gate: gate, from: Timestamp(nanoseconds: start), to: Timestamp(nanoseconds: end)))
    }

    /// Adds the time after the last span.
    mutating func addRest(_ gate: Gate) {
        let last = waits.map(\.to.nanoseconds).max() ?? from
        add(gate, from: last, to: to)
    }

    /// In order of time; the longest of them when there are too many.
    var list: [GateWait] {
        var chosen = waits
        if chosen.count > Self.most {
            chosen.sort { $0.to - $0.from > $1.to - $1.from }
            chosen.removeLast(chosen.count - Self.most)
        }
        return chosen.sorted {
            $0.from != $1.from ? $0.from < $1.from : $0.gate < $1.gate
        }
    }
}
