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

    package init(tasks: Set<Int64>? = nil) { self.tasks = tasks }

    /// It chooses by nothing but tasks.
    package var isPlain: Bool { outcomes.isEmpty && kind == nil && since == nil && until == nil }
}
