import Record
import TaskModel
import Testing

/// When the host renews, when it gives a claim up, and what each event means for claims in each state.
@Suite("The ledger of claims")
struct ClaimLedgerTests {
    private static let lease = TimeSpan.seconds(30)
    private static let start = Instant(nanoseconds: 1_000_000_000_000)

    private var ledger = ClaimLedger(margin: .seconds(6))

    private static func at(_ seconds: Int64) -> Instant { start + .seconds(seconds) }

    private static func claim(_ key: UInt64, number: Int64 = 1, sent seconds: Int64 = 0) -> Claim {
        Claim(
            token: ClaimToken(key: ULID(high: 0, low: key), number: number),
            request: TaskRequest(identifier: "com.example.feeds", kind: .processing), losses: 0, lease: lease,
            end: at(seconds) + lease)
    }

    /// What it decides, and that it is in order.
    private mutating func decided(_ body: (inout ClaimLedger) -> Void) -> [ClaimDecision] {
        ledger.removeDecisions()
        body(&ledger)
        #expect(ledger.check() == nil)
        return ledger.decisions
    }

    private mutating func hear(_ event: ClaimEvent, at seconds: Int64) -> [ClaimDecision] {
        decided { $0.handle(event, at: Self.at(seconds)) }
    }

    private mutating func advance(to seconds: Int64) -> [ClaimDecision] { decided { $0.advance(to: Self.at(seconds)) } }

    private mutating func complete(_ token: ClaimToken) -> [ClaimDecision] {
        decided { _ = $0.complete(token, .ended(.succeeded)) }
    }

    // MARK: Time

    @Test("renews every third of a lease, counted from the claim")
    mutating func renewals() {
        let (one, other) = (Self.claim(1), Self.claim(2, sent: 5))
        #expect(ledger.nextDeadline == .distantFuture)
        #expect(hear(.claimed(one), at: 3) == [.take(one)])
        #expect(hear(.claimed(other), at: 7) == [.take(other)])
        #expect(ledger.nextDeadline == Self.at(10))
        #expect(advance(to: 9) == [])
        // One call for all of them.
        #expect(advance(to: 10) == [.renew([one.token, other.token])])
        #expect(hear(.renewed([one.token, other.token], end: Self.at(40)), at: 11) == [])
        #expect(ledger.nextDeadline == Self.at(20))
        // No answer comes: once more after another third, until the fence.
        #expect(advance(to: 20) == [.renew([one.token, other.token])])
        #expect(advance(to: 30) == [.renew([one.token, other.token])])
        #expect(ledger.nextDeadline == Self.at(34))
        #expect(advance(to: 34) == [.drop(one.token, .fenced), .drop(other.token, .fenced)])
        #expect(ledger.nextDeadline == .distantFuture && ledger.tokens.isEmpty)
    }

    @Test("fences before the end of the lease, with its margin")
    mutating func fences() {
        let claim = Self.claim(1)
        _ = hear(.claimed(claim), at: 0)
        #expect(ledger.fence(of: claim.token) == Self.at(24))
        _ = hear(.outOfReach, at: 1)
        // Nothing is said to nobody.
        #expect(ledger.nextDeadline == Self.at(24))
        #expect(advance(to: 23) == [])
        #expect(ledger.holds(claim.token))
        #expect(advance(to: 24) == [.drop(claim.token, .fenced)])
        #expect(!ledger.holds(claim.token) && ledger.fence(of: claim.token) == nil)
    }

    @Test("fences after a sleep before it renews")
    mutating func sleep() {
        let (lost, kept) = (Self.claim(1), Self.claim(2, sent: 300))
        _ = hear(.claimed(lost), at: 0)
        _ = hear(.claimed(kept), at: 2)
        #expect(advance(to: 310) == [.drop(lost.token, .fenced), .renew([kept.token])])
    }

    @Test("a renewal never shortens a lease")
    mutating func ends() {
        let claim = Self.claim(1, sent: 20)
        _ = hear(.claimed(claim), at: 20)
        _ = hear(.renewed([claim.token, Self.claim(9).token], end: Self.at(35)), at: 21)
        #expect(ledger.fence(of: claim.token) == Self.at(44))
        #expect(ledger.tokens == [claim.token])
    }

    @Test("a lease that is shorter than the margin is fenced at once")
    mutating func short() {
        let tiny = Claim(
            token: Self.claim(1).token, request: Self.claim(1).request, losses: 0, lease: .seconds(1),
            end: Instant(nanoseconds: 5))
        #expect(hear(.claimed(tiny), at: 0) == [.complete(tiny.token, .waits(tiny.request, pause: .zero))])
    }

    // MARK: Claims

    @Test("a claim that was under way for too long goes back")
    mutating func lateClaim() {
        let claim = Self.claim(1)
        #expect(hear(.claimed(claim), at: 24) == [.complete(claim.token, .waits(claim.request, pause: .zero))])
        #expect(!ledger.holds(claim.token) && ledger.unansweredCount == 1)
    }

    @Test("a claim that is told twice is taken once")
    mutating func twice() {
        let claim = Self.claim(1)
        #expect(hear(.claimed(claim), at: 0) == [.take(claim)])
        #expect(hear(.claimed(claim), at: 1) == [])
        _ = complete(claim.token)
        #expect(hear(.claimed(claim), at: 2) == [])
    }

    @Test("a newer claim of a request ends the older one")
    mutating func newer() {
        let (old, new) = (Self.claim(1), Self.claim(1, number: 2, sent: 5))
        _ = hear(.claimed(old), at: 0)
        #expect(hear(.claimed(new), at: 6) == [.drop(old.token, .taken), .take(new)])
        #expect(ledger.tokens == [new.token])
    }

    @Test("a lost lease is dropped once, and means nothing before and after")
    mutating func losses() {
        let claim = Self.claim(1)
        #expect(hear(.leaseLost(claim.token), at: 0) == [])
        _ = hear(.claimed(claim), at: 0)
        #expect(hear(.leaseLost(claim.token), at: 1) == [.drop(claim.token, .taken)])
        #expect(hear(.leaseLost(claim.token), at: 2) == [])
        // Its completion comes late, and is nothing.
        #expect(complete(claim.token) == [])
        #expect(ledger.unansweredCount == 0)
    }

    // MARK: Ends

    @Test("an end is said until it is answered, and answered once")
    mutating func answers() {
        let claim = Self.claim(1)
        _ = hear(.claimed(claim), at: 0)
        #expect(complete(claim.token) == [.complete(claim.token, .ended(.succeeded))])
        // It is no longer held: there is nothing to renew, to fence or to lose.
        #expect(ledger.nextDeadline == .distantFuture)
        #expect(hear(.leaseLost(claim.token), at: 1) == [])
        #expect(complete(claim.token) == [])
        #expect(hear(.reached, at: 2) == [.complete(claim.token, .ended(.succeeded))])
        #expect(
            hear(.completed(claim.token, isAccepted: false), at: 3) == [.completed(claim.token, isAccepted: false)])
        #expect(hear(.completed(claim.token, isAccepted: true), at: 4) == [])
        #expect(hear(.reached, at: 5) == [])
    }

    @Test("what is said out of reach waits; then leases come first")
    mutating func reach() {
        let (done, kept, key) = (Self.claim(1), Self.claim(2), ULID(high: 3, low: 3))
        _ = hear(.claimed(done), at: 0)
        _ = hear(.claimed(kept), at: 0)
        #expect(hear(.outOfReach, at: 1) == [] && !ledger.isReached)
        #expect(complete(done.token) == [])
        let request = kept.request
        #expect(decided { $0.submit(key, request) } == [])
        #expect(advance(to: 12) == [])
        #expect(
            hear(.reached, at: 13) == [
                .renew([kept.token]), .complete(done.token, .ended(.succeeded)), .submit(key, request),
            ])
        #expect(ledger.nextDeadline == Self.at(23))
        #expect(hear(.submitted(key), at: 14) == [.submitted(key)])
        #expect(hear(.submitted(key), at: 15) == [])
    }
}
