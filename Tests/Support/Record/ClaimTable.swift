package import Record
package import TaskModel

/// The truth about the requests that several hosts share, in memory: each host has a `MemoryClaims` on it. It stands still until
/// `advance` moves its clock, by which leases end.
package final class ClaimTable {
    /// A request of the fleet.
    package struct Row {
        package enum State: Equatable {
            case waiting
            case leased(holder: Int)
            case ended(Outcome)
        }

        package fileprivate(set) var request: TaskRequest
        package fileprivate(set) var state = State.waiting
        /// Of the newest token; 0 before the first.
        package fileprivate(set) var number: Int64 = 0
        /// From then on a host may claim it: its pause is over, or the lease of its holder.
        package fileprivate(set) var free: Instant
        /// Leases that ended without a word, which another claim found.
        package fileprivate(set) var losses: UInt32 = 0
        /// Ends that were accepted, by the numbers of their tokens, for those who ask again.
        fileprivate var accepted: Set<Int64> = []
    }

    package private(set) var now: Instant
    /// The length of each.
    package let lease: TimeSpan
    package private(set) var rows: [ULID: Row] = [:]
    /// Those that have not ended, oldest first.
    package private(set) var open: [ULID] = []
    /// Completions that came too late.
    package private(set) var superseded = 0
    private var hosts: [Weak] = []
    private var joined = 0
    /// The next moment at which something happens; nil: it has to be found.
    private var next: Instant?

    /// A host that is gone leaves its calls alone.
    private struct Weak {
        weak var claims: MemoryClaims?
    }

    package init(lease: TimeSpan, now: Instant = Instant(nanoseconds: 1 << 40)) {
        self.lease = lease
        self.now = now
    }

    /// - Returns: the number of the host, which none had before.
    func join(_ claims: MemoryClaims) -> Int {
        hosts.removeAll { $0.claims == nil }
        hosts.append(Weak(claims: claims))
        joined += 1
        changed()
        return joined
    }

    // MARK: Time

    /// The next moment at which a call arrives or a host looks for requests.
    package var nextHappening: Instant {
        if let next { return next }
        var first = Instant.distantFuture
        for host in hosts { first = min(first, host.claims?.nextStep ?? .distantFuture) }
        next = first
        return first
    }

    /// Something else may be the next to happen.
    func changed() { next = nil }

    /// Has everything happen that is due by then, in its order.
    package func advance(to moment: Instant) {
        while nextHappening <= moment {
            now = max(now, nextHappening)
            changed()
            hosts.lazy.compactMap(\.claims).first { $0.nextStep <= self.now }?.step()
        }
        now = max(now, moment)
        for host in hosts { host.claims?.signal() }
    }

    // MARK: What stores ask

    func submit(_ key: ULID, _ request: TaskRequest) {
        guard rows[key] == nil else { return }
        var request = request
        (request.identity, request.submitted, request.running) = (0, Timestamp(nanoseconds: 0), nil)
        request.trace = nil
        rows[key] = Row(request: request, free: now)
        open.append(key)
    }

    /// When a request becomes free that fits the wish; nil: none will by itself.
    func firstFree(for wish: ClaimWish, of holder: Int) -> Instant? {
        guard !open.isEmpty, wish.most > 0 else { return nil }
        let fitting = open.compactMap { key in
            rows[key].flatMap { wish.identifiers.contains($0.request.identifier) ? $0.free : nil }
        }
        guard let first = fitting.min(), room(in: wish, of: holder) == 0 else { return fitting.min() }
        // There is room again when one of its own leases has ended.
        let own = open.compactMap { key in rows[key].flatMap { $0.state == .leased(holder: holder) ? $0.free : nil } }
        return max(first, own.filter { $0 > now }.min() ?? now)
    }

    /// What fits the wish and is free, with new tokens.
    func claim(_ wish: ClaimWish, for holder: Int) -> [(token: ClaimToken, row: Row)] {
        let free = open.filter { key in
            rows[key].map { $0.free <= now && wish.identifiers.contains($0.request.identifier) } ?? false
        }
        return free.prefix(room(in: wish, of: holder)).compactMap { key in
            guard var row = rows[key] else { return nil }
            if row.state != .waiting { row.losses += 1 }
            row.number += 1
            row.state = .leased(holder: holder)
            row.free = now + lease
            rows[key] = row
            return (ClaimToken(key: key, number: row.number), row)
        }
    }

    /// Its own leases count until they end.
    private func room(in wish: ClaimWish, of holder: Int) -> Int {
        guard wish.most > 0 else { return 0 }
        return max(
            0, wish.most - open.count { rows[$0].map { $0.state == .leased(holder: holder) && $0.free > now } ?? false }
        )
    }

    /// Whether the lease goes on, a whole one from now.
    func renew(_ token: ClaimToken) -> Bool {
        guard isNewest(token) else { return false }
        rows[token.key]?.free = now + lease
        return true
    }

    /// Whether the end counts.
    func complete(_ token: ClaimToken, _ end: ClaimEnd) -> Bool {
        if rows[token.key]?.accepted.contains(token.number) == true { return true }
        guard isNewest(token) else {
            superseded += 1
            return false
        }
        rows[token.key]?.accepted.insert(token.number)
        switch end {
        case .ended(let outcome):
            rows[token.key]?.state = .ended(outcome)
            open.removeAll { $0 == token.key }
        case .waits(let request, let pause):
            rows[token.key]?.request.attempt = request.attempt
            rows[token.key]?.request.failures = request.failures
            rows[token.key]?.request.deferrals = request.deferrals
            rows[token.key]?.state = .waiting
            rows[token.key]?.free = now + pause
        }
        return true
    }

    /// It is the newest claim of a request that goes on, whether or not its lease has ended.
    private func isNewest(_ token: ClaimToken) -> Bool {
        guard let row = rows[token.key], row.number == token.number, case .leased = row.state else { return false }
        return true
    }

    /// Whoever submitted it takes it back: its newest claim is over.
    package func cancel(_ key: ULID) {
        guard let row = rows[key], open.contains(key) else { return }
        changed()
        rows[key]?.number = row.number + 1
        rows[key]?.state = .ended(.cancelled)
        open.removeAll { $0 == key }
    }

    // MARK: Looking

    /// No other host may have the request: the lease goes on by this clock, or the request has ended for all.
    package func protects(_ token: ClaimToken) -> Bool {
        guard let row = rows[token.key] else { return false }
        if case .ended = row.state { return true }
        return isNewest(token) && row.free > now
    }

    /// The first rule that does not hold, as a clause; nil: all do.
    package func check() -> String? {
        for (key, row) in rows {
            if case .ended = row.state {
                if open.contains(key) { return "\(key) has ended and is open" }
            } else if !open.contains(key) {
                return "\(key) is lost"
            }
            if row.accepted.contains(where: { $0 > row.number }) {
                return "\(key) has an end of a token that it never had"
            }
            if Int64(row.losses) + Int64(row.accepted.count) > row.number {
                return "a claim of \(key) was lost and counted"
            }
        }
        return nil
    }
}
