import Engine
import Scheduling
import TaskModel

// What manifests say: applications and tasks, in the tables of engine and scheduler.
extension Decider {
    // MARK: Adding

    /// Adds an application, with what is remembered of it.
    func addApplication(_ rules: ApplicationRules, _ memory: ApplicationMemory) -> ApplicationIndex {
        let index = engine.addApplication(rules)
        let same = scheduler.addApplication(memory)
        precondition(index == same, "the tables of engine and scheduler grow together")
        return index
    }

    /// Adds a task to an application that was added before.
    func addTask(_ rules: TaskRules, _ scheduling: TaskSchedulingRules) -> TaskIndex {
        let index = engine.addTask(rules)
        let same = scheduler.addTask(scheduling)
        precondition(index == same, "the tables of engine and scheduler grow together")
        return index
    }

    /// A rule for tasks to name by its number.
    ///
    /// - Parameter task: the one whose schedule stays when the rule is the same; nil: a new one.
    func addSchedule(_ rule: ScheduleRule, of task: TaskIndex?) -> ScheduleIndex {
        scheduler.addSchedule(rule, insteadOf: task.flatMap { scheduler.schedule(of: $0) })
    }

    // MARK: Changing

    /// The application's library is another one, from its next worker on.
    func setLifecycle(_ hasLifecycle: Bool, of application: ApplicationIndex) {
        engine.setLifecycle(hasLifecycle, of: application)
    }

    /// Whether processes may be made ahead for its runs, from the next one on.
    func setSpares(_ mayHaveSpare: Bool, of application: ApplicationIndex) {
        engine.setSpares(mayHaveSpare, of: application)
    }

    /// The manifest's rules of the task have changed. Its next run and its pending requests follow the new ones.
    func setRules(_ rules: TaskRules, _ scheduling: TaskSchedulingRules, of task: TaskIndex) {
        engine.setRules(rules, of: task)
        scheduler.setRules(scheduling, of: task, at: now)
    }

    /// The schedule of the same manifest means other times now, as in another time zone.
    func setSchedule(_ rule: ScheduleRule, of task: TaskIndex) {
        let old = scheduler.schedule(of: task)
        let new = scheduler.addSchedule(rule, insteadOf: old)
        guard new != old else { return }
        scheduler.setSchedule(new, of: task, at: now)
    }

    /// Names the tasks that run when a run of the task has succeeded.
    func setFollowers(_ tasks: [TaskIndex], of task: TaskIndex) { scheduler.setFollowers(tasks, of: task) }

    /// A reload has dropped the task, or has found it again. Its requests are kept and wait.
    func setRemoved(_ removed: Bool, task: TaskIndex) { scheduler.setRemoved(removed, task: task, at: now) }
}
