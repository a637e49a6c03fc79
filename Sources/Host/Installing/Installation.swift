import Engine
import Manifests
import Scheduling
import Record
package import Setting
package import TaskModel

/// All installed applications and tasks, with their places in the tables of engine and scheduler and in the record.
/// Thread: the loop's.
package final class Installation {
    package private(set) var applications = Table<ApplicationIndex, InstalledApplication>()
    package private(set) var tasks = Table<TaskIndex, InstalledTask>()
    private var taskIndices: [String: TaskIndex] = [:]
    private var applicationIndices: [String: ApplicationIndex] = [:]
    /// Identifiers of tasks and of applications, by their indices.
    private var taskNames = NameIndex()
    private var applicationNames = NameIndex()
    /// Of each application.
    private var members = Table<ApplicationIndex, ApplicationMembers>()
    /// Tasks and applications that the manifests have at present.
    package private(set) var presentTasks = 0
    package private(set) var presentApplications = 0
    /// What applications may write.
    private(set) var writable: WritableFolders
    package let timeZones: TimeZones
    /// nil: the tasks of this boot have had their time, or no daemon serves.
    private var boot: Timestamp?
    /// Receives a task that is new, has new rules or was removed, after the scheduler.
    var taskIsNew: (TaskIndex) throws(HostError) -> Void = { _ throws(HostError) in }
    /// The same, of a host that is in a fleet.
    var taskIsNewToFleet: (TaskIndex) throws(HostError) -> Void = { _ throws(HostError) in }
    /// Receives a task's required free space, before the scheduler does.
    var spaceIsAskedFor: (UInt64) -> Void = { _ in }
    private let decider: Decider
    private let keeper: RecordKeeper

    init(_ place: HostPlace, _ decider: Decider, _ keeper: RecordKeeper) {
        self.decider = decider
        self.keeper = keeper
        writable = WritableFolders(state: place.state)
        timeZones = TimeZones(stateFolder: place.state.path, makesSeed: true)
    }

    // MARK: Looking

    /// The task of that identifier.
    package func task(named identifier: some StringProtocol) -> TaskIndex? { taskIndices[String(identifier)] }

    /// The application of that identifier.
    package func application(named identifier: String) -> ApplicationIndex? { applicationIndices[identifier] }

    /// The identifier of the task's application.
    package func applicationName(of task: TaskIndex) -> String { name(of: tasks[task].application) }

    package func name(of application: ApplicationIndex) -> String { applications[application].definition.identifier }

    /// Its tasks, those that its manifest has no more included.
    package func tasks(of application: ApplicationIndex) -> [TaskIndex] { members[application].tasks }

    /// Its number in the record.
    func row(of application: ApplicationIndex) -> Int64 { members[application].row }

    /// The task that permits the identifier: its own, or a wildcard.
    package func permittedTask(_ identifier: String, of application: ApplicationIndex? = nil) -> TaskIndex? {
        if let task = task(named: identifier), !identifier.hasSuffix(".*") {
            return application == nil || tasks[task].application == application ? task : nil
        }
        guard let task = IdentifierPattern.pattern(for: identifier).flatMap({ task(named: $0) }),
            (try? IdentifierSyntax.check(identifier)) != nil,
            application == nil || tasks[task].application == application
        else { return nil }
        return task
    }

    /// The task that may have been meant; of one application, or of all.
    package func nearestTask(to identifier: String, of application: ApplicationIndex? = nil) -> String? {
        guard let application else {
            return taskNames.nearest(to: identifier) { !tasks[tasks.indices[$0]].isRemoved }
        }
        let own = members[application].tasks.filter { !tasks[$0].isRemoved }
        return Nearest.match(for: identifier, among: own.map { tasks[$0].definition.identifier })
    }

    /// The application that may have been meant.
    package func nearestApplication(to identifier: String) -> String? { applicationNames.nearest(to: identifier) }

    /// Whether its manifest is there.
    package func isPresent(_ application: ApplicationIndex) -> Bool { members[application].isPresent }

    /// How many tasks it has.
    package func taskCount(of application: ApplicationIndex) -> Int {
        members[application].tasks.count { !tasks[$0].isRemoved }
    }

    // MARK: Installing

    /// Adds an application and returns the indices of its tasks, in the order of its manifest.
    func install(_ application: InstalledApplication) throws(HostError) -> [TaskIndex] {
        let definition = application.definition
        let index = decider.addApplication(
            ApplicationRules(
                isolatesRuns: definition.isolation == .run,
                hasLifecycle: application.library?.isApplication ?? false, mayHaveSpare: definition.mayHaveSpare),
            keeper.remembered[definition.identifier] ?? ApplicationMemory())
        let row = try HostError.rethrowing(store: keeper.applicationRow(definition.identifier))
        applicationIndices[definition.identifier] = applications.append(application)
        _ = members.append(ApplicationMembers(row: row))
        presentApplications += 1
        applicationNames.append(definition.identifier)
        writable.add(definition)
        var indices: [TaskIndex] = []
        for (place, task) in application.tasks.enumerated() {
            indices.append(try add(task, place: UInt32(place), to: index))
        }
        order(index)
        return indices
    }

    /// Takes note of what applications may write that are not installed: they may have run, and left links.
    package func regard(writable paths: [String]) {
        for path in paths { writable.add(path) }
    }

    private func add(
        _ task: TaskDefinition, place: UInt32, to application: ApplicationIndex
    ) throws(HostError) -> TaskIndex {
        let definition = applications[application].definition
        let row = try HostError.rethrowing(
            store: keeper.taskRow(TaskName(task.identifier, of: definition.identifier)))
        _ = tasks.append(InstalledTask(definition: task, application: application, place: place, row: row))
        let index = decider.addTask(
            TaskRules(task, of: application), schedulingRules(task, application, row: row))
        taskIndices[task.identifier] = index
        taskNames.append(task.identifier)
        members[application].tasks.append(index)
        presentTasks += 1
        try tellNew(index)
        return index
    }

    // MARK: Changing

    /// Whether the offered definition differs from the installed one.
    func isNews(_ application: InstalledApplication, at index: ApplicationIndex) -> Bool {
        !applications[index].isSame(as: application) || !members[index].isPresent
    }

    /// Gives an application its new form.
    ///
    /// - Returns: the tasks that it did not have.
    func replace(_ index: ApplicationIndex, by application: InstalledApplication) throws(HostError) -> [TaskIndex] {
        applications[index] = application
        setPresent(true, index)
        writable.add(application.definition)
        decider.hear(.renewed(application: index))
        decider.setLifecycle(application.library?.isApplication ?? false, of: index)
        decider.setSpares(application.definition.mayHaveSpare, of: index)
        // Before the new rules let something start.
        _ = decider.passRenewals()
        var added: [TaskIndex] = []
        var kept = Set<TaskIndex>()
        for (place, task) in application.tasks.enumerated() {
            guard let known = self.task(named: task.identifier), tasks[known].application == index else {
                added.append(try add(task, place: UInt32(place), to: index))
                continue
            }
            kept.insert(known)
            tasks[known].definition = task
            tasks[known].place = UInt32(place)
            decider.setRules(
                TaskRules(task, of: index), schedulingRules(task, index, row: tasks[known].row), of: known)
            setRemoved(false, known)
            try tellNew(known)
        }
        kept.formUnion(added)
        for task in members[index].tasks where !kept.contains(task) { try takeAway(task) }
        order(index)
        return added
    }

    /// Its manifest was removed.
    ///
    /// - Returns: false: it had been removed before.
    func remove(_ index: ApplicationIndex) throws(HostError) -> Bool {
        guard members[index].isPresent else { return false }
        setPresent(false, index)
        for task in members[index].tasks { try takeAway(task) }
        decider.setSpares(false, of: index)
        decider.hear(.renewed(application: index))
        return true
    }

    /// Which task comes after which, by their manifest.
    private func order(_ application: ApplicationIndex) {
        for task in members[application].tasks {
            let identifier = tasks[task].definition.identifier
            let followers = members[application].tasks.filter {
                !tasks[$0].isRemoved && tasks[$0].definition.after == identifier
            }
            decider.setFollowers(followers, of: task)
        }
    }

    private func tellNew(_ task: TaskIndex) throws(HostError) {
        try taskIsNew(task)
        try taskIsNewToFleet(task)
    }

    private func takeAway(_ task: TaskIndex) throws(HostError) {
        setRemoved(true, task)
        try tellNew(task)
    }

    private func setRemoved(_ removed: Bool, _ task: TaskIndex) {
        guard tasks[task].isRemoved != removed else { return }
        tasks[task].isRemoved = removed
        presentTasks += removed ? -1 : 1
        decider.setRemoved(removed, task: task)
    }

    private func setPresent(_ present: Bool, _ application: ApplicationIndex) {
        guard members[application].isPresent != present else { return }
        members[application].isPresent = present
        presentApplications += present ? 1 : -1
    }

    // MARK: Boots

    /// The time of schedules at boot: the machine was started since a host last served the folder.
    package func setBoot(_ time: Timestamp) {
        boot = time
        for task in tasks.indices where tasks[task].definition.schedule?.isAtBoot == true { renewSchedule(of: task) }
    }

    // MARK: Time zones

    /// Computes the task's times with the present time zones. Due times stay due.
    package func renewSchedule(of task: TaskIndex) {
        let known = tasks[task]
        guard !known.isRemoved, let schedule = known.definition.schedule, schedule.scope == .host,
            let rule = scheduleRule(schedule, of: known.definition.identifier)
        else { return }
        decider.setSchedule(rule, of: task)
    }

    // MARK: Rules

    private func schedulingRules(
        _ task: TaskDefinition, _ application: ApplicationIndex, row: Int64
    ) -> TaskSchedulingRules {
        let definition = applications[application].definition
        var rules = TaskSchedulingRules(task, of: definition, application: application)
        rules.identity = row
        spaceIsAskedFor(task.requires[.disk])
        if let schedule = task.schedule, schedule.scope == .host,
            let rule = scheduleRule(schedule, of: task.identifier)
        {
            rules.schedule = decider.addSchedule(rule, of: self.task(named: task.identifier))
        }
        return rules
    }

    /// How many times of the task's schedule lie after the first moment and not after the second: a few at most.
    func scheduledTimes(of task: TaskIndex, after first: Timestamp, until last: Timestamp) -> Int {
        let definition = tasks[task].definition
        guard let schedule = definition.schedule, let rule = scheduleRule(schedule, of: definition.identifier) else {
            return 0
        }
        var (count, time) = (0, first)
        while count < Self.mostTimes, let next = rule.next(after: time), next <= last {
            (count, time) = (count + 1, next)
        }
        return count
    }

    private static let mostTimes = 1000

    /// nil: the machine does not have the schedule's time zone, which validation has reported.
    func scheduleRule(_ schedule: Schedule, of identifier: String) -> ScheduleRule? {
        guard let zone = timeZones.rules(named: schedule.timeZone) else { return nil }
        return ScheduleRule(
            schedule, zone: zone, seed: ScheduleRule.seed(machine: timeZones.machineSeed, identifier: identifier),
            boot: boot)
    }
}
