package import TaskModel

extension TaskSchedulingRules {
    /// A task's rules from its manifest, except its schedule and its number in the store.
    package init(_ task: TaskDefinition, of definition: ApplicationDefinition, application: ApplicationIndex) {
        self.init(application: application, kind: task.kind)
        requires = task.requires
        awaits = ConditionSet(task.patterns.keys)
        attempts = task.retry?.attempts ?? 1
        backoff = task.retry?.backoff ?? backoff
        retryJitter = task.retry?.jitter ?? retryJitter
        priority = task.priority
        lacksMode = definition.lacksMode(for: task.kind)
        isWildcard = task.isWildcard
    }
}
