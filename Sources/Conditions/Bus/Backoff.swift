import TaskModel

/// The time between attempts: twice as long after each, up to a bound.
struct Backoff {
    let first: TimeSpan
    let last: TimeSpan
    private(set) var attempts = 0

    /// The pause before the next attempt.
    mutating func next() -> TimeSpan {
        let factor = Int64(1) << Int64(min(attempts, 30))
        attempts += 1
        let (product, overflow) = first.nanoseconds.multipliedReportingOverflow(by: factor)
        return overflow ? last : min(last, TimeSpan(nanoseconds: product))
    }

    mutating func reset() { attempts = 0 }
}
