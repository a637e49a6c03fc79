package import TaskModel

/// How many old rows a turn forgets. Their removal is part of the turn's commit: under load a turn forgets little, so that
/// what it is there for does not wait, and yet more than it adds; the rest is forgotten while nothing else happens, in turns
/// that are made for it.
package struct PruningPace {
    /// Rows of a turn that has something else to write, beside one for each run that it adds.
    package static let underLoad = 2
    /// Rows of a turn that has nothing else to write: about a millisecond.
    package static let whenIdle = 128
    /// From the last turn to one that is made for forgetting.
    package static let rest = TimeSpan.milliseconds(20)
    /// Between two looks once nothing was left to forget.
    package static let pause = TimeSpan.minutes(1)

    /// When old rows are looked for again; the first turn does.
    private(set) var nextLook = Instant(nanoseconds: 0)
    /// There is more to forget, or may be.
    private(set) var hasBacklog = false

    package init() {}

    /// When a turn is to be made, though nothing happens; `now`: of the last turn.
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
