package import TaskModel

/// Which runs of the record are wanted: those that fit every part of it.
package struct RunFilter: Sendable, Equatable {
    /// Of these tasks, from `taskRows`; nil: of all.
    package var tasks: Set<Int64>?
    /// With one of these outcomes; empty: with any, or none yet.
    package var outcomes: Set<Outcome> = []
    /// nil: of any kind, or recorded by a version without kinds.
    package var kind: TaskKind?
    /// Admitted then or later.
    package var since: Timestamp?
    /// Admitted before.
    package var until: Timestamp?

    /// Only runs that are unlike the others of their task.
    package var isUnlikeItself = false

    package init(tasks: Set<Int64>? = nil) { self.tasks = tasks }

    /// It chooses by nothing but tasks.
    package var isPlain: Bool { outcomes.isEmpty && kind == nil && since == nil && until == nil && !isUnlikeItself }

    /// Whether it wants the run.
    package func fits(_ run: MeasuredRun) -> Bool {
        if let tasks, !tasks.contains(run.task) { return false }
        if !outcomes.isEmpty { guard let outcome = run.outcome, outcomes.contains(outcome) else { return false } }
        if let kind, run.kind != kind { return false }
        if isUnlikeItself && !run.isUnlikeItself { return false }
        return since.map { run.submittedAt >= $0 } ?? true && until.map { run.submittedAt < $0 } ?? true
    }
}
