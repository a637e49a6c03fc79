/// Whether progress grows with time alone: equal steps at equal intervals, again and again, while the process does next to
/// nothing. A person's rule, without a clock of its own; work that is counted varies more.
package struct TimedSteps {
    /// So many equal steps in a row.
    package static let most = 20
    /// Shorter steps are not looked at, in nanoseconds.
    private static let shortest: UInt64 = 100_000_000
    /// How much two intervals may differ, as a part of the first: a twentieth.
    private static let tolerance: UInt64 = 20
    /// The share of a processor that the process may use: a hundredth.
    private static let idleShare: UInt64 = 100

    private var last: (count: Int64, time: UInt64)?
    private var first: (time: UInt64, processor: UInt64, step: Int64, interval: UInt64)?
    private var steps = 0
    private var isFound = false

    package init() {}

    /// Takes the next count of finished units.
    /// - Parameters:
    ///   - count: the finished units.
    ///   - time: monotonic nanoseconds.
    ///   - processor: the process's processor time in nanoseconds, read only when it is needed.
    /// - Returns: what was found, once; nil: nothing.
    package mutating func take(_ count: Int64, at time: UInt64, processor: () -> UInt64) -> String? {
        guard !isFound else { return nil }
        defer { last = (count, time) }
        guard let last, time &- last.time >= Self.shortest, count > last.count else {
            steps = 0
            return nil
        }
        let (step, interval) = (count - last.count, time - last.time)
        if steps > 0, let first, first.step == step, isAlike(interval, first.interval) {
            steps += 1
        } else {
            steps = 1
            first = (last.time, processor(), step, interval)
        }
        guard steps == Self.most, let first else { return nil }
        let (elapsed, used) = (time - first.time, processor() &- first.processor)
        guard used < elapsed / Self.idleShare else {
            steps = 0
            return nil
        }
        isFound = true
        let seconds = Double(interval / 10_000_000) / 100
        return "\(steps) steps of \(step) in a row, \(seconds) s apart, with less than 1 % of a processor"
    }

    private func isAlike(_ interval: UInt64, _ other: UInt64) -> Bool {
        max(interval, other) - min(interval, other) <= other / Self.tolerance
    }
}
