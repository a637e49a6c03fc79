package import TaskModel

// Applications whose manifest or library changed.
extension Engine {
    /// The application has a new revision: its present worker takes no more runs and leaves when it has none; waiting runs
    /// get the next worker.
    mutating func renew(_ application: ApplicationIndex) {
        if let spare = applications[application].spare { kill(spare) }
        guard let worker = applications[application].worker else { return }
        workers[worker].isOutdated = true
        reconsider(application)
        noteRenewal(of: application)
        if workers[worker].runs.isEmpty && workers[worker].phase == .ready {
            becomeIdle(worker)
        }
    }

    /// The next application with news about this: whether its process belongs to an earlier revision, so that new runs have
    /// to wait for the next one; nil when there is none. Never one whose runs are isolated: they have separate processes.
    package mutating func takeRenewal() -> (application: ApplicationIndex, isOutdated: Bool)? {
        guard let application = renewals.popLast() else { return nil }
        let worker = applications[application].worker
        return (application, worker.map { workers[$0].isOutdated } ?? false)
    }

    mutating func noteRenewal(of application: ApplicationIndex) {
        if !applications[application].isolatesRuns { renewals.append(application) }
    }

    /// The application of a task.
    package func application(of task: TaskIndex) -> ApplicationIndex { tasks[task].application }

    /// The runs that are neither ended nor released. Walks over all slots: for queries by users.
    package var activeRuns: [RunHandle] {
        var active: [RunHandle] = []
        for run in runs.indices where runs.isTaken(run) && runs[run].phase != .ended {
            active.append(runs.handle(run))
        }
        return active
    }

    /// When the worker's background time ends; `distantFuture` while nothing ends it.
    package func backgroundEnd(of worker: WorkerHandle) -> Instant {
        guard let worker = workers.index(worker), let since = workers[worker].backgroundSince else {
            return .distantFuture
        }
        return since + limits.profile.backgroundTime
    }
}
