import Record
import Scheduling
package import TaskModel

// Times of schedules that a person leaves out.
extension Host {
    /// Leaves out the next time of the task's schedule, or the one that has come and is held up.
    ///
    /// - Returns: that time; nil: no time of a schedule is pending.
    package func skipTime(_ identifier: String) -> Timestamp? {
        guard let task = task(named: identifier) else { return nil }
        let identity = tasks[Int(task)].row
        guard let time = scheduler.skip(identity: identity, at: now, into: &requests.decisions) else { return nil }
        // First what forgets the old request: the new one may have its key.
        settleDecisions()
        if let view = scheduler.handle(identity: identity).flatMap(scheduler.request) {
            requests.extras[RequestKey(view), default: RequestExtra()].leftOut = time
        }
        note(.timeLeftOut, identifier, "the time \(time.iso8601) of its schedule is left out")
        audience?.requestChanged("skipped", identifier, in: self)
        return time
    }

    /// Whether what is pending under the identifier is a time of its schedule, which nobody cancels.
    package func waitsForSchedule(_ identifier: String) -> Bool {
        task(named: identifier).map { scheduler.isScheduledTime(identity: tasks[Int($0)].row) } ?? false
    }
}
