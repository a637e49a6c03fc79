package import TaskModel

/// A condition of one task.
struct TaskCondition: Hashable, Sendable {
    var task: TaskIndex
    var name: ConditionName
}

// Conditions that each task has for itself, such as its files. Its requests are in no table while one is not met.
extension Scheduler {
    /// Takes in whether a condition of the task's own is met.
    package mutating func setMet(
        _ isMet: Bool, _ name: ConditionName, of task: TaskIndex, at now: ClockReading
    ) {
        observe(now)
        guard tasks[task].rules.awaits.contains(name), tasks[task].unmet.contains(name) == isMet else { return }
        gateChanges &+= 1
        let application = tasks[task].rules.application
        let key = TaskCondition(task: task, name: name)
        if isMet {
            tasks[task].unmet.remove(ConditionSet(name))
            noteHold(
                name.condition.gate, task.number, of: application, from: metSince[key] ?? .min, to: now.time.nanoseconds
            )
        } else {
            tasks[task].unmet.insert(ConditionSet(name))
        }
        metSince[key] = now.time.nanoseconds
        guard hasBegun else { return }
        for index in pendingSlots(of: application, where: { $0.task == task }) {
            unplace(index)
            place(index)
        }
        startReady()
    }

    /// The task waits for these conditions from now on, instead of the former ones; none of them is met.
    mutating func awaitAnew(_ awaits: ConditionSet, of task: TaskIndex) {
        let old = tasks[task]
        tasks[task].unmet = awaits
        for name in old.rules.awaits.union(awaits).names {
            let key = TaskCondition(task: task, name: name)
            if awaits.contains(name) {
                if !old.unmet.contains(name) { metSince[key] = now.time.nanoseconds }
            } else if let since = metSince.removeValue(forKey: key), old.unmet.contains(name) {
                noteHold(
                    name.condition.gate, task.number, of: old.rules.application, from: since, to: now.time.nanoseconds)
            }
        }
    }

    /// The user wants continued processing now, regardless of its task's requirements.
    func lacksOwn(_ slot: RequestSlot, _ task: TaskSlot) -> Bool {
        !task.unmet.isEmpty && slot.kind != .continuedProcessing
    }

    /// The report on a condition of the task's own; nil when it has none. The host has the text for the observed value.
    func taskConditionReport(_ condition: Condition, _ slot: RequestSlot, _ task: TaskSlot) -> GateReport? {
        guard task.rules.awaits.contains(condition.name), slot.kind != .continuedProcessing else { return nil }
        let holds = task.unmet.contains(condition.name)
        return Self.report(
            condition.gate, holds: holds,
            since: metSince[TaskCondition(task: slot.task, name: condition.name)] ?? RequestSlot.none,
            found: holds ? "not known to be met" : "met", opens: condition.opens(0))
    }

    /// Present delays by the task's own conditions.
    func addOwnHolds(of task: TaskSlot, _ slot: RequestSlot, to waits: inout WaitList) {
        guard lacksOwn(slot, task) else { return }
        for name in task.unmet.names {
            let since = metSince[TaskCondition(task: slot.task, name: name)] ?? waits.from
            waits.add(name.condition.gate, from: since, to: waits.to)
        }
    }
}
