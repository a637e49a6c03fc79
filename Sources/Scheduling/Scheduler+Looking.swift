package import TaskModel

// Queries of the host. None of them changes anything.
extension Scheduler {
    /// The request, or nil when it has been forgotten.
    package func request(_ handle: RequestHandle) -> RequestView? {
        guard let index = requests.index(handle) else { return nil }
        let slot = requests[index]
        return RequestView(
            request: slot.request, task: slot.task, phase: slot.phase == .running ? .running : .pending,
            application: tasks[slot.task].rules.application, shortage: shortages[index],
            since: Timestamp(nanoseconds: slot.since))
    }

    package var pendingCount: Int { pendingByIdentity.count }
    package var runningCount: Int { running.count }

    /// Pending requests of one application, or of all, in order of submission.
    package func pending(application: ApplicationIndex?) -> [RequestHandle] {
        var list =
            application.map { pendingSlots(of: $0) { _ in true } }
            ?? requests.indices.filter { requests.isTaken($0) && requests[$0].phase == .pending }
        list.sort { requests[$0].sequence < requests[$1].sequence }
        return list.map { requests.handle($0) }
    }

    /// The pending request of the identity.
    package func handle(identity: Int64) -> RequestHandle? { pendingByIdentity[identity].map { requests.handle($0) } }

    /// How often a time of the task's schedule was missed.
    package func missed(of task: TaskIndex) -> UInt32 { tasks[task].missed }

    /// The second time of the task's schedule after `time`; nil: it has no schedule.
    package func secondTime(of task: TaskIndex, after time: Timestamp) -> Timestamp? {
        guard let schedule = tasks[task].rules.schedule, let first = schedules[schedule].next(after: time) else {
            return nil
        }
        return schedules[schedule].next(after: first)
    }

    /// How many requests of each kind wait.
    package func pendingKinds() -> [TaskKind: Int] {
        var kinds: [TaskKind: Int] = [:]
        for index in requests.indices where requests.isTaken(index) && requests[index].phase == .pending {
            kinds[tasks[requests[index].task].rules.kind, default: 0] += 1
        }
        return kinds
    }

    package func schedule(of task: TaskIndex) -> ScheduleIndex? { tasks[task].rules.schedule }
    package func application(of task: TaskIndex) -> ApplicationIndex { tasks[task].rules.application }
    package func memory(of application: ApplicationIndex) -> ApplicationMemory { applications[application].memory }
    package func state(of application: ApplicationIndex) -> ApplicationState { applications[application].state }

    /// The application's processor time, as it still counts in the fair order.
    package func usage(of application: ApplicationIndex, at now: ClockReading) -> TimeSpan {
        measure.remaining(applications[application].memory.usage, at: now.time)
    }
}
