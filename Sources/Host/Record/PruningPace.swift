package import TaskModel

/// How many old rows a turn deletes. The deletion is part of the turn's commit: under load a turn deletes few rows, so that
/// its own work does not wait, but more than it adds. An idle host deletes the rest in extra turns.
package struct PruningPace {
    /// Rows of a turn with other writes, in addition to one for each run that it adds.
    package static let underLoad = 2
    /// Rows of a turn that has nothing else to write: about a millisecond.
    package static let whenIdle = 128
    /// From the last turn to one that is made for forgetting.
    package static let rest = TimeSpan.milliseconds(20)
    /// The pause before the next check when nothing was left to delete.
    package static let pause = TimeSpan.minutes(1)

    /// When old rows are looked for again; the first turn does.
    private(set) var nextLook = Instant(nanoseconds: 0)
    /// There is more to forget, or may be.
    private(set) var hasBacklog = false

    package init() {}

    /// When to make a turn without an event; `now`: of the last turn.
    package func deadline(after now: Instant) -> Instant { hasBacklog ? now + Self.rest : .distantFuture }

    package func isDue(at now: Instant) -> Bool { hasBacklog || now >= nextLook }

    /// Rows that this turn may forget.
    package func portion(isIdle: Bool, runsAdded: Int) -> Int { isIdle ? Self.whenIdle : Self.underLoad + runsAdded }

    /// Old rows were looked for.
    package mutating func looked(foundAny: Bool, at now: Instant) {
        hasBacklog = foundAny
        if !foundAny { nextLook = now + Self.pause }
    }
}
