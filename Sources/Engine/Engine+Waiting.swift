import TaskModel

// Runs that wait, by application: one whose worker is on its way out holds up nobody else, and costs nothing.
extension Engine {
    /// Workers of isolated runs that may be on their way out beside those that run.
    package static let mostLeaving = 16

    /// Starts what waits, as far as there is room: first come first served over the applications that can run.
    mutating func placeWaiting(at now: Moment, into actions: inout [Action]) {
        while occupied < limits.concurrency, let application = nextRunnable,
            let index = applications[Int(application)].waitingFirst
        {
            dequeue(index)
            place(index, at: now, into: &actions)
        }
    }

    /// The application with the oldest run that could start if there is a place.
    private var nextRunnable: UInt32? {
        guard hasRoomForIsolated, let isolated = runnableIsolated.least, isolated < runnable.least ?? .max else {
            return runnable.first
        }
        return runnableIsolated.first
    }

    /// A run that has ended leaves its worker on its way out; those may not pile up.
    private var hasRoomForIsolated: Bool { isolatedWorkers < limits.concurrency + Self.mostLeaving }

    /// Whether a run of the application could start now.
    func hasPlace(for application: UInt32) -> Bool {
        occupied < limits.concurrency && takesRuns(application)
            && (!applications[Int(application)].isolatesRuns || hasRoomForIsolated)
    }

    /// Its worker is there, or can be launched.
    func takesRuns(_ application: UInt32) -> Bool {
        guard !applications[Int(application)].isolatesRuns, let worker = applications[Int(application)].worker else {
            return !applications[Int(application)].isHeld
        }
        switch workers[Int(worker)].phase {
        case .launching, .ready:
            return workers[Int(worker)].disconnectedUntil == nil && !workers[Int(worker)].isOutdated
                && !workers[Int(worker)].awaitsWeight
        case .free, .leaving, .killing: return false
        }
    }

    /// The application has got or lost its first waiting run, or a worker that can take it.
    mutating func reconsider(_ application: UInt32) {
        let first = takesRuns(application) ? applications[Int(application)].waitingFirst : nil
        let isolates = applications[Int(application)].isolatesRuns
        switch (first, isolates) {
        case (let index?, true): runnableIsolated.set(application, to: runs[Int(index)].sequence)
        case (let index?, false): runnable.set(application, to: runs[Int(index)].sequence)
        case (nil, true): runnableIsolated.remove(application)
        case (nil, false): runnable.remove(application)
        }
    }

    mutating func enqueue(_ index: UInt32) {
        let application = tasks[Int(runs[Int(index)].task)].application
        waiting += 1
        runs[Int(index)].previous = applications[Int(application)].waitingLast
        applications[Int(application)].waitingLast = index
        if let previous = runs[Int(index)].previous {
            runs[Int(previous)].next = index
        } else {
            applications[Int(application)].waitingFirst = index
            reconsider(application)
        }
    }

    /// Puts a run that was given back before all others of its application.
    mutating func enqueueFirst(_ index: UInt32) {
        let application = tasks[Int(runs[Int(index)].task)].application
        waiting += 1
        runs[Int(index)].next = applications[Int(application)].waitingFirst
        applications[Int(application)].waitingFirst = index
        if let next = runs[Int(index)].next {
            runs[Int(next)].previous = index
        } else {
            applications[Int(application)].waitingLast = index
        }
        reconsider(application)
    }

    mutating func dequeue(_ index: UInt32) {
        let application = tasks[Int(runs[Int(index)].task)].application
        waiting -= 1
        let (previous, next) = (runs[Int(index)].previous, runs[Int(index)].next)
        runs[Int(index)].previous = nil
        runs[Int(index)].next = nil
        if let next {
            runs[Int(next)].previous = previous
        } else {
            applications[Int(application)].waitingLast = previous
        }
        if let previous {
            runs[Int(previous)].next = next
        } else {
            applications[Int(application)].waitingFirst = next
            reconsider(application)
        }
    }
}
