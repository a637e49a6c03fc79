import TaskModel

/// Which application has which task identifiers, those that end in `*` included.
struct TaskClaims {
    struct Claim {
        var application: String
        var identifier: String
        /// Its position, for messages.
        var place: String
    }

    private var exact = SplitTable<Claim>()
    /// The first claim that a pattern matches, by the pattern.
    private var covered = SplitTable<Claim>()

    /// Adds a claim, unless another application has the identifier, one that matches it, or one that it matches.
    ///
    /// - Returns: the other's claim.
    mutating func add(_ claim: Claim) -> Claim? {
        let pattern = IdentifierPattern.pattern(for: claim.identifier)
        let others = [exact[claim.identifier], covered[claim.identifier], pattern.flatMap { exact[$0] }]
        if let other = others.compactMap(\.self).first(where: { $0.application != claim.application }) { return other }
        exact[claim.identifier] = claim
        if let pattern, covered[pattern] == nil { covered[pattern] = claim }
        return nil
    }

    /// Releases a part of the claims; false: nothing is left.
    mutating func dropPart() -> Bool { exact.dropPart() || covered.dropPart() }
}
