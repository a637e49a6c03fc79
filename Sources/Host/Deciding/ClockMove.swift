import TaskModel

/// A move of a virtual clock, from one moment at which something happens to the next. At each it waits, by the machine's
/// clock, until applications have done what they were called for. Thread: the loop's.
package final class ClockMove {
    /// Where the clock stops.
    let target: Instant
    /// When, by the machine's clock, the move ends wherever it is: whoever asked for it has an answer then.
    let end: Instant
    /// Called at the end.
    let didEnd: () -> Void
    /// Until then, by the machine's clock, it waits for what began at the present moment.
    private(set) var patienceEnd: Instant
    /// Until then, by the machine's clock, processes that were told something have their turn.
    private(set) var quietEnd: Instant
    /// The clock has moved: what begins now begins by it.
    private(set) var hasMoved = false

    /// For a run that began or was warned at the present moment, as in `TaskHostTesting`.
    private static let patience = TimeSpan.seconds(2)
    private static let quiet = TimeSpan.milliseconds(30)
    private static let longest = TimeSpan.seconds(30)

    init(to target: Instant, at machine: Instant, didEnd: @escaping () -> Void) {
        self.target = target
        self.didEnd = didEnd
        end = machine + Self.longest
        patienceEnd = machine + Self.patience
        quietEnd = machine
    }

    /// The clock has come to another moment.
    func didMove(at machine: Instant) {
        hasMoved = true
        patienceEnd = machine + Self.patience
    }

    /// Processes were told something.
    func didTell(at machine: Instant) { quietEnd = machine + Self.quiet }
}
