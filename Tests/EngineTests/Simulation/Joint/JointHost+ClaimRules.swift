import Engine
import Record
import TaskModel
import TestSupport

// What holds of claims after every turn, and in the end.
extension JointHost {
    /// The longest grace of a run (`Budget.defaultGrace`), and the turns of its end.
    private static let longestGrace = TimeSpan.seconds(6)

    func inspectClaims() throws {
        guard let clock = claims.store?.now else { return }
        for (identity, known) in claims.entered {
            let token = known.claim.token
            if let lost = known.lost {
                try expect(pending[identity] == nil, "\(token) was lost, and its request waits")
                guard let run = running[identity]?.run, let slot = engine.runs[run] else { continue }
                try expect(slot.expired != nil || slot.outcome != nil, "\(token) was lost, and its run goes on")
                // A kill waits for the record. A store that stalls ends its host, whose processes end with it.
                let mayWait = !mood.answers && store.isBehind
                try expect(
                    mayWait || now.instant - lost <= Self.longestGrace, "\(token) was lost, and its run does not end")
            } else {
                try expect(claims.ledger.holds(token), "a request is here without its claim \(token)")
                try expect(claims.ledger.fence(of: token).map { $0 > clock } ?? false, "\(token) is past its fence")
            }
        }
        for token in claims.ledger.tokens {
            try expect(fleet.table.protects(token), "\(token) is held here, and another host may have it")
        }
        guard count.turns % 32 == 0 else { return }
        for identity in [pending.keys, running.keys].joined() where JointClaims.isClaimed(identity) {
            try expect(claims.entered[identity] != nil, "the request \(identity) is here, and nobody claimed it")
        }
        let fault = claims.ledger.check() ?? fleet.table.check()
        try expect(fault == nil, "claims are in disorder: \(fault ?? "")")
    }

    /// Nothing fails any more: every request that was shared ends, within a number of happenings.
    func settleFleet() throws {
        let (first, open) = (fleet.steps + count.turns, fleet.table.open.count)
        while !fleet.table.open.isEmpty || claims.ledger.unansweredCount > 0 {
            let used = fleet.steps + count.turns - first
            try expect(used < 2000 + 200 * open, "\(fleet.table.open.count) shared requests do not end")
            agenda.add(.claim(.wish), at: now.instant + .minutes(10))
            try turn()
        }
        try fleet.inspectEnds()
    }
}
