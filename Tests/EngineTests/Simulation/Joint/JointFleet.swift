import Record
import TaskModel
import TestSupport

/// What happens between the joint host and the fleet.
enum ClaimHappening {
    /// The claimed request has waited here for long enough: it goes back.
    case patience(ClaimToken)
    /// What the host can start has changed.
    case wish
    /// The machine sleeps: leases go on, runs do not.
    case sleep
    /// The connection breaks.
    case cut
    /// The host dies if it holds any.
    case death
    /// Whoever shared it takes it back.
    case recall(ULID)
}

/// The other hosts, what all of them share, and what is known of it from outside. Time goes by the table's clock.
final class JointFleet {
    let table: ClaimTable
    let rivals: [JointRival]
    /// Of claims alone.
    var fortune: SeededGenerator
    /// The keys of requests of which a host was told that the fleet has them.
    private var kept: Set<ULID> = []
    /// The token whose end of the request was accepted, as some host was told.
    private var ended: [ULID: ClaimToken] = [:]
    private var number: UInt64 = 0
    /// Moments at which something happened.
    private(set) var steps = 0
    var count = Count()

    struct Count {
        var shared = 0
        /// Claims of the joint host, and of others.
        var claims = 0
        var rivals = 0
        /// Claims of the joint host for what another host had left without a word.
        var takenOver = 0
        /// Claims of the joint host that were over before it was done: the store said so, or no renewal came.
        var taken = 0
        var fenced = 0
        /// Of these, those that ran; claims that it held as it ended.
        var cutShort = 0
        var left = 0
        /// Claims that waited for another one of their task, and those that went back.
        var queued = 0
        var returned = 0
        /// Ends of the joint host that counted, and ends of any host that came too late.
        var accepted = 0
        var superseded = 0
        var cuts = 0
        var sleeps = 0

        static func += (a: inout Count, b: Count) {
            a.shared += b.shared
            a.claims += b.claims
            a.rivals += b.rivals
            a.takenOver += b.takenOver
            a.taken += b.taken
            a.fenced += b.fenced
            a.cutShort += b.cutShort
            a.left += b.left
            a.queued += b.queued
            a.returned += b.returned
            a.accepted += b.accepted
            a.superseded += b.superseded
            a.cuts += b.cuts
            a.sleeps += b.sleeps
        }

        var all: [Int] {
            [
                shared, claims, rivals, takenOver, taken, fenced, cutShort, left, queued, returned, accepted,
                superseded, cuts, sleeps,
            ]
        }
    }

    init(seed: UInt64, identifiers: [String]) throws {
        var fortune = SeededGenerator(seed: seed)
        let table = ClaimTable(lease: fortune.span(.seconds(30), .minutes(4)))
        self.table = table
        // The first one installs everything, so that each request has a host.
        rivals = try (0..<Int.random(in: 1...2, using: &fortune)).map { place in
            let own = identifiers.filter { _ in place == 0 || fortune.chance(0.5) }
            return try JointRival(table, seed: fortune.next(), identifiers: Set(own))
        }
        self.fortune = fortune
    }

    func newKey() -> ULID {
        number += 1
        return ULID(high: 0, low: number)
    }

    func uniform(_ shortest: TimeSpan, _ longest: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: Int64.random(in: shortest.nanoseconds...longest.nanoseconds, using: &fortune))
    }

    /// For how long a host sleeps or is cut off: its leases end in the longer half of it.
    func trouble() -> TimeSpan { uniform(.seconds(1), TimeSpan(nanoseconds: table.lease.nanoseconds * 2)) }

    /// Nothing fails from now on.
    func calm() {
        for rival in rivals { rival.isCalm = true }
    }

    // MARK: Time

    /// Lets time pass, for so long or until the host has an event.
    ///
    /// - Returns: how much has passed.
    func pass(_ span: TimeSpan, until host: MemoryClaims?) throws -> TimeSpan {
        let begun = table.now
        let end = begun + span
        while true {
            var next = table.nextHappening
            for rival in rivals { next = min(next, rival.next) }
            if let event = host?.nextEvent, event <= min(next, end) {
                table.advance(to: event)
                return table.now - begun
            }
            guard next <= end else {
                table.advance(to: end)
                return span
            }
            steps += 1
            table.advance(to: next)
            for rival in rivals {
                rival.act()
                try hear(rival)
            }
        }
    }

    private func hear(_ rival: JointRival) throws {
        for news in rival.takeNews() {
            switch news {
            case .claimed: count.rivals += 1
            case .submitted(let key): kept.insert(key)
            case .ended(let token, let end, let isAccepted): try note(token, end, isAccepted)
            }
        }
    }

    // MARK: What is known

    func noteKept(_ key: ULID) { kept.insert(key) }

    /// A host was told what became of its completion.
    func note(_ token: ClaimToken, _ end: ClaimEnd, _ isAccepted: Bool) throws {
        guard isAccepted else { return count.superseded += 1 }
        guard case .ended = end else { return }
        if let other = ended.updateValue(token, forKey: token.key) {
            throw Violation(description: "the ends of \(token) and \(other) are both accepted")
        }
    }

    /// All that was shared has ended, and once.
    func inspectEnds() throws {
        for key in kept {
            guard case .ended = table.rows[key]?.state else { throw Violation(description: "\(key) has no end") }
        }
        for (key, token) in ended where table.rows[key]?.number != token.number {
            throw Violation(description: "\(token) has ended the request, and was claimed again")
        }
    }
}
