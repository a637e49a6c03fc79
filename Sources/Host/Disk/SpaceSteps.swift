import TaskModel

/// Free space in the steps that tasks ask for, so that only what matters to somebody is told, logged and decided upon.
struct SpaceSteps {
    /// Between two looks because something may start: a file system is not asked for each of many.
    private static let pause = TimeSpan.seconds(1)
    /// What has to be free beyond a step that was not reached, at most, so that it does not flutter.
    private static let margin: UInt64 = 16 << 20

    /// Ascending.
    private var levels: [UInt64] = []
    /// What was found then is still good for what is asked for.
    private var lastLook: Instant?
    private var hasLooked = false

    /// A task asks for so much. True: a look that was made did not go by that.
    mutating func add(_ level: UInt64) -> Bool {
        guard level > 0, !levels.contains(level) else { return false }
        levels.append(level)
        levels.sort()
        lastLook = nil
        return hasLooked
    }

    /// Somebody asks for space, and what was last found is old.
    func isLookDue(at now: Instant) -> Bool {
        !levels.isEmpty && lastLook.map { now - $0 >= Self.pause } ?? true
    }

    /// The last look was not just now.
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
