import TaskModel

/// How many lines about an application's transfers the journal accepts in an hour.
struct LineAllowance {
    private static let span = TimeSpan.minutes(60)
    static let most = Limit.transferLines.most
    private var since: Instant
    private var count = 0

    init(at now: Instant) { since = now }

    /// - Returns: lines that were left out in the hour before, when another one has begun.
    mutating func renew(at now: Instant) -> Int {
        guard now >= since + Self.span else { return 0 }
        let unlisted = max(0, count - Self.most)
        (since, count) = (now, 0)
        return unlisted
    }

    /// False: the limit is reached.
    mutating func take() -> Bool {
        count += 1
        return count <= Self.most
    }
}
