package import TaskModel

// What is worth watching on behalf of requests.
extension Scheduler {
    /// Something that is due, or runs, minds the condition.
    package func minds(_ name: ConditionName) -> Bool {
        queues.occupied.meets(classes.minding(name)) || occupied.has(name.condition.kinds)
    }
}
