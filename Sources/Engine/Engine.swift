package import TaskModel

/// Decides everything about runs and workers: which run may start, which is warned or killed, and with which outcome it
/// ends.
///
/// A value without clock, files or randomness: events and the time go in, `actions` come out. The same engine serves the host,
/// the testing kit and the simulations. Events and actions hold plain integers, and tables are reused, so that a warm run
/// costs no allocation. Not copyable: otherwise every query would copy the references of all its tables. The call of a query still
/// moves the engine to the stack, so queries of the warm path are inlined, or read `runs`.
package struct Engine: ~Copyable, Sendable {
    package let limits: EngineLimits
    var tasks = Table<TaskIndex, TaskRules>()
    var applications = Table<ApplicationIndex, ApplicationSlot>()
    /// Outside `runs[handle]` copies a run, and `runs[index].property` reads one property in place.
    package internal(set) var runs = SlotTable<RunIndex, RunSlot>()
    var workers = SlotTable<WorkerIndex, WorkerSlot>()
    var runDeadlines = DeadlineHeap<RunIndex>()
    var workerDeadlines = DeadlineHeap<WorkerIndex>()
    /// When callbacks must have returned.
    var watchdogs = DeadlineHeap<WorkerIndex>()
    /// When events of background sessions must have been handled.
    var sessionDeadlines = DeadlineHeap<WorkerIndex>()
    /// When applications whose launches failed for lack of a resource are tried again.
    var holds = DeadlineHeap<ApplicationIndex>()
    /// Applications to launch without a run, in the order of the requests.
    var wakes = SlotHeap<ApplicationIndex>()
    var nextWake: Int64 = 0
    /// Workers without runs that nothing but the hope for the next run keeps, by the order of their last use.
    var idle = SlotHeap<WorkerIndex>()
    var nextIdle: Int64 = 0
    /// Workers of suspended applications, by the order of their last use.
    var suspended = SlotHeap<WorkerIndex>()
    /// Suspended applications are ended rather than kept.
    var isMemoryShort = false
    var sleep = MachineSleep.awake
    /// Applications with waiting runs whose worker could take one, by the number of the first of these. Those with
    /// isolated runs are kept separately: what delays one delays all of them.
    var runnable = SlotHeap<ApplicationIndex>()
    var runnableIsolated = SlotHeap<ApplicationIndex>()
    /// Applications whose state has changed.
    var changedApplications: [ApplicationIndex] = []
    /// Applications with news about a process of an earlier revision, or its end.
    var renewals: [ApplicationIndex] = []
    /// Runs that are launching, running, expiring or ending.
    package internal(set) var occupied = 0
    package internal(set) var waiting = 0
    /// Workers of isolated runs that have not ended.
    var isolatedWorkers = 0
    /// Of these, processes that were made ahead and wait for a run.
    var spares = 0
    /// Workers that are being launched.
    var launching = 0
    /// How many times the host asked to stop.
    var stopRequests = 0
    /// The reason with which the first of them ends runs.
    var stopReason = Reason.hostStopping
    var nextSequence: Int64
    var disk = DiskWatch()
    /// The moment of the turn, as the last call gave it.
    var now = ClockReading(instant: Instant(nanoseconds: 0), time: Timestamp(nanoseconds: 0))
    /// What has to be done, in the order of the decisions, until `removeActions`. The list is reused.
    package var actions: [Action] = []

    /// - Parameter nextSequence: the number of the first run; each has one more than the run before it.
    package init(limits: EngineLimits, nextSequence: Int64 = 1) {
        self.limits = limits
        self.nextSequence = nextSequence
    }

    // MARK: Tables

    /// Adds an application and returns its index.
    package mutating func addApplication(_ rules: ApplicationRules) -> ApplicationIndex {
        applications.append(ApplicationSlot(rules))
    }

    /// The application's library is another one, from its next worker on.
    package mutating func setLifecycle(_ hasLifecycle: Bool, of application: ApplicationIndex) {
        applications[application].hasLifecycle = hasLifecycle
    }

    /// Whether processes may be made ahead for its runs, from the next one on.
    package mutating func setSpares(_ mayHaveSpare: Bool, of application: ApplicationIndex) {
        applications[application].mayHaveSpare = mayHaveSpare
    }

    /// Adds a task and returns its index.
    package mutating func addTask(_ rules: TaskRules) -> TaskIndex {
        precondition(applications.contains(rules.application), "a task needs its application to be added first")
        provide(rules, for: rules.application)
        return tasks.append(rules)
    }

    /// Gives the task other numbers, from its next run on.
    package mutating func setRules(_ rules: TaskRules, of task: TaskIndex) {
        precondition(rules.application == tasks[task].application, "a task stays with its application")
        tasks[task] = rules
        provide(rules, for: rules.application)
    }

    /// A worker without runs has the memory of the largest task that has a limit, and may keep a part of the smallest one's. Its folders are
    /// measured for the smallest.
    private mutating func provide(_ rules: TaskRules, for application: ApplicationIndex) {
        if rules.memory < .unlimited {
            applications[application].memory = max(applications[application].memory, rules.memory)
        }
        applications[application].leastMemory = min(applications[application].leastMemory, rules.memory)
        applications[application].disk = min(applications[application].disk, rules.disk)
    }

    /// The runs that the worker has, oldest first.
    package func runs(of worker: WorkerHandle) -> [RunHandle] {
        guard let worker = workers.index(worker) else { return [] }
        var list: [RunHandle] = []
        var next = workers[worker].runs.first
        while let run = next {
            list.append(runs.handle(run))
            next = runs.next(after: run)
        }
        return list
    }

    /// The application of a worker; nil: the worker has been retired.
    package func application(of worker: WorkerHandle) -> ApplicationIndex? {
        workers.index(worker).map { workers[$0].application }
    }

    /// Whether the worker is being launched or is ready: it has not been asked to exit, and is not being killed.
    package func isServing(_ worker: WorkerHandle) -> Bool {
        workers.index(worker).map { workers[$0].phase == .launching || workers[$0].phase == .ready } ?? false
    }

    /// How many runs the worker has.
    package func runCount(of worker: WorkerHandle) -> Int { workers.index(worker).map { workers[$0].runs.count } ?? 0 }

    /// Whether nothing is submitted or running any more.
    package var isQuiet: Bool { occupied == 0 && waiting == 0 && workers.count == 0 }

    package var isStopping: Bool { stopRequests > 0 }

    /// When `advance` has something to do; `distantFuture` when only an event can bring news.
    package var nextDeadline: Instant {
        min(
            runDeadlines.next, workerDeadlines.next,
            min(holds.next, min(disk.next, min(min(watchdogs.next, sessionDeadlines.next), sleep.deadline))))
    }

    // MARK: Input

    /// Processes one event.
    package mutating func handle(_ event: Event, at now: ClockReading) {
        self.now = now
        switch event {
        case .submitted(let submission): submit(submission)
        case .ready(let worker): ready(worker)
        case .refused(let worker): refused(worker)
        case .lacked(let worker, let shortage): lacked(worker, shortage)
        case .hung(let worker): hung(worker)
        case .completed(let worker, let run, let success, let result, let automatic, let program):
            completed(
                worker, run, success: success, result: result, automatic: automatic, program: program)
        case .deferred(let worker, let run, let deferral):
            deferred(worker, run, deferral)
        case .unreported(let worker, let run): leave(worker, run, as: .unreported)
        case .declined(let worker, let run, let program): declined(worker, run, program)
        case .metered(let worker, let cpu, let peak): metered(worker, cpu: cpu, peak: peak)
        case .weighed(let worker, let memory): weighed(worker, memory: memory)
        case .spaceMetered(let free): spaceMetered(free)
        case .diskMetered(let application, let used): diskMetered(application, used)
        case .diskRefused(let application): diskRefused(application)
        case .diskFull(let reserve): diskFull(reserve)
        case .exited(let worker, let exit): exited(worker, exit)
        case .treeExited(let worker): treeExited(worker)
        case .stale(let worker): stale(worker)
        case .leavesWhenIdle(let worker): leaveWhenIdle(worker)
        case .descriptorsCameFree: tryFirstHeld()
        case .memoryRanOut(let worker): memoryRanOut(worker)
        case .outOfMemory(let worker): outOfMemory(worker)
        case .violated(let worker): violated(worker)
        case .flooded(let worker, let run): flooded(worker, by: run)
        case .disconnected(let worker): disconnected(worker)
        case .progressed(let worker, let run, let count): progressed(worker, run, completed: count)
        case .assertions(let worker, let count): assertions(worker, count: count)
        case .returned(let worker, let state): returned(worker, state: state)
        case .frozen(let worker, let holdsLock): frozen(worker, holdsLock: holdsLock)
        case .sleeps(let end): fallAsleep(until: end)
        case .awoke: awake()
        case .memoryPressure(let isShort): memoryPressure(isShort)
        case .expired(let run, let reason): interrupt(run, because: reason)
        case .foreground(let application, let isForeground):
            if isForeground {
                enterForeground(application)
            } else {
                enterBackground(application)
            }
        case .renewed(let application): renew(application)
        case .wake(let application): wake(application)
        case .sessionEvents(let application): sessionEvents(application)
        case .sessionsHandled(let worker): sessionsHandled(worker)
        case .terminateApplication(let application, let reason):
            terminate(application: application, because: reason)
        case .cancelled(let run): interrupt(run, because: .userCancelled)
        case .simulatedExpiration(let run): interrupt(run, because: .simulated)
        case .stopping: stop(because: .hostStopping)
        case .cancelling: stop(because: .userCancelled)
        }
        settle()
    }

    /// What follows from anything that happens.
    private mutating func settle() {
        if wakes.least != nil { launchAwaited() }
        if case .falling = sleep { settleSleep() }
    }

    /// Takes in a run: the event `submitted`, with the handle that it gets.
    package mutating func admit(
        _ submission: Submission, at now: ClockReading
    ) -> RunHandle {
        self.now = now
        let run = submit(submission)
        if wakes.least != nil { launchAwaited() }
        return run
    }

    /// Takes the first action; nil: there is none. It takes time for all of them.
    package mutating func takeAction() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

    /// Its actions have been taken.
    package mutating func removeActions() { actions.removeAll(keepingCapacity: true) }

    /// Performs everything that is due by now.
    package mutating func advance(to now: ClockReading) {
        self.now = now
        while true {
            if let run = runDeadlines.due(at: now.instant) {
                runIsDue(run)
            } else if let worker = workerDeadlines.due(at: now.instant) {
                workerIsDue(worker)
            } else if let application = holds.due(at: now.instant) {
                holdIsOver(application)
            } else if let worker = watchdogs.due(at: now.instant) {
                watchdogIsDue(worker)
            } else if let worker = sessionDeadlines.due(at: now.instant) {
                sessionsAreDue(worker)
            } else if sleep.deadline <= now.instant {
                sleepBegins()
            } else if disk.next <= now.instant {
                lookAtDisk()
            } else {
                break
            }
        }
        settle()
    }

    /// The host has answered the requester: the slot may be reused.
    package mutating func release(_ run: RunHandle) {
        guard let run = runs.index(run), runs[run].phase == .ended else { return }
        runs.release(run)
    }

    /// The host has released the worker: the slot may be reused.
    package mutating func release(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].phase == .gone else { return }
        workers.release(worker)
    }
}
