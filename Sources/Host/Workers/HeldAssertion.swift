import TaskModel
import Wire

/// An assertion that a worker reported.
struct HeldAssertion {
    let said: AssertionBegan
    let began: Instant

    /// It as it is at this moment.
    func open(at now: Instant) -> OpenAssertion {
        OpenAssertion(id: said.id, name: said.name, age: now - began, frames: said.frames)
    }
}
