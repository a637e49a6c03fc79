package import TaskModel

// Manifests change while the host serves.
extension Scheduler {
    /// The manifest's rules of the task have changed. Pending requests follow the new rules; runs in progress keep the old
    /// ones.
    package mutating func setRules(
        _ rules: TaskSchedulingRules, of task: TaskIndex, at now: ClockReading
    ) {
        observe(now)
        let application = tasks[task].rules.application
        let hasNewSchedule = tasks[task].rules.schedule != rules.schedule
        precondition(rules.application == application, "a task stays with its application")
        replacePending(of: task) { scheduler in
            scheduler.awaitAnew(rules.awaits, of: task)
            scheduler.tasks[task].rules = TaskSlot.Rules(rules)
            scheduler.tasks[task].set = scheduler.classes.number(rules.requires)
        }
        renewOccurrence(of: task, hasNewSchedule ? .newSchedule : .start)
        submitOccurrence(of: task, after: now.time)
        startReady()
    }

    /// The schedule of the same manifest means other times now, as in another time zone.
    package mutating func setSchedule(
        _ schedule: ScheduleIndex, of task: TaskIndex, at now: ClockReading
    ) {
        observe(now)
        tasks[task].rules.schedule = schedule
        guard hasBegun else { return }
        renewOccurrence(of: task, .newSchedule)
        submitOccurrence(of: task, after: now.time)
        startReady()
    }

    /// A reload has dropped the task, or has found it again. Its requests are kept and wait.
    package mutating func setRemoved(
        _ removed: Bool, task: TaskIndex, at now: ClockReading
    ) {
        observe(now)
        guard tasks[task].isRemoved != removed else { return }
        let since = tasks[task].since
        if !removed {
            noteHold(.manifest, task.number, of: tasks[task].rules.application, from: since, to: now.time.nanoseconds)
        }
        replacePending(of: task) { scheduler in
            scheduler.tasks[task].isRemoved = removed
            scheduler.tasks[task].since = now.time.nanoseconds
        }
        if !removed {
            renewOccurrence(of: task, .start)
            submitOccurrence(of: task, after: now.time)
        }
        startReady()
    }

    /// Removes the task's pending requests, makes the change, and adds those that are still valid.
    private mutating func replacePending(
        of task: TaskIndex,
        around change: (inout Scheduler) -> Void
    ) {
        let list = pendingSlots(of: tasks[task].rules.application) { $0.task == task }
        for index in list { delist(index) }
        change(&self)
        gateChanges &+= 1
        let rules = tasks[task].rules
        for index in list {
            if requests[index].origin == .schedule && rules.schedule == nil {
                forget(index)
                continue
            }
            requests[index].kind = rules.kind
            if tasks[task].isRemoved { requests[index].flags.remove(.forced) }
            enlist(index)
            if hasBegun { place(index) }
        }
    }
}
