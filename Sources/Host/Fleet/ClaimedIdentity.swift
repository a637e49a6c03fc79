/// The identities under which the scheduler has requests of the fleet: each is that of its identifier in the record, moved to
/// where no row of a record is. So none takes the place of a request of the host's own, and those of one identifier run one after
/// the other. The record has none of them: a host that starts again holds no claim.
enum ClaimedIdentity {
    private static let first: Int64 = 1 << 48

    static func isClaimed(_ identity: Int64) -> Bool { identity >= first }

    /// - Parameter row: of the concrete identifier.
    static func of(row: Int64) -> Int64 { first + row }

    /// The row of the identifier, for every request.
    static func row(_ identity: Int64) -> Int64 { isClaimed(identity) ? identity - first : identity }
}
