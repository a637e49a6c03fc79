import Linux
import TaskModel

/// How long a turn continues work that later turns can also do, so that other work does not wait for all of it. Such work
/// advances at least once a turn.
public struct TurnPortion {
    private static let length = TimeSpan.milliseconds(4)
    private let end = Clock.moment().instant + Self.length

    /// Begins now.
    public init() {}

    /// Whether the rest is left to the next turn; call it after each piece.
    public var isOver: Bool { Clock.moment().instant >= end }

    /// Processes the list from its beginning, as far as the time allows, and at least its first piece.
    ///
    /// - Returns: how many pieces are done.
    @inlinable public func work<Piece>(on list: [Piece], _ work: (Piece) -> Void) -> Int {
        var count = 0
        while count < list.count, count == 0 || !isOver {
            work(list[count])
            count += 1
        }
        return count
    }
}
