import Record
import TaskModel

// Leases and tokens.
extension CrowdRules {
    private func neighbors(_ judge: (CrowdHistory.Change, CrowdHistory.Change) -> String?) -> [String] {
        changes.values.flatMap { list in zip(list, list.dropFirst()).compactMap(judge) }
    }

    func growingTokens() -> [String] {
        neighbors { old, new in
            if old.ended { return "\(old.key) changed after its end" }
            if new.number < old.number || new.number > old.number + 1 {
                return "\(old.key) went from \(old.number) to \(new.number)"
            }
            if new.leased, new.number == old.number, !old.leased || new.holder != old.holder {
                return "\(new.token) has another holder, or one again"
            }
            return nil
        }
    }

    /// A claim comes when the lease before it is over, or the pause.
    func oneLease() -> [String] {
        neighbors { old, new in
            guard new.leased, new.number > old.number else { return nil }
            guard !old.quarantined else { return "\(new.token) was claimed out of its quarantine" }
            guard let time = new.claimed, time >= old.free else {
                return "\(new.token) was claimed before \(old.leased ? "the lease" : "the pause") before it was over"
            }
            return nil
        }
    }

    func trueBeliefs() -> [String] {
        var ends: [ClaimToken: Int64] = [:]
        for change in history.changes where change.leased {
            ends[change.token] = max(ends[change.token] ?? .min, change.free)
        }
        return history.beliefs.compactMap { belief in
            guard let end = ends[belief.token] else { return "\(belief.token) was never leased" }
            guard belief.end > end + Self.slack else { return nil }
            return "\(belief.token) is believed to last \(belief.end - end) us too long"
        }
    }

    /// At each claim its host has no more than it ever wishes for. Of a host that has not heard all answers, two calls may be under
    /// way at once; one whose lease was over and went on may have it beside the claim that did not count it.
    func boundedLeases() -> [String] {
        var faults: [String] = []
        var held: [Int64: [ULID: (free: Int64, number: Int64)]] = [:]
        var others = history.deaf
        var last: [ULID: CrowdHistory.Change] = [:]
        for change in history.changes {
            let old = last.updateValue(change, forKey: change.key)
            if let old, old.leased, let holder = old.holder { held[holder]?[change.key] = nil }
            guard change.leased, let holder = change.holder, let host = history.lives[holder] else { continue }
            held[holder, default: [:]][change.key] = (change.free, change.number)
            let member = history.members[host]
            if let old, old.leased, old.number == change.number {
                if change.free - member.lease >= old.free { others.insert(holder) }
                continue
            }
            guard !others.contains(holder), let time = change.claimed else { continue }
            let count = held[holder]?.values.count { $0.free > time } ?? 0
            if count > member.most { faults.append("host \(host) had \(count) leases of \(member.most)") }
        }
        return faults
    }

    /// Losses are those in a row, and five of them are needed.
    func quarantine() -> [String] {
        var faults: [String] = []
        for (key, list) in changes {
            var losses = 0
            var old: CrowdHistory.Change?
            for change in list {
                defer { old = change }
                guard let old, !change.ended else { continue }
                if change.quarantined, !old.quarantined {
                    losses += 1
                    if !old.leased || losses < 5 { faults.append("\(key) is quarantined after \(losses) losses") }
                } else if old.quarantined, !change.quarantined {
                    losses = 0
                } else if change.number > old.number, old.leased {
                    losses += 1
                    if losses >= 5 { faults.append("\(key) is claimed after \(losses) losses") }
                } else if old.leased, !change.leased {
                    losses = 0
                }
                if change.losses != losses { faults.append("\(key) has \(change.losses) losses and had \(losses)") }
            }
        }
        return faults
    }
}
