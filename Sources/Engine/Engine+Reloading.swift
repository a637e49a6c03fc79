package import TaskModel

// Applications whose manifest or library changed.
extension Engine {
    /// The application has a new form: its present worker takes no more runs and leaves when it has none; what waits gets the
    /// next one.
    mutating func renew(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        guard let worker = applications[Int(application)].worker else { return }
        workers[Int(worker)].isOutdated = true
        reconsider(application)
        noteRenewal(of: application)
        if workers[Int(worker)].runs == 0 && workers[Int(worker)].phase == .ready {
            rest(worker, at: now, into: &actions)
        }
    }

    /// The next application of which this is news: whether its process is of an earlier revision, so that new runs have to wait for
    /// the next one; nil when there is no news. Never one whose runs are isolated: they have processes of their own.
    package mutating func takeRenewal() -> (application: UInt32, isOutdated: Bool)? {
        guard let application = renewals.popLast() else { return nil }
        let worker = applications[Int(application)].worker
        return (application, worker.map { workers[Int($0)].isOutdated } ?? false)
    }

    mutating func noteRenewal(of application: UInt32) {
        if !applications[Int(application)].isolatesRuns { renewals.append(application) }
    }

    /// The application of a task.
    package func application(of task: UInt32) -> UInt32 { tasks[Int(task)].application }

    /// The runs that are neither ended nor forgotten. Walks over all slots: for people's questions.
    package var activeRuns: [RunHandle] {
        var active: [RunHandle] = []
        for index in runs.indices where runs[index].phase != .free && runs[index].phase != .ended {
            active.append(handle(ofRun: UInt32(index)))
        }
        return active
    }

    /// When the worker's background time ends; `distantFuture` while nothing ends it.
    package func backgroundEnd(of worker: WorkerHandle) -> Instant {
        guard isCurrent(worker), let since = workers[Int(worker.index)].backgroundSince else { return .distantFuture }
        return since + limits.profile.backgroundTime
    }
}
