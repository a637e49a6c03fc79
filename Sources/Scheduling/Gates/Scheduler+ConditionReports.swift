import TaskModel

// The gates that the machine's conditions open and close.
extension Scheduler {
    /// The report on a condition's gate; nil when it does not concern the request.
    func conditionReport(_ condition: Condition, _ slot: RequestSlot, _ task: TaskSlot) -> GateReport? {
        guard var report = classes.report(condition, slot.kind, requirements(of: slot, task)) else { return nil }
        let application = applications[task.rules.application]
        if condition.gate == .backgroundRefresh && application.memory.isRefreshDenied {
            report.verdict = .closed
            report.holds = true
            report.since = RequestSlot.time(application.refreshSince)
            report.found = "turned off for this application"
            report.opens = condition.opens(0)
        }
        return report
    }

    /// The requirements of the task and the request together.
    func requirements(of slot: RequestSlot, _ task: TaskSlot) -> Requirements {
        classes.requirements(task.set).union(slot.flags.requirements)
    }
}
