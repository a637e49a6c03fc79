import Scheduling
import TaskModel
import Transfers

// Conditions of the machine and of tasks, and who minds them.
extension Decider {
    /// The machine's conditions, as the scheduler has them.
    var conditions: DeviceConditions { scheduler.conditions }

    /// The machine's conditions have changed.
    func setConditions(_ conditions: DeviceConditions) {
        scheduler.setConditions(conditions, at: now)
        transfers.setConditions(conditions, at: now)
    }

    /// Takes in whether a condition of the task's own is met.
    func setMet(_ isMet: Bool, _ name: ConditionName, of task: TaskIndex) {
        scheduler.setMet(isMet, name, of: task, at: now)
    }

    /// A request that is due, or runs, minds the condition.
    func requestsMind(_ name: ConditionName) -> Bool { scheduler.minds(name) }

    /// A request that is due waits for the condition. Takes time for each class that waits.
    func requestsAwait(_ name: ConditionName) -> Bool { scheduler.awaits(name) }

    /// Free bytes of the file system with the transfers' files.
    func setFreeSpace(_ bytes: Int64) { transfers.setFreeSpace(bytes, at: now) }

    /// A transfer waits for space: looking at the disk now and then is worth it.
    var transfersAwaitSpace: Bool { transfers.awaitsSpace }
}
