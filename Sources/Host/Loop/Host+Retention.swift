import Store
import TaskModel

// Forgetting old runs, a little at a time.
extension Host {
    /// Runs looked at in one turn: their removal is part of the turn's commit, and must not hold it up.
    private static let prunedAtOnce = 500
    /// Between two looks once nothing was left to forget.
    private static let pruningPause = TimeSpan.minutes(1)

    /// Forgets what is due. Call before the turn's own writes: then no run is forgotten that somebody is still to be told of.
    func pruneIfDue() throws(StoreError) {
        guard now.instant >= nextPruning else { return }
        // With more to forget the next turn goes on, whenever something else makes one: nothing waits for this.
        if try prune() == 0 { nextPruning = now.instant + Self.pruningPause }
    }

    /// Forgets one turn's worth, at the host's end too, so that short-lived hosts keep the record bounded.
    func pruneOnce() throws(StoreError) {
        _ = try prune()
        try store.commit()
    }

    private func prune() throws(StoreError) -> Int {
        let oldest = Timestamp(nanoseconds: now.time.nanoseconds - configuration.retentionAge.nanoseconds)
        return try store.prune(
            endedBefore: oldest, keepingNewest: configuration.retentionCount, limit: Self.prunedAtOnce)
    }
}
