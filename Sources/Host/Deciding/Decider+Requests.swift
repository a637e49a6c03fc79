package import Scheduling
package import TaskModel

// What the scheduler knows about requests, and what happens to these.
extension Decider {
    /// Due requests start. Otherwise requests are accepted and kept, and only a simulated launch starts one: for a host that
    /// serves one verb.
    package var startsByItself: Bool {
        get { scheduler.startsByItself }
        set { scheduler.startsByItself = newValue }
    }

    /// The scheduler has something to decide now.
    var isSchedulingDue: Bool { scheduler.nextDeadline(at: now) <= now.instant }

    // MARK: Looking

    /// The request; nil: it has been forgotten.
    package func request(_ request: RequestHandle) -> RequestView? { scheduler.request(request) }

    /// The pending request of the identity.
    package func pendingRequest(identity: Int64) -> RequestHandle? { scheduler.handle(identity: identity) }

    /// Pending requests of one application, or of all, in order of submission.
    package func pendingRequests(of application: ApplicationIndex?) -> [RequestHandle] {
        scheduler.pending(application: application)
    }

    package var pendingRequestCount: Int { scheduler.pendingCount }
    var runningRequestCount: Int { scheduler.runningCount }

    /// How many requests of each kind wait.
    package func pendingKinds() -> [TaskKind: Int] { scheduler.pendingKinds() }

    /// Every gate that concerns a request of its kind, in the order of `Gate`. Empty for a forgotten request.
    package func explain(_ request: RequestHandle) -> [GateReport] { scheduler.explain(request, at: now) }

    /// The spans in which each gate held the request back in its present attempt, in order of time.
    package func waits(of request: RequestHandle) -> [GateWait] { scheduler.waits(of: request, at: now) }

    // MARK: Tasks

    /// While it is the same, `couldStart` answers the same.
    func openness(upTo most: Int) -> Scheduler.Openness { scheduler.openness(upTo: most) }

    /// Whether a plain request of the task would start now.
    func couldStart(_ task: TaskIndex) -> Bool { scheduler.couldStart(task) }

    /// The gate that holds a plain request of the task; nil: none does.
    func holdingGate(of task: TaskIndex) -> Gate? { scheduler.holdingGate(of: task) }

    // MARK: Schedules

    /// Whether the pending request of the identity is a time of its schedule, and no further try of one that has begun.
    func isScheduledTime(identity: Int64) -> Bool { scheduler.isScheduledTime(identity: identity) }

    /// How often a time of the task's schedule was missed.
    package func missed(of task: TaskIndex) -> UInt32 { scheduler.missed(of: task) }

    /// The second time of the task's schedule after `time`; nil: it has no schedule.
    package func secondTime(of task: TaskIndex, after time: Timestamp) -> Timestamp? {
        scheduler.secondTime(of: task, after: time)
    }

    /// Skips the time of its schedule that the identity's pending request waits for, or is delayed at.
    ///
    /// - Returns: that time; nil: no time of a schedule is pending.
    func skip(identity: Int64) -> Timestamp? { scheduler.skip(identity: identity, at: now) }

    // MARK: Coming and going

    /// Takes a request in, in place of the pending one of its identity. Decisions count even when it throws.
    func submit(_ request: TaskRequest, of task: TaskIndex) throws(SubmissionFault) -> RequestHandle {
        try scheduler.submit(request, of: task, at: now)
    }

    /// Takes in a request of the record. It waits for `beginRequests`.
    func restore(_ request: TaskRequest, of task: TaskIndex) { _ = scheduler.restore(request, of: task) }

    /// Takes in a request that no record has. It may start in the scheduler's next turn.
    func enter(_ request: TaskRequest, of task: TaskIndex) -> RequestHandle { scheduler.restore(request, of: task) }

    /// The request is another host's from now on: one that waits is forgotten, one that runs has no further try.
    func withdraw(_ request: RequestHandle) { scheduler.withdraw(request, at: now) }

    /// Everything is restored: requests find their places. A host that only answers leaves schedules and fetches to a
    /// daemon.
    func beginRequests() {
        scheduler.begin(at: now)
        if !scheduler.startsByItself { scheduler.removeOwnSubmissions() }
    }

    /// Deletes the pending request of the identity. Its run continues, and a time of its schedule stays.
    ///
    /// - Returns: whether there was one.
    func cancelRequest(identity: Int64) -> Bool { scheduler.cancel(identity: identity, at: now) }

    /// Forgets every pending request of the application but those of its manifest's schedules and of its events.
    func cancelRequests(of application: ApplicationIndex) { scheduler.cancelAll(application: application, at: now) }

    /// Runs the pending request of the identity now, regardless of its date and the gates.
    ///
    /// - Returns: whether there was one whose task still exists.
    func simulateLaunch(identity: Int64) -> Bool { scheduler.simulateLaunch(identity: identity, at: now) }

    /// The run of a request has ended.
    ///
    /// - Returns: whether the request will be tried again.
    func ended(_ request: RequestHandle, _ end: RequestEnd) -> Bool { scheduler.ended(request, end, at: now) }

    /// A run without a request has succeeded.
    func succeeded(_ task: TaskIndex) { scheduler.succeeded(task, at: now) }
}
