import TaskModel

/// What the engine knows of a run that its worker is told at the start.
struct StartOrder: BitwiseCopyable {
    let id: ULID
    let task: TaskIndex
    let attempt: UInt32
    let budgetEnd: Instant
}
