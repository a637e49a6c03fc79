/// Which application has which task identifiers, those that end in `*` included.
struct TaskClaims {
    struct Claim {
        var application: String
        var identifier: String
        /// Where it stands, for messages.
        var place: String
    }

    private var exact = SplitTable<Claim>()
    /// The first claim that lies below a prefix, by the prefix with its last dot.
    private var below = SplitTable<Claim>()

    /// Adds a claim, unless another application has the identifier, one that covers it, or one that it covers.
    ///
    /// - Returns: the other's claim.
    mutating func add(_ claim: Claim) -> Claim? {
        let prefixes = Self.prefixes(of: claim.identifier)
        let own = claim.identifier.hasSuffix("*") ? below[String(claim.identifier.dropLast())] : nil
        let others = [exact[claim.identifier], own] + prefixes.map { exact[$0 + "*"] }
        if let other = others.compactMap(\.self).first(where: { $0.application != claim.application }) { return other }
        exact[claim.identifier] = claim
        for prefix in prefixes where below[prefix] == nil { below[prefix] = claim }
        return nil
    }

    /// Gives back a part of what was claimed; false: nothing is left.
    mutating func dropPart() -> Bool { exact.dropPart() || below.dropPart() }

    /// `a.` and `a.b.` of `a.b.c`.
    private static func prefixes(of identifier: String) -> [String] {
        identifier.indices.filter { identifier[$0] == "." }.map { String(identifier[...$0]) }
    }
}
