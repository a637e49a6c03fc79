package import TaskModel

// The conditions that requests need to be watched.
extension Scheduler {
    /// Something that is due, or runs, minds the condition.
    package func minds(_ name: ConditionName) -> Bool {
        queues.occupied.meets(classes.minding(name)) || occupied.has(name.condition.kinds)
    }

    /// Something that is due waits for the condition. Takes time for each class that waits.
    package func awaits(_ name: ConditionName) -> Bool {
        queues.occupied.contains { group in
            classes.report(name.condition, group.kind, classes.requirements(group.set))?.holds == true
        }
    }
}
