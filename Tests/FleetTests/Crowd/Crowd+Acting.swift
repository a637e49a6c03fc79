import Linux
import Record
import TaskModel
import TestSupport

@testable import Fleet

// What the generator has happen.
extension Crowd {
    /// One thing happens.
    func act() {
        let host = hosts[Int.random(in: hosts.indices, using: &random)]
        switch Int.random(in: 0..<1000, using: &random) {
        case ..<470: submit(for: host)
        case ..<490: share(among: host)
        case ..<510: cancel()
        case ..<516: drain(host, true)
        case ..<522: holder().stand(stillFor: random.span(.milliseconds(200), host.lease + host.lease))
        case ..<528: (random.chance(0.5) ? teller() : holder()).die()
        case ..<534: holder().starve(for: random.span(.milliseconds(50), .seconds(1)))
        case 534: send(FleetStatement.keep) { [self] in _ = rows(of: $0) }
        default: look()
        }
    }

    /// A host of that sort, if one is found soon.
    private func find(_ isMeant: (CrowdHost) -> Bool) -> CrowdHost {
        var host = hosts[Int.random(in: hosts.indices, using: &random)]
        for _ in 0..<100 where !isMeant(host) { host = hosts[Int.random(in: hosts.indices, using: &random)] }
        return host
    }

    private func holder() -> CrowdHost { find { !$0.ledger.tokens.isEmpty } }

    /// One that has said an end, and has no answer yet.
    private func teller() -> CrowdHost { find { !$0.untold.isEmpty } }

    // MARK: Submitting

    private func newSubmission(_ identifier: String, _ labels: [String: String]) -> CrowdHistory.Submission {
        count.submissions += 1
        return CrowdHistory.Submission(number: history.submissions.count, identifier: identifier, labels: labels)
    }

    private func time() -> Timestamp? {
        guard random.chance(0.2) else { return nil }
        count.early += 1
        let milliseconds = CrowdClock.now.time.nanoseconds / 1_000_000
        return Timestamp(nanoseconds: (milliseconds + Int64.random(in: 10...400, using: &random)) * 1_000_000)
    }

    /// Somebody submits what this host could run.
    func submit(for host: CrowdHost) {
        let wanted = CrowdWorld.wanted(of: host, &random)
        var submission = newSubmission(wanted.identifier, wanted.labels)
        var request = FleetSubmission(wanted.identifier)
        request.labels = wanted.labels
        request.priority = Int16.random(in: -2...2, using: &random)
        request.earliest = time()
        if random.chance(0.3) {
            // Each name is always used with one policy.
            let name = Int.random(in: 0..<12, using: &random)
            let policy: FleetSubmission.Policy = name < 6 ? .keep : .replace
            (request.dedupe, request.policy) = ("\(policy.rawValue)\(name)", policy)
        }
        submission.dedupe = request.dedupe
        submission.policy = request.policy.rawValue
        submit(request, submission)
    }

    func submitPoison(_ place: Int) { submit(FleetSubmission(CrowdHost.poison), newSubmission(CrowdHost.poison, [:])) }

    private func submit(_ request: FleetSubmission, _ submission: CrowdHistory.Submission) {
        var (request, submission) = (request, submission)
        request.payload = Array("\(submission.number)".utf8)
        submission.earliest = request.earliest.map(CrowdHistory.microseconds) ?? 0
        history.submissions.append(submission)
        let isHeard = !isTroubled || submission.identifier == CrowdHost.poison || random.chance(0.98)
        send(request.statement) { [self] answer in
            guard isHeard else { return count.unheard += 1 }
            history.submissions[submission.number].key = rows(of: answer).first?.first?.flatMap(ULID.init(uuid:))
        }
    }

    /// A time of a schedule that is one for the fleet comes: several hosts say so.
    private func share(among host: CrowdHost) {
        let identifier = CrowdWorld.wanted(of: host, &random).identifier
        var submission = newSubmission(identifier, [:])
        count.shared += 1
        var request = TaskRequest(identifier: identifier, kind: .processing)
        request.terms.origin = .schedule
        request.terms.earliestBeginDate = time()
        request.payload = Array("\(submission.number)".utf8)
        submission.earliest = request.terms.earliestBeginDate.map(CrowdHistory.microseconds) ?? 0
        history.submissions.append(submission)
        let key = ULID(at: CrowdClock.now.time, random: (1, UInt64(submission.number)))
        sharedKeys[key] = submission.number
        let others = (0..<2).map { _ in hosts[Int.random(in: hosts.indices, using: &random)] }
        for host in [host] + others { host.share(key, request) }
    }

    /// A host was told that the fleet has it.
    func noteKept(_ key: ULID) {
        guard let number = sharedKeys[key] else { return }
        history.submissions[number].key = key
    }

    // MARK: Operators

    private func cancel() {
        guard let submission = history.submissions.suffix(100).randomElement(using: &random), let key = submission.key,
            submission.identifier != CrowdHost.poison
        else { return }
        send(ServerStatement("SELECT taskhost.cancel($1)", [.text(key.uuid)])) { [self] answer in
            if rows(of: answer).first?.first != "ended" { count.cancelled += 1 }
        }
    }

    /// The host gets nothing more, for a while; or it gets requests again.
    func drain(_ host: CrowdHost, _ isDraining: Bool) {
        guard isDraining == (host.drained == nil) else { return }
        count.drains += isDraining ? 1 : 0
        // What comes from now on may have been asked for before or after.
        host.drained = nil
        let number = count.drains
        let statement = ServerStatement(
            "SELECT taskhost.drain($1, $2)", [.text(host.name), .text(isDraining ? "t" : "f")])
        send(statement) { [self] answer in
            guard isDraining, !rows(of: answer).isEmpty else { return }
            host.drained = number
            later(random.span(.milliseconds(50), .seconds(1))) { [self] in drain(host, false) }
        }
    }

    /// An operator has a look at what was quarantined, and lets it run again.
    func releaseAll() {
        send(ServerStatement("SELECT key FROM taskhost.requests WHERE state = 'quarantined'")) { [self] answer in
            for row in rows(of: answer) {
                guard let text = row.first.flatMap({ $0 }) else { continue }
                send(ServerStatement("SELECT taskhost.release($1)", [.text(text)])) { [self] answer in
                    if rows(of: answer).first?.first == "t" { count.released += 1 }
                }
            }
        }
    }

    // MARK: Notes

    /// - Returns: the place of the start in the history.
    func noteStart(_ claim: Claim, on host: CrowdHost) -> Int {
        history.starts.append(
            CrowdHistory.Start(
                token: claim.token, host: host.index, payload: String(decoding: claim.request.payload, as: UTF8.self),
                time: CrowdHistory.microseconds(CrowdClock.now.time)))
        return history.starts.count - 1
    }

    func noteEnd(ofStart place: Int) {
        history.starts[place].end = CrowdHistory.microseconds(CrowdClock.now.time)
    }

    /// - Parameter now: both clocks, by which the end becomes a time.
    func noteBelief(_ token: ClaimToken, until end: Instant, at now: ClockReading) {
        let ahead = Int64(end.nanoseconds) - Int64(now.instant.nanoseconds)
        history.beliefs.append(CrowdHistory.Belief(token: token, end: (now.time.nanoseconds + ahead) / 1000))
    }

    func noteAnswer(_ token: ClaimToken, _ end: ClaimEnd, _ isAccepted: Bool) {
        if isAccepted { count.accepted += 1 } else { count.superseded += 1 }
        var isLast = false
        if case .ended = end { isLast = true }
        history.answers.append(CrowdHistory.Answer(token: token, isLast: isLast, isAccepted: isAccepted))
    }
}
