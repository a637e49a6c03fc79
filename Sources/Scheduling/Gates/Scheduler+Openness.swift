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
}
