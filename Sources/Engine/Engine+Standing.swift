package import TaskModel

// What a run in progress has left, for documents.
extension Engine {
    /// A run's state and numbers. The times are those of the monotonic clock; nil: never, or not while its tree is frozen.
    package struct Standing: Sendable {
        package var state: RunState
        /// nil: it has no worker yet, and so no rules of its own.
        package var rules: TaskRules?
        package var warning: Instant?
        package var end: Instant?
        /// CPU time of the tree that the run is not charged with.
        package var cpuAtStart: TimeSpan
    }

    /// - Returns: nil: no such run is in progress.
    package func standing(of handle: RunHandle) -> Standing? {
        guard let run = runs.index(handle), runs[run].phase != .ended else { return nil }
        let slot = runs[run]
        var standing = Standing(
            state: .waiting, rules: slot.worker == nil ? nil : slot.rules, cpuAtStart: slot.cpuAtStart)
        switch slot.phase {
        case .pending, .launching, .ended: return standing
        case .ending: standing.state = .ending
        case .running: standing.state = .running
        case .expiring: standing.state = .expiring
        }
        guard slot.isActive else { return standing }
        guard slot.worker.map({ workers[$0].stillness == nil }) ?? true else {
            standing.state = .suspended
            return standing
        }
        if slot.phase == .running {
            let warning = nextLook(at: run)
            guard warning < .distantFuture else { return standing }
            standing.warning = warning
            standing.end = min(slot.budgetEnd, warning + slot.rules.grace)
        } else {
            let end = deadline(of: run)
            standing.end = end < .distantFuture ? end : nil
        }
        return standing
    }
}
