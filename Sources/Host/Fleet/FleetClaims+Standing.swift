import Setting
import TaskModel

// What other hosts and people see of this one.
extension FleetClaims {
    /// The tasks that this host installs, each with whether a request of it could start now.
    package var tasks: [(identifier: String, couldStart: Bool)] {
        var tasks: [(identifier: String, couldStart: Bool)] = []
        for task in installed.tasks.indices where !installed.tasks[task].isRemoved {
            tasks.append((installed.tasks[task].definition.identifier, decider.couldStart(task)))
        }
        return tasks
    }
}
