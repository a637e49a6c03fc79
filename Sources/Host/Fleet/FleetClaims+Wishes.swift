import Record
import Scheduling
import Setting
import TaskModel

// What this host could start.
extension FleetClaims {
    /// Nothing of the identifier is claimed for a while.
    func refuse(_ identifier: String, for span: TimeSpan) {
        refused[identifier] = decider.machine.instant + span
        isWishDue = true
        renewWish()
    }

    /// Tells the store what could start from now on, if that is something else than before.
    func renewWish() {
        if !refused.isEmpty {
            let count = refused.count
            refused = refused.filter { $0.value > decider.machine.instant }
            if refused.count < count { isWishDue = true }
        }
        let present = decider.openness(upTo: most)
        guard isWishDue || present != openness else { return }
        isWishDue = false
        openness = present
        let new = decider.isStopping ? .none : makeWish(present)
        guard new != wish else { return }
        wish = new
        store.claim(new)
    }

    /// An identifier runs once at a time: those of which a second claim waits already are left out, and there is no more to
    /// claim than there are identifiers.
    private func makeWish(_ openness: Scheduler.Openness) -> ClaimWish {
        var identifiers: Set<String> = []
        var kinds = KindSet()
        let queued = Set(queue.map(\.claim.request.identifier))
        for task in installed.tasks.indices where decider.couldStart(task) {
            let definition = installed.tasks[task].definition
            guard refused[definition.identifier] == nil, !queued.contains(definition.identifier) else { continue }
            identifiers.insert(definition.identifier)
            kinds.insert(KindSet(definition.kind))
        }
        let room = min(openness.room(for: kinds) - waitingCount, identifiers.count)
        return room > 0 ? ClaimWish(identifiers, most: min(most, ledger.tokens.count + room)) : .none
    }
}
