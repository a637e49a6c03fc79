import Scheduling
import TaskModel

// The schedules of manifests, as the scheduler plays them.
extension Host {
    /// nil: the machine does not know the schedule's time zone, which validation has told.
    func scheduleRule(_ schedule: Schedule, of identifier: String) -> ScheduleRule? {
        guard let zone = timeZones.rules(named: schedule.timeZone) else { return nil }
        return ScheduleRule(
            schedule, zone: zone, seed: ScheduleRule.seed(machine: timeZones.machineSeed, identifier: identifier))
    }
}
