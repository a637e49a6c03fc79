package import TaskModel

// Which tasks could start, for a host that asks others for work.
extension Scheduler {
    /// What decides which tasks could start, as a value: while it is the same, `couldStart` answers the same.
    package struct Openness: Sendable, Equatable, BitwiseCopyable {
        let changes: UInt64
        let kinds: KindSet
        /// Further runs that there is room for, `most` at most.
        package let room: Int
    }

    /// - Parameter most: more room than that makes no difference to the caller.
    package func openness(upTo most: Int) -> Openness {
        let left = occupied.free(limits)
        let kinds =
            (left.contains(.appRefresh) ? limits.refreshes - occupied.refreshes : 0)
            + (left.contains(.processing) ? limits.processings - occupied.processings : 0)
        let room = max(0, min(limits.concurrency - occupied.total, kinds, most))
        return Openness(changes: gateChanges &+ classes.changes, kinds: left, room: room)
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
}
