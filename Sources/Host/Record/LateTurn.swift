import Engine
import TaskModel

/// A turn that was written and is not durable yet: its effects are still to be carried out.
struct LateTurn {
    let turn: UInt64
    let work: [Action]
    let answers: [() -> Void]
    /// When it was passed to the store, by `Clock.monotonic`.
    let begin: UInt64
    /// When the host gives it up.
    let patienceEnd: Instant
}
