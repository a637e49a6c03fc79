package import TaskModel

extension TaskRules {
    /// A task's rules from its manifest.
    package init(_ task: TaskDefinition, of application: ApplicationIndex) {
        self.init(
            application: application, wallClock: task.budget.wallClock, grace: task.budget.grace,
            cpuTime: task.budget.cpuTime, memory: task.budget.memory, disk: task.budget.disk,
            isMonitored: task.budget.isMonitored && !task.requires.externalPower, stall: task.budget.stall,
            sharesDeadline: task.handler == .registered && task.budget.declared.isDisjoint(with: [.wallClock, .grace]),
            callback: task.kind.callback)
    }
}
