import Record
import TaskModel
import TestSupport

/// Another host of the fleet, as simple as can be: it claims, renews and completes. It has no fence, so that a stop of its process
/// makes it complete what others have taken over.
final class JointRival {
    enum News {
        case claimed
        case submitted(ULID)
        case ended(ClaimToken, ClaimEnd, Bool)
    }

    private enum Deed {
        case renewal
        case completion(ClaimToken, ClaimEnd)
    }

    private let table: ClaimTable
    private let wish: ClaimWish
    private var claims: MemoryClaims?
    private var fortune: SeededGenerator
    private var agenda = Agenda<Deed>()
    private var held: Set<ClaimToken> = []
    private var said: [ClaimToken: ClaimEnd] = [:]
    private var shared: [ULID: TaskRequest] = [:]
    private var news: [News] = []
    /// Its process is stopped until then.
    private var stopEnd: Instant?
    var isCalm = false

    init(_ table: ClaimTable, seed: UInt64, identifiers: Set<String>) throws {
        self.table = table
        fortune = SeededGenerator(seed: seed)
        wish = ClaimWish(identifiers, most: Int.random(in: 1...2, using: &fortune))
        try begin()
    }

    private func begin() throws {
        (held, said, shared) = ([], [:], [:])
        agenda.removeAll()
        var fates = JointFates(seed: fortune.next(), lease: table.lease, chanceOfCut: 0.02)
        claims = try MemoryClaims(table, clock: table.now) { [unowned self] call in fates.next(call, isCalm: isCalm) }
        claims?.claim(wish)
    }

    var next: Instant { stopEnd ?? min(agenda.next, claims?.nextEvent ?? .distantFuture) }

    func takeNews() -> [News] {
        defer { news.removeAll() }
        return news
    }

    func share(_ key: ULID, _ request: TaskRequest) {
        shared[key] = request
        claims?.submit(key, request)
    }

    /// What is due.
    func act() {
        if let end = stopEnd {
            guard end <= table.now else { return }
            stopEnd = nil
            claims?.isStopped = false
        }
        while stopEnd == nil, let event = claims?.takeEvent() { take(event) }
        while stopEnd == nil, let deed = agenda.takeDue(at: table.now) {
            switch deed {
            case .renewal: renew()
            case .completion(let token, let end):
                held.remove(token)
                said[token] = end
                claims?.complete(token, end)
            }
        }
    }

    private func take(_ event: ClaimEvent) {
        switch event {
        case .claimed(let claim):
            news.append(.claimed)
            if held.isEmpty { agenda.add(.renewal, at: table.now + third) }
            held.insert(claim.token)
            work(on: claim)
        case .completed(let token, let isAccepted):
            guard let end = said.removeValue(forKey: token) else { return }
            news.append(.ended(token, end, isAccepted))
        case .submitted(let key):
            shared[key] = nil
            news.append(.submitted(key))
        case .reached:
            for (token, end) in said.sorted(by: { $0.key < $1.key }) { claims?.complete(token, end) }
            for (key, request) in shared.sorted(by: { $0.key < $1.key }) { claims?.submit(key, request) }
        case .leaseLost(let token): held.remove(token)
        case .renewed, .outOfReach: break
        }
    }

    private var third: TimeSpan { TimeSpan(nanoseconds: table.lease.nanoseconds / 3) }

    private func renew() {
        guard !held.isEmpty else { return }
        claims?.renew(held.sorted())
        agenda.add(.renewal, at: table.now + third)
    }

    private func work(on claim: Claim) {
        let lease = table.lease.nanoseconds
        var end = ClaimEnd.ended(.succeeded)
        if !isCalm {
            switch fortune.chance(0.7) ? 9 : Int.random(in: 0..<4, using: &fortune) {
            // It dies, and comes back as another one; or its store is not there.
            case 0:
                if (try? begin()) != nil { return }
            // It is stopped for longer than its lease.
            case 1:
                stopEnd = table.now + TimeSpan(nanoseconds: Int64.random(in: lease / 2...lease * 3, using: &fortune))
                claims?.isStopped = true
            // It does not install that any more, or had no luck.
            case 2: end = .waits(claim.request, pause: .seconds(1))
            case 3:
                var request = claim.request
                request.attempt += 1
                request.failures += 1
                end = .waits(request, pause: fortune.span(.seconds(1), .minutes(2)))
            default: break
            }
        }
        agenda.add(
            .completion(claim.token, end), at: table.now + fortune.span(.milliseconds(10), .minutes(3)))
    }
}

/// What becomes of a host's calls of the table.
struct JointFates {
    private var random: SeededGenerator
    private let lease: TimeSpan
    private let chanceOfCut: Double
    /// The last answer was under way for long: the connection is about to break.
    private var isFailing = false

    init(seed: UInt64, lease: TimeSpan, chanceOfCut: Double) {
        random = SeededGenerator(seed: seed)
        self.lease = lease
        self.chanceOfCut = chanceOfCut
    }

    mutating func next(_ call: MemoryClaims.Call, isCalm: Bool) -> MemoryClaims.Fate {
        if !isCalm, random.chance(isFailing ? 0.7 : chanceOfCut) {
            isFailing = false
            return .cut(
                for: random.span(.milliseconds(100), TimeSpan(nanoseconds: lease.nanoseconds * 2)),
                isTaken: random.chance(0.5))
        }
        let usual = random.span(.milliseconds(1), .milliseconds(80))
        // Some look again by themselves alone, for nobody told them; some answers are under way for a part of a lease.
        let there = call == .look && random.chance(0.3) ? random.span(.milliseconds(80), .seconds(20)) : usual
        isFailing = !isCalm && random.chance(0.06)
        let longest = TimeSpan(nanoseconds: lease.nanoseconds * 2 / 3)
        return .done(there: there, back: isFailing ? random.span(.seconds(5), longest) : usual)
    }
}
