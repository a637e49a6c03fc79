package import TaskModel

/// What a `ClaimLedger` has the host do, in this order.
package enum ClaimDecision: Sendable, Equatable {
    /// The claim is this host's: take its request in.
    indirect case take(Claim)
    /// The claim is no longer this host's: cancel what is there of it, now.
    case drop(ClaimToken, ClaimLoss)
    /// The answer to the host's completion.
    case completed(ClaimToken, isAccepted: Bool)
    /// The request that the host submitted is kept.
    case submitted(ULID)
    // Calls of the store.
    case renew([ClaimToken])
    indirect case complete(ClaimToken, ClaimEnd)
    indirect case submit(ULID, TaskRequest)
}

/// Why a claim is no longer this host's.
package enum ClaimLoss: Sendable, Equatable, BitwiseCopyable {
    /// The store says so.
    case taken
    /// No renewal came before its fence.
    case fenced
}
