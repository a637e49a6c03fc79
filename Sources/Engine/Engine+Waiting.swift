package import TaskModel

// Waiting runs, by application: one whose worker is leaving delays no other, and costs nothing.
extension Engine {
    /// How many workers of isolated runs may be leaving in addition to those that run.
    package static let mostLeaving = 16

    /// Starts waiting runs while there is capacity, in order of arrival over the applications that can run.
    mutating func placeWaiting() {
        while sleep.isAwake, occupied < limits.concurrency, let application = nextRunnable,
            let run = applications[application].waiting.first
        {
            dequeue(run)
            place(run)
        }
    }

    /// The application with the oldest run that could start if there is a place.
    private var nextRunnable: ApplicationIndex? {
        guard hasRoomForIsolated, let isolated = runnableIsolated.least, isolated < runnable.least ?? .max else {
            return runnable.first
        }
        return runnableIsolated.first
    }

    /// A run that has ended leaves its worker leaving; the number of those is limited.
    private var hasRoomForIsolated: Bool { isolatedWorkers - spares < limits.concurrency + Self.mostLeaving }

    /// Whether a run of the application could start now.
    @inline(__always) func hasPlace(for application: ApplicationIndex) -> Bool {
        sleep.isAwake && occupied < limits.concurrency && takesRuns(application)
            && (!applications[application].isolatesRuns || hasRoomForIsolated)
    }

    /// Its worker is there, or can be launched.
    @inline(__always) func takesRuns(_ application: ApplicationIndex) -> Bool {
        guard !applications[application].isolatesRuns, let worker = applications[application].worker else {
            return !applications[application].isHeld
        }
        switch workers[worker].phase {
        case .launching, .ready:
            return workers[worker].disconnectedUntil == nil && !workers[worker].isOutdated
                && !workers[worker].awaitsWeight
        case .spare, .leaving, .killing, .gone: return false
        }
    }

    /// What a run that has no worker yet waits for; nil: it has one, or waits only for a worker to end.
    package func gate(of run: RunHandle) -> Gate? {
        guard let slot = runs[run], slot.phase == .pending else { return nil }
        let application = tasks[slot.task].application
        if !sleep.isAwake { return .sleep }
        if applications[application].isHeld { return .shortage }
        if !applications[application].isolatesRuns, let worker = applications[application].worker,
            workers[worker].isOutdated
        {
            return .revision
        }
        return occupied < limits.concurrency ? nil : .capacity
    }

    /// The application has got or lost its first waiting run, or a worker that can take it.
    mutating func reconsider(_ application: ApplicationIndex) {
        let first = takesRuns(application) ? applications[application].waiting.first : nil
        let isolates = applications[application].isolatesRuns
        switch (first, isolates) {
        case (let run?, true): runnableIsolated.set(application, to: runs[run].sequence)
        case (let run?, false): runnable.set(application, to: runs[run].sequence)
        case (nil, true): runnableIsolated.remove(application)
        case (nil, false): runnable.remove(application)
        }
    }

    mutating func enqueue(_ run: RunIndex) {
        let application = tasks[runs[run].task].application
        waiting += 1
        runs.append(run, to: &applications[application].waiting)
        if applications[application].waiting.first == run { reconsider(application) }
    }

    /// Puts a returned run before all others of its application.
    mutating func enqueueFirst(_ run: RunIndex) {
        let application = tasks[runs[run].task].application
        waiting += 1
        runs.prepend(run, to: &applications[application].waiting)
        reconsider(application)
    }

    mutating func dequeue(_ run: RunIndex) {
        let application = tasks[runs[run].task].application
        let wasFirst = applications[application].waiting.first == run
        waiting -= 1
        runs.remove(run, from: &applications[application].waiting)
        if wasFirst { reconsider(application) }
    }
}
