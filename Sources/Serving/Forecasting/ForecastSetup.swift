import Scheduling
import Setting
import TaskModel

/// Fills a forecast's scheduler from the real manifests and the host's data, and keeps what the scheduler does not know: names,
/// lengths of runs, times that are left out.
struct ForecastSetup {
    struct Task {
        var definition: TaskDefinition
        var application: String
        var identity: Int64
    }

    private(set) var tasks = TaskModel.Table<TaskIndex, Task>()
    /// How long a run of each task takes.
    private(set) var lengths: [TimeSpan] = []
    /// Identifiers of pending requests by their identity; those that a wildcard serves have their own.
    private(set) var identifiers: [Int64: String] = [:]
    /// Times of schedules that the user skipped, each with the submission time of the next request, by its identity.
    private(set) var leftOut: [Int64: (time: Timestamp, submitted: Timestamp)] = [:]
    /// Pending requests that no manifest has a task for.
    private(set) var homeless: [String] = []

    /// Of a task that has neither run nor a wall-clock budget.
    private static let guess = TimeSpan.minutes(1)

    /// - Parameter scheduler: gets the applications, the tasks and the requests.
    init(_ question: ForecastQuestion, _ zones: TimeZones, into scheduler: inout Scheduler) {
        let requests = question.requests
        let rows = Dictionary(requests.map { ($0.identifier, $0.identity) }) { first, _ in first }
        // A task that the record does not know gets a number that it has for none.
        var nextIdentity = (requests.map(\.identity).max() ?? 0) + 1
        for application in question.applications {
            let definition = application.definition
            let index = scheduler.addApplication(question.memories[definition.identifier] ?? ApplicationMemory())
            for task in application.tasks {
                var rules = TaskSchedulingRules(task, of: definition, application: index)
                // Future files are unknown: they are assumed to exist in time.
                rules.awaits = []
                if let schedule = task.schedule, let zone = zones.rules(named: schedule.timeZone) {
                    let seed = ScheduleRule.seed(machine: zones.machineSeed, identifier: task.identifier)
                    rules.schedule = scheduler.addSchedule(ScheduleRule(schedule, zone: zone, seed: seed))
                }
                rules.identity = rows[task.identifier] ?? nextIdentity
                if rows[task.identifier] == nil { nextIdentity += 1 }
                identifiers[rules.identity] = task.identifier
                _ = scheduler.addTask(rules)
                _ = tasks.append(Task(definition: task, application: definition.identifier, identity: rules.identity))
                lengths.append(question.lengths[task.identifier] ?? Self.length(of: task))
            }
            order(index, into: &scheduler)
        }
        for request in requests { restore(request, into: &scheduler) }
        for (work, pause) in question.pauses {
            apply(pause, to: work, at: question.start, into: &scheduler)
        }
    }

    private func apply(
        _ pause: WorkPause, to work: PausedWork, at start: Timestamp, into scheduler: inout Scheduler
    ) {
        var parts: [PausedPart] = []
        switch work {
        case .host: parts = [.host]
        case .application(let name):
            if let own = tasks.indices.first(where: { tasks[$0].application == name }) {
                parts = [.application(scheduler.application(of: own))]
            }
        case .task(let name): parts = tasks.indices.filter { tasks[$0].definition.identifier == name }.map { .task($0) }
        }
        let now = ClockReading(instant: Instant(nanoseconds: 0), time: start)
        for part in parts { scheduler.pause(part, pause, at: now) }
    }

    /// Which task comes after which.
    private func order(_ application: ApplicationIndex, into scheduler: inout Scheduler) {
        let own = tasks.indices.filter { scheduler.application(of: $0) == application }
        for task in own {
            let identifier = tasks[task].definition.identifier
            scheduler.setFollowers(own.filter { tasks[$0].definition.after == identifier }, of: task)
        }
    }

    private mutating func restore(_ stored: TaskRequest, into scheduler: inout Scheduler) {
        guard let task = task(of: stored) else {
            homeless.append(stored.identifier)
            return
        }
        identifiers[stored.identity] = stored.identifier
        if let time = stored.leftOut { leftOut[stored.identity] = (time, stored.submitted) }
        _ = scheduler.restore(stored, of: task)
    }

    /// The task with exactly this identifier, else the one whose wildcard matches it.
    private func task(of request: TaskRequest) -> TaskIndex? {
        let own = tasks.indices.filter { tasks[$0].application == request.application }
        if let task = own.first(where: { tasks[$0].definition.identifier == request.identifier }) { return task }
        return own.first { IdentifierPattern.stands(tasks[$0].definition.identifier, for: request.identifier) }
    }

    /// Of a task that has not run: a tenth of its budget.
    private static func length(of task: TaskDefinition) -> TimeSpan {
        let budget = task.budget.wallClock
        return budget == .unlimited ? guess : TimeSpan(nanoseconds: budget.nanoseconds / 10)
    }

    /// The identifier, if it is a task's; else those of the application of that name.
    func identifiers(namedBy word: String) -> [String] {
        guard !identifiers.values.contains(word) else { return [word] }
        return tasks.indices.map { tasks[$0] }.filter { $0.application == word }.map(\.definition.identifier)
    }
}
