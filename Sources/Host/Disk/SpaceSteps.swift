import TaskModel

/// Free space in the steps that tasks require, so that only relevant changes are reported, logged and evaluated.
struct SpaceSteps {
    /// The pause between two measurements because of starts: many starts share one.
    private static let pause = TimeSpan.seconds(1)
    /// The most that has to be free beyond a missing step, so that the value does not flutter.
    private static let margin: UInt64 = 16 << 20

    /// Ascending.
    private var levels: [UInt64] = []
    /// Its result is still valid for the requirements.
    private var lastLook: Instant?
    private var hasLooked = false

    /// Adds a task's requirement. True: a recent measurement did not consider it.
    mutating func add(_ level: UInt64) -> Bool {
        guard level > 0, !levels.contains(level) else { return false }
        levels.append(level)
        levels.sort()
        lastLook = nil
        return hasLooked
    }

    /// A task requires space, and the last result is old.
    func isLookDue(at now: Instant) -> Bool {
        !levels.isEmpty && lastLook.map { now - $0 >= Self.pause } ?? true
    }

    /// The last measurement is not recent.
    func isLookOld(at now: Instant) -> Bool { lastLook.map { now - $0 >= Self.pause } ?? true }

    mutating func noteLook(at now: Instant) { (lastLook, hasLooked) = (now, true) }

    /// What counts as free: the floor, a step, or, beyond the last one, the largest number.
    ///
    /// - Parameter before: what counted before.
    func step(of free: UInt64, floor: UInt64, before: UInt64) -> UInt64 {
        var reached = floor
        for level in levels {
            let needed = before >= level ? level : level &+ min(level / 8, Self.margin)
            guard free >= needed else { return min(reached, level) }
            reached = level
        }
        return .max
    }
}
