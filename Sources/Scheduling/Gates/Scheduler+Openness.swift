package import TaskModel

// Which tasks could start, for a host that asks others for work.
extension Scheduler {
    /// What decides which tasks could start, as a value: while it is the same, `couldStart` answers the same.
    package struct Openness: Sendable, Equatable, BitwiseCopyable {
        let changes: UInt64
        let kinds: KindSet
        /// Further runs that there is room for: in all, and of the kinds of both sorts. No more than the caller asked for.
        let total: Int
        let refreshes: Int
        let processings: Int

        /// Further runs of these kinds that there is room for.
        package func room(for kinds: KindSet) -> Int {
            let short = kinds.isDisjoint(with: .refresh) ? 0 : refreshes
            let long = kinds.isDisjoint(with: .long) ? 0 : processings
            return min(total, short + long)
        }
    }

    /// - Parameter most: more room than that makes no difference to the caller.
    package func openness(upTo most: Int) -> Openness {
        func room(_ limit: Int, _ used: Int) -> Int { max(0, min(limit - used, most)) }
        return Openness(
            changes: gateChanges &+ classes.changes, kinds: occupied.free(limits),
            total: room(limits.concurrency, occupied.total), refreshes: room(limits.refreshes, occupied.refreshes),
            processings: room(limits.processings, occupied.processings))
    }

    /// Whether a request of the task would start now that has no date, requires nothing of its own, and whose identity has no
    /// run. Never for a wildcard, and for kinds that the application's user or the host itself begins.
    package func couldStart(_ task: TaskIndex) -> Bool {
        let slot = tasks[task]
        let kind = slot.rules.kind
        guard hasBegun, !isStopped, startsByItself, !slot.isRemoved, slot.unmet.isEmpty, !isPaused(task),
            !slot.rules.lacksMode, !slot.rules.isWildcard, !kind.isEvent, kind != .continuedProcessing
        else { return false }
        return !applications[slot.rules.application].blocked(limits).contains(kind)
            && classes.passing[ConditionClass(slot.set, kind)] && occupied.free(limits).contains(kind)
    }

    /// The first gate, in their order, that holds such a request; nil: it could start, or never could whatever the gates say.
    package func holdingGate(of task: TaskIndex) -> Gate? {
        let slot = tasks[task]
        return Gate.allCases.first { holds($0, slot) || ($0 == .paused && isPaused(task)) }
    }

    private func holds(_ gate: Gate, _ task: TaskSlot) -> Bool {
        let (kind, application) = (task.rules.kind, applications[task.rules.application])
        if let condition = Condition.of(gate) {
            guard condition.isOfMachine else { return task.unmet.contains(condition.name) }
            if gate == .backgroundRefresh, application.memory.isRefreshDenied, KindSet.refresh.contains(kind) {
                return true
            }
            return classes.report(condition, kind, classes.requirements(task.set))?.holds ?? false
        }
        let room = openness(upTo: 1)
        return switch gate {
        case .manifest: task.isRemoved
        case .paused: application.pause != nil
        case .forceQuit: application.memory.isForceQuit && KindSet.background.contains(kind)
        case .quarantine: application.isQuarantined
        case .quota: application.isOverQuota(limits) && KindSet.background.contains(kind)
        case .revision: application.isOutdated
        case .kindCapacity: (KindSet.refresh.contains(kind) ? room.refreshes : room.processings) == 0
        case .capacity: room.total == 0 || isStopped || !hasBegun || !startsByItself
        default: false
        }
    }
}
