package import TaskModel

/// How many entries the log had within a second: beyond a hundred, ends of one turn that are alike become one entry.
struct LogPace: Sendable {
    /// Entries of one second from which on alike ends are one.
    static let calm = 100

    private var second: Int64 = .min
    private var count = 0

    init() {}

    /// Counts an entry; false: there were too many in this second already.
    mutating func isCalm(at now: Instant) -> Bool {
        let present = Int64(clamping: now.nanoseconds / 1_000_000_000)
        if present != second { (second, count) = (present, 0) }
        count += 1
        return count <= Self.calm
    }
}

/// Ends that are alike.
package struct EndKind: Hashable, Sendable {
    var task: TaskIndex
    var outcome: Outcome
    var reason: Reason?

    package init(task: TaskIndex, outcome: Outcome, reason: Reason? = nil) {
        self.task = task
        self.outcome = outcome
        self.reason = reason
    }
}
