import TaskModel

/// Whether a turn's commit waits for the disk, or a thread does while the loop goes on.
struct SyncPace {
    /// Syncs that take this long keep the loop from warnings, kills and answers that are due.
    private static let slow = TimeSpan.milliseconds(2)
    /// Where they take less, handing them over would cost more than it wins: some 0.1 ms each.
    private static let fast = TimeSpan.milliseconds(1)
    /// So many syncs in a row decide: a single one may have waited for a processor.
    private static let enough = 8

    private var inARow = 0
    private(set) var overlaps = false

    /// A sync, or a commit with one, has taken this long.
    mutating func observe(_ span: TimeSpan) {
        let speaksForChange = overlaps ? span < Self.fast : span >= Self.slow
        inARow = speaksForChange ? inARow + 1 : 0
        guard inARow == Self.enough else { return }
        overlaps.toggle()
        inARow = 0
    }
}
