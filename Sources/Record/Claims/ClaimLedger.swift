package import TaskModel

/// The claims that this host holds: when to renew their leases, when to give them up because no renewal comes, and what each
/// event of the store means for them. A value without clock or store; every call gives the moment, of the clock that
/// `ClaimStore` names.
///
/// A claim is held from `take` until `drop` or `complete`. What the host has said and nobody has answered is said once more
/// whenever the store is reached: the store takes it once.
package struct ClaimLedger: Sendable {
    /// The longest grace of a run (5 s, `Budget.defaultGrace`), and one second for the kill and for clocks that differ: two
    /// quartz clocks by less than 1/1000.
    package static let defaultMargin = TimeSpan.seconds(6)
    /// A lease is renewed after each such part of it: when the first renewal fails, a second one comes before the fence.
    private static let renewalsPerLease: Int64 = 3

    /// So long before the end of its lease a claim is fenced: the host must have ended its run by then.
    package let margin: TimeSpan
    private var held: [ClaimToken: Claim] = [:]
    private var ends: [ClaimToken: ClaimEnd] = [:]
    private var submissions: [ULID: TaskRequest] = [:]
    /// Otherwise nothing is said, and fences come.
    package private(set) var isReached = true
    /// `distantFuture` while no claim is held.
    private var renewal = Instant.distantFuture
    /// What the host has to do, in order, until `removeDecisions`.
    package private(set) var decisions: [ClaimDecision] = []

    package init(margin: TimeSpan = Self.defaultMargin) { self.margin = margin }

    /// They have been carried out.
    package mutating func removeDecisions() { decisions.removeAll(keepingCapacity: true) }

    // MARK: Looking

    /// The host may work on it.
    package func holds(_ token: ClaimToken) -> Bool { held[token] != nil }

    /// Claims that are held, in the order of their keys.
    package var tokens: [ClaimToken] { held.keys.sorted() }

    /// When the claim is given up unless a renewal comes; nil: it is not held.
    package func fence(of token: ClaimToken) -> Instant? { held[token].map(fence(of:)) }

    /// Ends and submissions that nobody has answered.
    package var unansweredCount: Int { ends.count + submissions.count }

    /// When `advance` has something to do; `distantFuture` when only an event can bring news.
    package var nextDeadline: Instant {
        guard !held.isEmpty else { return .distantFuture }
        let fence = held.values.map(fence(of:)).min() ?? .distantFuture
        return isReached ? min(fence, renewal) : fence
    }

    // MARK: Time

    /// Gives up what has reached its fence, then renews what is left if it is time.
    package mutating func advance(to now: Instant) {
        guard nextDeadline <= now else { return }
        for token in tokens where held[token].map({ fence(of: $0) <= now }) ?? false { drop(token, .fenced) }
        if isReached, renewal <= now { renew(at: now) }
    }

    // MARK: The host

    /// Shares a request with the fleet.
    package mutating func submit(_ key: ULID, _ request: TaskRequest) {
        submissions[key] = request
        if isReached { decisions.append(.submit(key, request)) }
    }

    /// The host is done with a claim: its request has ended, or goes back. Call it once the host's own record says so.
    ///
    /// - Returns: whether it was held; otherwise this is nothing.
    package mutating func complete(_ token: ClaimToken, _ end: ClaimEnd) -> Bool {
        guard release(token) else { return false }
        say(token, end)
        return true
    }

    /// Says again what an earlier life of the host said, which nobody has answered. Call it before the first event.
    package mutating func `repeat`(_ token: ClaimToken, _ end: ClaimEnd) { say(token, end) }

    // MARK: The store

    package mutating func handle(_ event: ClaimEvent, at now: Instant) {
        switch event {
        case .claimed(let claim): take(claim, at: now)
        case .renewed(let tokens, let end):
            for token in tokens { extend(token, to: end) }
        case .leaseLost(let token): drop(token, .taken)
        case .completed(let token, let isAccepted):
            guard ends.removeValue(forKey: token) != nil else { return }
            decisions.append(.completed(token, isAccepted: isAccepted))
        case .submitted(let key):
            guard submissions.removeValue(forKey: key) != nil else { return }
            decisions.append(.submitted(key))
        case .outOfReach: isReached = false
        case .reached:
            isReached = true
            if !held.isEmpty { renew(at: now) }
            for (token, end) in ends.sorted(by: { $0.key < $1.key }) { decisions.append(.complete(token, end)) }
            for (key, request) in submissions.sorted(by: { $0.key < $1.key }) {
                decisions.append(.submit(key, request))
            }
        }
    }

    private mutating func take(_ claim: Claim, at now: Instant) {
        guard held[claim.token] == nil, ends[claim.token] == nil else { return }
        // A newer claim says that the older one is over.
        for older in tokens where older.key == claim.token.key { drop(older, .taken) }
        // It was under way for too long: it goes back, unharmed.
        guard fence(of: claim) > now else { return say(claim.token, .waits(claim.request, pause: .zero)) }
        held[claim.token] = claim
        renewal = min(renewal, Self.moment(claim.lease - part(of: claim), before: claim.end))
        decisions.append(.take(claim))
    }

    private mutating func extend(_ token: ClaimToken, to end: Instant) {
        guard let claim = held[token], claim.end < end else { return }
        held[token]?.end = end
    }

    // MARK: Helpers

    private func fence(of claim: Claim) -> Instant { Self.moment(margin, before: claim.end) }

    private static func moment(_ span: TimeSpan, before end: Instant) -> Instant {
        Instant(nanoseconds: end.nanoseconds - min(end.nanoseconds, UInt64(max(0, span.nanoseconds))))
    }

    private func part(of claim: Claim) -> TimeSpan {
        TimeSpan(nanoseconds: max(1, claim.lease.nanoseconds / Self.renewalsPerLease))
    }

    private mutating func renew(at now: Instant) {
        renewal = now + (held.values.map(part(of:)).min() ?? .unlimited)
        decisions.append(.renew(tokens))
    }

    private mutating func say(_ token: ClaimToken, _ end: ClaimEnd) {
        ends[token] = end
        if isReached { decisions.append(.complete(token, end)) }
    }

    private mutating func drop(_ token: ClaimToken, _ loss: ClaimLoss) {
        if release(token) { decisions.append(.drop(token, loss)) }
    }

    private mutating func release(_ token: ClaimToken) -> Bool {
        guard held.removeValue(forKey: token) != nil else { return false }
        if held.isEmpty { renewal = .distantFuture }
        return true
    }

    // MARK: Checking

    /// The first rule that does not hold, as a clause; nil: all do. Takes time for everything that there is.
    package func check() -> String? {
        if held.isEmpty != (renewal == .distantFuture) { return "\(held.count) claims, and a renewal at \(renewal)" }
        if Set(held.keys.map(\.key)).count < held.count { return "a request is held with two tokens" }
        if let token = ends.keys.first(where: holds) { return "\(token) is held, and its end was said" }
        return nil
    }
}
