import Engine
import Manifests
import Record
import Scheduling
import Store
import TaskModel

// Applications: their tables in the engine, in the scheduler and in the record.
extension Host {
    /// Adds an application and returns the indices of its tasks, in the order of its manifest.
    @discardableResult
    package func install(_ application: InstalledApplication) throws(HostError) -> [UInt32] {
        let definition = application.definition
        let index = engine.addApplication(ApplicationRules(isolatesRuns: definition.isolation == .run))
        let same = scheduler.addApplication(remembered[definition.identifier] ?? ApplicationMemory())
        precondition(index == same, "the tables of engine and scheduler grow together")
        do throws(StoreError) {
            applicationRows.append(try store.applicationRow(definition.identifier))
        } catch {
            throw .store(error)
        }
        applicationIndices[definition.identifier] = applications.count
        applicationNames.append(definition.identifier)
        applications.append(application)
        writable.add(definition)
        members.append(ApplicationMembers())
        launchFrames.append(nil)
        var indices: [UInt32] = []
        for (place, task) in application.tasks.enumerated() {
            indices.append(try add(task, place: UInt32(place), to: index))
        }
        return indices
    }

    /// Takes note of what applications may write that are not installed: they may have run, and left links.
    package func regard(writable paths: [String]) {
        for path in paths { writable.add(path) }
    }

    func add(_ task: TaskDefinition, place: UInt32, to application: UInt32) throws(HostError) -> UInt32 {
        let definition = applications[Int(application)].definition
        let row: Int64
        do throws(StoreError) {
            row = try store.taskRow(identifier: task.identifier, application: definition.identifier)
        } catch {
            throw .store(error)
        }
        tasks.append(InstalledTask(definition: task, application: Int(application), place: place, row: row))
        let index = engine.addTask(Self.rules(task, application))
        let same = scheduler.addTask(schedulingRules(task, application, row: row))
        precondition(index == same, "the tables of engine and scheduler grow together")
        taskIndices[task.identifier] = index
        taskNames.append(task.identifier)
        members[Int(application)].tasks.append(index)
        countPresent(1, of: Int(application))
        return index
    }

    static func rules(_ task: TaskDefinition, _ application: UInt32) -> TaskRules {
        TaskRules(
            application: application, wallClock: task.budget.wallClock, grace: task.budget.grace,
            cpuTime: task.budget.cpuTime, memory: task.budget.memory, disk: task.budget.disk,
            isMonitored: !task.requires.externalPower, stall: task.budget.stall,
            sharesDeadline: task.handler == .registered && task.budget.declared.isDisjoint(with: [.wallClock, .grace]))
    }

    func schedulingRules(_ task: TaskDefinition, _ application: UInt32, row: Int64) -> TaskSchedulingRules {
        let definition = applications[Int(application)].definition
        var rules = TaskSchedulingRules(task, of: definition, application: application)
        rules.identity = row
        if let schedule = task.schedule, let rule = scheduleRule(schedule, of: task.identifier) {
            let old = self.task(named: task.identifier).flatMap { scheduler.rules(of: $0).schedule }
            rules.schedule = scheduler.addSchedule(rule, insteadOf: old)
        }
        return rules
    }

    /// The task of that identifier.
    package func task(named identifier: some StringProtocol) -> UInt32? { taskIndices[String(identifier)] }

    /// The application of that identifier.
    package func application(named identifier: String) -> Int? { applicationIndices[identifier] }

    /// The task that may have been meant; of one application, or of all.
    func nearestTask(to identifier: String, of application: Int? = nil) -> String? {
        guard let application else {
            return taskNames.nearest(to: identifier) { !tasks[$0].isRemoved }
        }
        let own = members[application].tasks.filter { !tasks[Int($0)].isRemoved }
        return Nearest.match(for: identifier, among: own.map { tasks[Int($0)].definition.identifier })
    }

    /// Keeps count of what the manifests have.
    func countPresent(_ change: Int, of application: Int) {
        let before = members[application].present
        members[application].present += change
        presentTasks += change
        if before == 0 { presentApplications += 1 }
        if members[application].present == 0 { presentApplications -= 1 }
    }
}
