import Scheduling
import Record
import Setting
package import TaskModel

// Times of schedules that the user skips.
extension Requests {
    /// Skips the next time of the task's schedule, or the current one if it is still waiting.
    ///
    /// - Returns: that time; nil: no time of a schedule is pending.
    package func skipTime(_ identifier: String) -> Timestamp? {
        guard let task = installed.task(named: identifier) else { return nil }
        let identity = installed.tasks[task].row
        guard let time = decider.skip(identity: identity) else { return nil }
        // First what forgets the old request: the new one may have its key.
        decider.settle()
        if let view = decider.pendingRequest(identity: identity).flatMap({ decider.request($0) }) {
            extras[RequestKey(view), default: RequestExtra()].leftOut = time
        }
        announcer.note(.timeLeftOut, identifier, "the time \(time.iso8601) of its schedule is left out")
        announcer.audience?.requestChanged("skipped", identifier)
        return time
    }

    /// Whether the pending request of the identifier is a time of its schedule, which cannot be cancelled.
    package func waitsForSchedule(_ identifier: String) -> Bool {
        installed.task(named: identifier).map { decider.isScheduledTime(identity: installed.tasks[$0].row) } ?? false
    }
}
