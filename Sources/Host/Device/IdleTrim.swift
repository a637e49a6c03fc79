import Linux
import Setting
package import TaskModel

/// On a machine of little memory: unmaps the code that an idle host hardly needs, that of its start above all, some time after it
/// last had work. Thread: the loop's.
package final class IdleTrim: TimedSource {
    private static let pause = TimeSpan.seconds(10)
    /// Page faults of a turn that only looks at a clock are fewer.
    private static let worth = 256

    private let decider: Decider
    /// When what work brought is unmapped; nil: there is hardly anything. By the host's clock.
    private var due: Instant?
    /// Page faults of the process by then.
    private var faults = 0

    package init(_ decider: Decider) { self.decider = decider }

    // MARK: EventSource

    package var nextDeadline: Instant { due ?? .distantFuture }

    package func advance(to now: ClockReading) {
        guard let due, now.instant >= due else { return }
        self.due = nil
        guard decider.runsInProgress == 0 else { return }
        ProgramText.release()
        ProgramText.trimHeap()
        faults = ThisProcess.pageFaults
    }

    package func afterCommit(at now: ClockReading) -> Bool {
        if due == nil, decider.runsInProgress == 0, ThisProcess.pageFaults - faults > Self.worth {
            due = now.instant + Self.pause
        }
        return false
    }

    package func close() {}
}
