import Setting
package import TaskModel

/// What a task's runs came to: plain numbers.
package struct RunTally: Sendable {
    /// Of one outcome, and one origin; nil: runs that were forced.
    package struct Kind: Hashable, Sendable {
        package var outcome: Outcome
        package var origin: RequestOrigin?
    }

    package private(set) var counts: [Kind: UInt64] = [:]
    package private(set) var lastEnd: Timestamp?
    package private(set) var lastSuccess: Timestamp?
    package private(set) var lastOutcome: Outcome?
    /// Failures since the last success.
    package private(set) var failures: UInt64 = 0
    package private(set) var cpuTime = TimeSpan.zero

    package init() {}

    package mutating func add(_ outcome: Outcome, _ origin: RequestOrigin?, endedAt: Timestamp, cpuTime: TimeSpan?) {
        counts[Kind(outcome: outcome, origin: origin), default: 0] += 1
        lastEnd = endedAt
        lastOutcome = outcome
        if let cpuTime { self.cpuTime = self.cpuTime + cpuTime }
        if outcome == .succeeded {
            lastSuccess = endedAt
            failures = 0
        } else if LogPriority(outcome, isDegraded: false) == .error {
            failures += 1
        }
    }

    /// These runs and later ones.
    package func followed(by later: RunTally) -> RunTally {
        var sum = self
        sum.counts.merge(later.counts, uniquingKeysWith: +)
        sum.cpuTime = cpuTime + later.cpuTime
        sum.lastEnd = later.lastEnd ?? lastEnd
        sum.lastOutcome = later.lastOutcome ?? lastOutcome
        sum.lastSuccess = later.lastSuccess ?? lastSuccess
        sum.failures = later.failures + (later.lastSuccess == nil ? failures : 0)
        return sum
    }
}
