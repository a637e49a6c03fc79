package import TaskModel

/// What happened outside. Plain values only, so that passing one neither allocates nor counts references.
package enum Event: Sendable, BitwiseCopyable {
    case submitted(Submission)
    /// The worker has confined itself and loaded its library.
    case ready(WorkerHandle)
    /// The worker cannot be launched, or said that it cannot serve; the host keeps the sentence.
    case refused(WorkerHandle)
    /// The host or the machine could not launch the worker, or lost it: its application did nothing.
    case lacked(WorkerHandle, Shortage)
    /// The worker was not ready in its time, and that is its library's doing; the host keeps the sentence.
    case hung(WorkerHandle)
    /// setTaskCompleted. `automatic`: the worker completed it, for want of an expiration handler.
    case completed(WorkerHandle, RunHandle, success: Bool, result: ResultValue?, automatic: Bool)
    /// The handler completed the run by asking to be called again later.
    case deferred(WorkerHandle, RunHandle, Deferral)
    /// The worker has no handler for the run; the host keeps the sentence.
    case declined(WorkerHandle, RunHandle)
    /// The last reference to the task went without completing it.
    case unreported(WorkerHandle, RunHandle)
    /// What the worker's process tree has used so far, and its highest memory; the host may begin that anew whenever it
    /// likes. Fed before `completed`, `deferred`, `declined`, `diskMetered`, `diskRefused` and `exited`.
    case metered(WorkerHandle, cpu: TimeSpan, peak: ByteCount)
    /// What the worker's tree has in memory at present; nil: unknown. The answer to `weigh`; the peak begins anew with it.
    case weighed(WorkerHandle, memory: ByteCount?)
    /// So much of the state folder's file system is free.
    case spaceMetered(free: ByteCount)
    /// What the application's folders hold; the largest number there is when it cannot be said. Answers `weighFolders`.
    case diskMetered(application: ApplicationIndex, used: ByteCount)
    /// The file system refused the application's folders more than their budget.
    case diskRefused(application: ApplicationIndex)
    /// The host itself found the disk full, and has so much left to go on with.
    case diskFull(DiskReserve)
    /// The worker's first process ended.
    case exited(WorkerHandle, WorkerExit)
    /// Nothing is left of the worker's process tree. Follows `exited`.
    case treeExited(WorkerHandle)
    /// The worker's tree has run out of memory; whom the kernel kills for that shows a moment later.
    case memoryRanOut(WorkerHandle)
    /// The kernel killed a process of the worker's tree for want of memory.
    case outOfMemory(WorkerHandle)
    /// The worker sent what no honest worker sends.
    case violated(WorkerHandle)
    /// The worker said far more than any honest worker does; all of it about that run, if it was about one.
    case flooded(WorkerHandle, by: RunHandle?)
    /// The worker's end of the wire is closed: it has ended, or soon will have been killed.
    case disconnected(WorkerHandle)
    /// The handler says how far it is.
    case progressed(WorkerHandle, RunHandle, completed: Int64)
    /// How many `beginBackgroundTask`s of the worker have not ended.
    case assertions(WorkerHandle, count: UInt32)
    /// The application's callback has returned for the state that was told under this number, and for all before it. The
    /// first `state` of a worker has the number 1, and each has one more than the one before it.
    case returned(WorkerHandle, state: UInt32)
    /// The worker's tree stands still, or cannot be made to; answers `freeze`.
    ///
    /// - Parameter holdsLock: it has a lock on a file outside its application's own folders.
    case frozen(WorkerHandle, holdsLock: Bool)
    /// The machine is about to sleep, and waits until then; `distantFuture`: it sleeps only as far as the host is concerned.
    case sleeps(waitsUntil: Instant)
    /// The machine is awake again.
    case awoke
    /// Memory is short, or no longer.
    case memoryPressure(Bool)
    /// The run lost a condition that it needs, or a person ended it: it is warned for this reason. One that has not begun
    /// ends at once.
    case expired(RunHandle, Reason)
    /// A person brings the application to the foreground, or puts it into the background.
    case foreground(application: ApplicationIndex, Bool)
    /// The application is to be launched in the background without a run, as far as it is not there already: as soon as
    /// few others are being launched.
    case wake(application: ApplicationIndex)
    /// The application is to be resumed or launched in the background for the events of its background sessions.
    case sessionEvents(application: ApplicationIndex)
    /// It has called all completion handlers that it was given with `handleSessionEvents`, or there was nothing to handle.
    case sessionsHandled(WorkerHandle)
    /// The application's manifest or library changed.
    case renewed(application: ApplicationIndex)
    /// The application is to be gone at once, with its runs and those that wait.
    case terminateApplication(application: ApplicationIndex, Reason)
    /// A person wants the run to end.
    case cancelled(RunHandle)
    /// A person wants to see the run expire.
    case simulatedExpiration(RunHandle)
    /// The host wants to stop: the first time gently, the second time at once.
    case stopping
    /// The same because a person wants what runs to end, and the host was there for that alone.
    case cancelling
}

/// A wish to run a task now.
package struct Submission: Sendable, BitwiseCopyable {
    package var task: TaskIndex
    package var id: ULID
    package var attempt: UInt32
    /// Handed back in `reply`; the engine does not look into it.
    package var requester: UInt32
    /// Runs with the same number are delivered together; those of tasks that share deadlines share the earliest end of their
    /// budgets. 0: on its own.
    package var launch: UInt32
    /// Its request asked for external power: the CPU monitor leaves it alone (reference §1.6), whatever the manifest says.
    package var isOnPower: Bool
    /// A request stands behind it, which waits for another try if the host or the machine cannot launch it. One without
    /// waits here.
    package var hasRequest: Bool

    package init(
        task: TaskIndex, id: ULID, attempt: UInt32 = 1, requester: UInt32, launch: UInt32 = 0, isOnPower: Bool = false,
        hasRequest: Bool = false
    ) {
        self.task = task
        self.id = id
        self.attempt = attempt
        self.requester = requester
        self.launch = launch
        self.isOnPower = isOnPower
        self.hasRequest = hasRequest
    }
}

/// What the host has kept back of the disk for its own record.
package enum DiskReserve: Sendable, BitwiseCopyable {
    case ample
    case short
    /// Nothing: what runs has been killed already.
    case none
}

/// How a worker's first process ended.
package struct WorkerExit: Sendable, BitwiseCopyable, Equatable {
    /// 0: no signal.
    package var signal: Int32
    package var status: Int32
    /// The kernel killed something in the tree for want of memory.
    package var outOfMemory: Bool
    /// In whose thread it crashed, as the process said; nil: nobody knows, or no run's.
    package var guilty: RunHandle?

    package init(signal: Int32, status: Int32, outOfMemory: Bool, guilty: RunHandle? = nil) {
        self.signal = signal
        self.status = status
        self.outOfMemory = outOfMemory
        self.guilty = guilty
    }
}
