import Scheduling
import Store
import TaskModel

// Forgetting old runs, a little at a time.
extension Host {
    /// Runs looked at in one turn: their removal is part of the turn's commit, and must not hold it up.
    private static let prunedAtOnce = 500
    /// Between two looks once nothing was left to forget.
    private static let pruningPause = TimeSpan.minutes(1)

    /// Concrete identifiers of wildcards that are asked for before unused ones are looked for.
    static let identifiersBetweenSweeps = 1000

    /// Forgets what is due. Call before the turn's own writes: then no run is forgotten that somebody is still to be told of.
    func pruneIfDue() throws(StoreError) {
        if requests.concreteIdentifiers >= Self.identifiersBetweenSweeps { try pruneIdentifiers() }
        guard now.instant >= nextPruning else { return }
        // With more to forget the next turn goes on, whenever something else makes one: nothing waits for this.
        if try prune() == 0 { nextPruning = now.instant + Self.pruningPause }
    }

    /// Forgets one turn's worth, at the host's end too, so that short-lived hosts keep the record bounded.
    func pruneOnce() throws(StoreError) {
        _ = try prune()
        try store.commit()
    }

    /// An application may ask under a new identifier each time, and for ever: what nobody names any more goes.
    private func pruneIdentifiers() throws(StoreError) {
        requests.concreteIdentifiers = 0
        let named = tasks.count + scheduler.pendingCount + scheduler.runningCount
        guard try store.identifierCount() >= named + Self.identifiersBetweenSweeps else { return }
        var held = Set(tasks.map(\.row))
        held.formUnion(extras.compactMap(\.identity))
        for handle in scheduler.pending(application: nil) + requests.runs.keys {
            if let view = scheduler.request(handle) { held.insert(view.request.identity) }
        }
        _ = try store.pruneIdentifiers(except: held)
    }

    private func prune() throws(StoreError) -> Int {
        let oldest = retentionClock.time(at: now) - configuration.retentionAge
        return try store.prune(
            endedBefore: oldest, keepingNewest: configuration.retentionCount, limit: Self.prunedAtOnce)
    }
}
