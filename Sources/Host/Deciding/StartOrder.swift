package import TaskModel

/// What a run's worker is told at its start.
package struct RunOrder: Sendable, BitwiseCopyable {
    package let id: ULID
    package let task: TaskIndex
    package let attempt: UInt32
    package let budgetEnd: Instant

    package init(id: ULID, task: TaskIndex, attempt: UInt32, budgetEnd: Instant) {
        self.id = id
        self.task = task
        self.attempt = attempt
        self.budgetEnd = budgetEnd
    }
}
