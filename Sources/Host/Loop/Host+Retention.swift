import Engine
import Record
import Scheduling
import Store
import TaskModel

// Forgetting old runs, a little at a time.
extension Host {
    /// Rows that are looked at together.
    private static let lookedAtOnce = 500

    /// Concrete identifiers of wildcards that are asked for before unused ones are looked for.
    static let identifiersBetweenSweeps = 1000

    /// Forgets what is due. Call before the turn's own writes: then no run is forgotten that somebody is still to be told of.
    ///
    /// - Parameter isIdle: the turn has nothing to write.
    func pruneIfDue(isIdle: Bool) throws(StoreError) {
        if requests.concreteIdentifiers >= Self.identifiersBetweenSweeps { try pruneIdentifiers() }
        guard pace.isDue(at: now.instant) else { return }
        if forgettable.isEmpty {
            forgettable = try store.findForgettable(
                endedBefore: oldest(), keepingNewest: configuration.retentionCount, limit: Self.lookedAtOnce)
            pace.looked(foundAny: !forgettable.isEmpty, at: now.instant)
        }
        let added = work.count { action in
            guard case .insert = action else { return false }
            return true
        }
        let found = forgettable.count
        try store.forget(&forgettable, limit: pace.portion(isIdle: isIdle, runsAdded: added))
        if forgettable.count < found { wantSmall() }
    }

    /// Forgets one turn's worth, at the host's end too, so that short-lived hosts keep the record bounded.
    func pruneOnce() throws(StoreError) {
        _ = try store.prune(
            endedBefore: oldest(), keepingNewest: configuration.retentionCount, limit: Self.lookedAtOnce)
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

    private func oldest() -> Timestamp { retentionClock.time(at: now) - configuration.retentionAge }
}
