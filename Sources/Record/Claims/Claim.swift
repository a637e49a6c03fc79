package import TaskModel

/// A request of the fleet that this host may work on until its lease ends.
package struct Claim: Sendable, Equatable {
    package var token: ClaimToken
    /// Identifier, terms, progress and payload; `identity` is 0 and `submitted` zero until the host has taken it.
    package var request: TaskRequest
    /// How often a host's lease for it has ended without a word.
    package var losses: UInt32
    /// The length of the lease, as a renewal gives it again.
    package var lease: TimeSpan
    /// When it ends, by this host's clock: `lease` after the claim was *sent*, so never later than the store's own end, however
    /// long the answer was under way.
    package var end: Instant

    package init(token: ClaimToken, request: TaskRequest, losses: UInt32, lease: TimeSpan, end: Instant) {
        self.token = token
        self.request = request
        self.losses = losses
        self.lease = lease
        self.end = end
    }
}
