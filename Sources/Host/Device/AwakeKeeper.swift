package import Conditions
import Engine
import Record
import Setting
package import TaskModel

/// Keeps the machine awake while background work is in progress, for the limits profile's background time, as iOS 6 did. The
/// time restarts after a moment without such work. Thread: the loop's.
package final class AwakeKeeper: TimedSource {
    private let limit: TimeSpan
    private let monitor: DeviceMonitor
    private let decider: Decider
    private let announcer: Announcer
    /// Since when something works; nil: nothing does.
    private var since: Instant?
    /// Why it is not let, as the journal has it.
    private var refusal: String?

    package init(_ profile: LimitsProfile, _ monitor: DeviceMonitor, _ decider: Decider, _ announcer: Announcer) {
        limit = profile.backgroundTime
        self.monitor = monitor
        self.decider = decider
        self.announcer = announcer
    }

    private func settle() {
        let now = decider.now.instant
        since = decider.isBusyInBackground ? since ?? now : nil
        monitor.blocksSleep = since.map { now < $0 + limit } ?? false
        noteRefusal()
    }

    private func noteRefusal() {
        guard let refusal = monitor.sleepFinding.blockRefusal, refusal != self.refusal else { return }
        self.refusal = refusal
        announcer.note(
            .sleepNotBlocked, "",
            "logind does not let the host keep the machine awake for its work (\(refusal)); sleep suspends it, as in the "
                + "profile ios7")
    }

    // MARK: EventSource

    package var nextDeadline: Instant { monitor.blocksSleep ? (since ?? .distantFuture) + limit : .distantFuture }
    package func advance(to now: ClockReading) { settle() }

    package func afterCommit(at now: ClockReading) -> Bool {
        settle()
        return false
    }

    package func close() { monitor.blocksSleep = false }
}
