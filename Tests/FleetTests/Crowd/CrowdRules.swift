import Record
import TaskModel

/// What has to hold of every history of a fleet. Each rule says what does not.
struct CrowdRules {
    struct Rule: Sendable {
        var name: String
        var faults: @Sendable (CrowdRules) -> [String]
    }

    /// A clock that is set in small steps, and roundings; microseconds.
    static let slack: Int64 = 2000

    static let all = [
        Rule(name: "one accepted end of a token") { $0.acceptedOnce() },
        Rule(name: "one end of a request") { $0.endedOnce() },
        Rule(name: "no request is lost") { $0.nothingLost() },
        Rule(name: "no start before its time") { $0.nothingEarly() },
        Rule(name: "only hosts that can") { $0.ableHosts() },
        Rule(name: "each start has a token") { $0.ownTokens() },
        Rule(name: "tokens only grow") { $0.growingTokens() },
        Rule(name: "one lease at a time") { $0.oneLease() },
        Rule(name: "hosts believe in no longer lease") { $0.trueBeliefs() },
        Rule(name: "no more leases than wished for") { $0.boundedLeases() },
        Rule(name: "answers are those of the history") { $0.trueAnswers() },
        Rule(name: "dedupe is kept") { $0.dedupe() },
        Rule(name: "quarantine after five losses") { $0.quarantine() },
        Rule(name: "no claim of a host that drains") { $0.drains() },
        Rule(name: "engines are in order") { $0.history.disorders },
        Rule(name: "nothing is refused") { $0.history.refusals },
    ]

    let history: CrowdHistory
    /// By their requests, in order.
    let changes: [ULID: [CrowdHistory.Change]]

    init(_ history: CrowdHistory) {
        self.history = history
        changes = Dictionary(grouping: history.changes, by: \.key)
    }

    /// What does not hold, as sentences; `most` of each rule.
    static func check(_ history: CrowdHistory, most: Int = 3) -> [String] {
        let rules = CrowdRules(history)
        return all.flatMap { rule in rule.faults(rules).map { "\(rule.name): \($0)" }.prefix(most) }
    }

    /// What was asked for with the payload; nil: nobody did.
    func submission(_ payload: String) -> CrowdHistory.Submission? {
        Int(payload).flatMap { history.submissions.indices.contains($0) ? history.submissions[$0] : nil }
    }

    /// The claims of each request, as the database made them.
    func claims(of key: ULID) -> [CrowdHistory.Change] {
        var number: Int64 = 0
        return (changes[key] ?? []).filter { change in
            guard change.leased, change.number > number else { return false }
            number = change.number
            return true
        }
    }
}

// MARK: - Ends

extension CrowdRules {
    fileprivate func acceptedOnce() -> [String] {
        let counts = Dictionary(grouping: history.runs.filter(\.accepted), by: \.token)
        return counts.filter { $0.value.count > 1 }.map { "\($0.key) has \($0.value.count)" }
    }

    fileprivate func endedOnce() -> [String] {
        // Tries that went back.
        let tries = Set(history.changes.filter { !$0.leased && !$0.ended }.map(\.token))
        let ends = Dictionary(
            grouping: history.runs.filter { $0.accepted && !tries.contains($0.token) }, by: \.token.key)
        return history.requests.compactMap { request in
            guard request.state == "ended" else { return "\(request.key) is \(request.state)" }
            let mine = ends[request.key] ?? []
            guard mine.count == 1 else { return "\(request.key) has \(mine.count)" }
            guard mine[0].token.number == request.number, mine[0].outcome == request.outcome else {
                return "\(request.key) ended as \(request.number) \(request.outcome), not as \(mine[0])"
            }
            return nil
        }
    }

    fileprivate func trueAnswers() -> [String] {
        let accepted = Set(history.runs.filter(\.accepted).map(\.token))
        let numbers = Dictionary(history.requests.map { ($0.key, $0.number) }) { first, _ in first }
        return history.answers.compactMap { answer in
            guard answer.isAccepted == accepted.contains(answer.token) else {
                return "\(answer.token) was told \(answer.isAccepted)"
            }
            guard answer.isAccepted, answer.isLast, numbers[answer.token.key] != answer.token.number else { return nil }
            return "\(answer.token) ended a request that went on"
        }
    }

    // MARK: Requests

    fileprivate func nothingLost() -> [String] {
        let known = Set(history.requests.map(\.key))
        let lost = history.submissions.compactMap(\.key).filter { !known.contains($0) }.map { "\($0) is lost" }
        let strange = known.filter { key in changes[key]?.first.flatMap { submission($0.payload) } == nil }
        return lost + strange.map { "\($0) was never submitted" }
    }

    fileprivate func dedupe() -> [String] {
        var faults: [String] = []
        // The request of each name that stands in the way of others, in the order of changes.
        var standing: [String: ULID] = [:]
        var names: [ULID: (name: String, policy: String)] = [:]
        for change in history.changes {
            if names[change.key] == nil, let asked = submission(change.payload), let name = asked.dedupe {
                names[change.key] = ("\(asked.identifier)/\(name)", asked.policy)
            }
            guard let (name, policy) = names[change.key], policy != "allow" else { continue }
            if policy == "keep" ? change.ended : change.number > 0 {
                if standing[name] == change.key { standing[name] = nil }
            } else if let other = standing[name], other != change.key {
                faults.append("\(change.key) and \(other) are both there with \(name)")
            } else {
                standing[name] = change.key
            }
        }
        // What was replaced does not run.
        let payloads = Dictionary(history.changes.filter(\.leased).map { ($0.token, $0.payload) }) { first, _ in first }
        for start in history.starts where payloads[start.token].map({ $0 != start.payload }) ?? false {
            faults.append("\(start.token) ran as \(start.payload)")
        }
        return faults
    }
}

// MARK: - Starts

extension CrowdRules {
    fileprivate func nothingEarly() -> [String] {
        let starts = history.starts.compactMap { start in
            submission(start.payload).flatMap { asked -> String? in
                guard start.time < asked.earliest else { return nil }
                return "\(start.token) started \(asked.earliest - start.time) us early"
            }
        }
        let claims = changes.keys.flatMap(claims(of:)).compactMap { claim -> String? in
            guard let asked = submission(claim.payload), let time = claim.claimed, time < asked.earliest else {
                return nil
            }
            return "\(claim.token) was claimed \(asked.earliest - time) us early"
        }
        return starts + claims
    }

    fileprivate func ableHosts() -> [String] {
        history.starts.compactMap { start in
            guard let asked = submission(start.payload) else { return "\(start.token) has no submission" }
            let member = history.members[start.host]
            let isThere = asked.labels.allSatisfy { member.labels[$0.key] == $0.value }
            guard isThere, member.identifiers.contains(asked.identifier) else {
                return "\(start.token) of \(asked.identifier) \(asked.labels) ran on host \(start.host)"
            }
            return nil
        }
    }

    /// A host may try again what it has: one run after the other.
    fileprivate func ownTokens() -> [String] {
        let holders = Dictionary(history.changes.filter(\.leased).map { ($0.token, $0.holder) }) { first, _ in first }
        var last: [ClaimToken: CrowdHistory.Start] = [:]
        return history.starts.compactMap { start in
            guard let holder = holders[start.token].flatMap({ $0 }), history.lives[holder] == start.host else {
                return "\(start.token) ran on host \(start.host), whose it was not"
            }
            guard let before = last.updateValue(start, forKey: start.token) else { return nil }
            guard let end = before.end, end <= start.time else { return "\(start.token) ran twice at once" }
            return nil
        }
    }

    fileprivate func drains() -> [String] { history.drained.map { "\($0) was given to a host that drains" } }
}
