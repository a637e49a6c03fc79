import Setting
import TaskModel

// What other hosts and people see of this one.
extension FleetClaims {
    /// The tasks that this host installs, each with whether a request of it could start now; as many as `most`.
    package func tasks(most: Int) -> [(identifier: String, couldStart: Bool)] {
        var tasks: [(identifier: String, couldStart: Bool)] = []
        for task in installed.tasks.indices where !installed.tasks[task].isRemoved && tasks.count < most {
            tasks.append((installed.tasks[task].definition.identifier, decider.couldStart(task)))
        }
        return tasks
    }
}
