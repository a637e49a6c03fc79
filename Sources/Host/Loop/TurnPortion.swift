import Linux
import TaskModel

/// How long a turn goes on with work that the next turns can do as well, so that nobody else waits for all of it. Such work
/// is begun at least once a turn.
struct TurnPortion {
    private static let length = TimeSpan.milliseconds(4)
    private let end = Clock.moment().instant + Self.length

    /// Whether the rest is left to the next turn; asked after each piece.
    var isOver: Bool { Clock.moment().instant >= end }

    /// Does what it can of the list, from its beginning, and at least its first piece.
    ///
    /// - Returns: how many pieces are done.
    func work<Piece>(on list: [Piece], _ work: (Piece) -> Void) -> Int {
        var count = 0
        while count < list.count, count == 0 || !isOver {
            work(list[count])
            count += 1
        }
        return count
    }
}
