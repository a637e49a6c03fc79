import Engine
import TaskModel

/// Actions of a turn that was written and is not durable yet.
struct LateTurn {
    let turn: UInt64
    let effects: [Action]
    let answers: [() -> Void]
    /// When the host gives it up.
    let patienceEnd: Instant
}
