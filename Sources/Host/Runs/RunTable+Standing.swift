import Engine
import Setting
package import TaskModel

extension RunTable {
    /// What a run in progress has left.
    package func standing(of run: RunHandle) -> RunStanding? {
        guard let now = decider.standing(of: run), let slot = decider.run(run) else { return nil }
        // The engine counts by the monotonic clock; people read the calendar.
        func time(_ instant: Instant?) -> Timestamp? {
            instant.map { decider.now.time + ($0 - decider.now.instant) }
        }
        var budget = installed.tasks[slot.task].definition.budget
        if let rules = now.rules {
            budget = Budget(
                wallClock: rules.wallClock, cpuTime: rules.cpuTime, memory: rules.memory, disk: rules.disk,
                grace: rules.grace)
        }
        return RunStanding(state: now.state, budget: budget, warnsAt: time(now.warning), endsAt: time(now.end))
    }
}
