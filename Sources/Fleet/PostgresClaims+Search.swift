import Record
import TaskModel

// The search for requests that fit the wish.
extension PostgresClaims {
    func listen() {
        search.ask(FleetStatement.limits) { _ in }
        search.ask(FleetStatement.listen) { [unowned self] answer in
            if case .refused(let fault) = answer { return search.close(fault.message) }
            isListening = true
            if isReached { report(nil) }
            nextSign = min(nextSign, now)
            look()
        }
    }

    /// A request was submitted. One whose transaction ends a moment later wakes nobody, so there is a second look.
    func hearNews() {
        let rest = Int64.random(in: Self.echo.nanoseconds / 2...Self.echo.nanoseconds)
        echo = now + TimeSpan(nanoseconds: rest)
        look()
    }

    /// It has heard nothing for long: whether there is anything is one question, a claim and that would be two.
    func poll() {
        guard !isLooking, let host = asker(beside: leases(at: bootTime())) else { return look() }
        lookLater(host)
    }

    /// The ends of the leases that it holds at a moment.
    private func leases(at moment: Instant) -> [Instant] { held.values.filter { $0 > moment } }

    /// As whom it can ask; nil: it is not connected, or wishes for nothing more.
    private func asker(beside leases: [Instant]) -> String? {
        isReached && search.isOpen && wish.most > leases.count && !wish.identifiers.isEmpty ? host : nil
    }

    /// Asks for what fits the wish, now. A look under way is followed by another one.
    func look() {
        guard !isLooking else { return looksAgain = true }
        let moment = bootTime()
        let leases = leases(at: moment)
        guard let host = asker(beside: leases) else {
            nextLook = leases.min().map { now + ($0 - moment) } ?? .distantFuture
            return
        }
        (isLooking, looksAgain) = (true, false)
        gatheringEnd = .distantFuture
        let end = moment + member.lease
        search.ask(FleetStatement.claim(host, identifiers, most: wish.most, member.lease)) { [unowned self] answer in
            isLooking = false
            switch answer {
            case .refused(let fault): return search.close(fault.message)
            case .rows(let rows):
                for row in rows { take(row, until: end) }
                if looksAgain { look() } else if rows.isEmpty { lookLater(host) } else { pollSoon() }
            }
        }
    }

    /// A place is free again, or more could start.
    func lookForMore() {
        let free = wish.most - leases(at: bootTime()).count
        guard unansweredEnds > 0 || 2 * free < wish.most else { return look() }
        gatheringEnd = min(gatheringEnd, now + Self.gathering)
    }

    /// A claim took all that fits, as a rule: another one at once would be in vain.
    private func pollSoon() {
        isPollNext = true
        nextLook = now + Self.leastPause
    }

    func take(_ row: [String?], until end: Instant) {
        guard let claim = Claim(row: row, lease: member.lease, end: end) else {
            return report("a claimed request cannot be read; its database is of another version")
        }
        guard claim.request.payload.count <= TaskRequest.maximumPayload else {
            report(
                "request \(claim.token.key) is refused; its payload has \(claim.request.payload.count) bytes; "
                    + "pass \(TaskRequest.maximumPayload) at most, or a name for what is larger")
            return complete(claim.token, .ended(.refused), .none)
        }
        held[claim.token] = end
        tell(.claimed(claim))
    }

    func lookLater(_ host: String) {
        isLooking = true
        let asked = now
        search.ask(FleetStatement.nextFree(host, identifiers)) { [unowned self] answer in
            isLooking = false
            guard !looksAgain else { return look() }
            if case .refused(let fault) = answer { return search.close(fault.message) }
            guard case .rows(let rows) = answer else { return }
            let jitter = TimeSpan(nanoseconds: Int64.random(in: 0...Self.poll.nanoseconds / 2))
            let free = rows.first?.first?.flatMap(Double.init).map {
                max(TimeSpan(nanoseconds: Int64(min($0, 1e6) * 1e9)), Self.leastPause)
            }
            isPollNext = free ?? .unlimited > Self.poll + jitter && echo <= now
            nextLook = asked + min(free ?? .unlimited, Self.poll + jitter)
            if echo > now { nextLook = min(nextLook, echo) }
        }
    }
}
