package import TaskModel

/// The state of the machine's sleep.
package struct SleepFinding: Hashable, Sendable {
    package var isAsleep = false
    /// The host wants to delay sleep.
    package var isDelayed = false
    /// It waits, or would.
    package var isHeld = false
    /// How long sleep waits at most.
    package var patience = TimeSpan.seconds(5)
    /// Why logind does not let sleep wait, or keep the machine awake: the name of an error; nil: it does, or was not asked.
    package var delayRefusal: String?
    package var blockRefusal: String?
    /// The machine is kept awake.
    package var isBlocked = false

    package init() {}
}
