package import TaskModel

/// News from a `ClaimStore`.
package enum ClaimEvent: Sendable, Equatable {
    /// A request is this host's until its lease ends. Each claim comes once, and a batch of them as many.
    indirect case claimed(Claim)
    /// These leases go on until then; an end never goes back.
    case renewed([ClaimToken], end: Instant)
    /// The lease is over: the request has ended, or another claim of it was made.
    case leaseLost(ClaimToken)
    /// The answer to `complete`. Not accepted: another token is the newest one, and nothing has changed.
    case completed(ClaimToken, isAccepted: Bool)
    /// The request is kept for the fleet.
    case submitted(ULID)
    /// The connection is lost. Calls without an answer have none from then on; the store looks for its server by itself.
    case outOfReach
    /// It is there again, or anew: whatever is unanswered is called once more.
    case reached
}
