package import TaskModel

/// What happened outside. Plain values only, so that passing one neither allocates nor counts references.
package enum Event: Sendable, BitwiseCopyable {
    case submitted(Submission)
    /// The worker has confined itself and loaded its library.
    case ready(WorkerHandle)
    /// The worker cannot be launched, or reported that it cannot serve; the host keeps the sentence.
    case refused(WorkerHandle)
    /// The host or the machine could not launch the worker, or lost it: its application did nothing.
    case lacked(WorkerHandle, Shortage)
    /// The worker was made ahead, and no run can use it: what it was made for has changed since, or it has ended, or was never launched.
    case stale(WorkerHandle)
    /// The worker is not kept for later runs: it leaves as soon as nothing keeps it.
    case leavesWhenIdle(WorkerHandle)
    /// The worker was not ready in its time, and that is its library's doing; the host keeps the sentence.
    case hung(WorkerHandle)
    /// setTaskCompleted. `automatic`: the worker completed it, because there is no expiration handler.
    /// `program`: how it ended, if the handler is one.
    case completed(
        WorkerHandle, RunHandle, success: Bool, result: ResultValue?, automatic: Bool, program: ProgramEnd? = nil)
    /// The handler completed the run by asking to be called again later.
    case deferred(WorkerHandle, RunHandle, Deferral)
    /// The worker has no handler for the run; the host keeps the sentence.
    /// `program`: as a shell would say that there is no such program.
    case declined(WorkerHandle, RunHandle, program: ProgramEnd? = nil)
    /// The last reference to the task went without completing it.
    case unreported(WorkerHandle, RunHandle)
    /// CPU time of the worker's process tree so far, and its memory peak; the host may reset the peak at any time. Fed
    /// before `completed`, `deferred`, `declined`, `diskMetered`, `diskRefused` and `exited`.
    case metered(WorkerHandle, cpu: TimeSpan, peak: ByteCount)
    /// Memory of the worker's tree at present; nil: unknown. Answers `weigh`, which also resets the peak.
    case weighed(WorkerHandle, memory: ByteCount?)
    /// Free space of the state folder's file system.
    case spaceMetered(free: ByteCount)
    /// The size of the application's folders; the largest number if it is unknown. Answers `weighFolders`.
    case diskMetered(application: ApplicationIndex, used: ByteCount)
    /// The file system refused the application's folders more than their budget.
    case diskRefused(application: ApplicationIndex)
    /// The host itself found the disk full, and has this reserve left.
    case diskFull(DiskReserve)
    /// The worker's first process ended.
    case exited(WorkerHandle, WorkerExit)
    /// The worker's process tree is empty. Follows `exited`.
    case treeExited(WorkerHandle)
    /// The host has got back the descriptors of a worker, or of a control group.
    case descriptorsCameFree
    /// The worker's tree has run out of memory; the process that the kernel kills for that is known a moment later.
    case memoryRanOut(WorkerHandle)
    /// The kernel killed a process of the worker's tree for lack of memory.
    case outOfMemory(WorkerHandle)
    /// The worker sent what no honest worker sends.
    case violated(WorkerHandle)
    /// The worker exceeded its frame budget by far; `by` is the run that all these frames were about, if there is one.
    case flooded(WorkerHandle, by: RunHandle?)
    /// The worker's end of the wire is closed: it has ended, or soon will have been killed.
    case disconnected(WorkerHandle)
    /// The handler reports progress.
    case progressed(WorkerHandle, RunHandle, completed: Int64)
    /// How many `beginBackgroundTask`s of the worker have not ended.
    case assertions(WorkerHandle, count: UInt32)
    /// The application's callback has returned for the state with this number, and for all earlier ones. The first `state`
    /// of a worker has the number 1, and each has one more than the one before it.
    case returned(WorkerHandle, state: UInt32)
    /// The worker's tree is frozen, or cannot be frozen; answers `freeze`.
    ///
    /// - Parameter holdsLock: it has a lock on a file outside its application's own folders.
    case frozen(WorkerHandle, holdsLock: Bool)
    /// The machine is about to sleep, and waits until then; `distantFuture`: only the host acts as if it slept.
    case sleeps(waitsUntil: Instant)
    /// The machine is awake again.
    case awoke
    /// Memory is short, or no longer.
    case memoryPressure(Bool)
    /// The run lost a condition that it needs, or the user ended it: it is warned for this reason. One that has not begun
    /// ends at once.
    case expired(RunHandle, Reason)
    /// The user brings the application to the foreground, or sends it to the background.
    case foreground(application: ApplicationIndex, Bool)
    /// The application is to be launched in the background without a run, unless it is there already: when few other
    /// launches are in progress.
    case wake(application: ApplicationIndex)
    /// The application is to be resumed or launched in the background for its background sessions' events.
    case sessionEvents(application: ApplicationIndex)
    /// It has called all completion handlers that it was given with `handleSessionEvents`, or there was nothing to handle.
    case sessionsHandled(WorkerHandle)
    /// The application's manifest or library changed.
    case renewed(application: ApplicationIndex)
    /// The application is to end at once, with its runs and those that wait.
    case terminateApplication(application: ApplicationIndex, Reason)
    /// The user cancels the run.
    case cancelled(RunHandle)
    /// The user wants to see the run expire.
    case simulatedExpiration(RunHandle)
    /// The host stops: the first time gently, the second time at once.
    case stopping
    /// The same because the user cancels the runs for which alone the host was started.
    case cancelling
}

/// A request to run a task now.
package struct Submission: Sendable, BitwiseCopyable {
    package var task: TaskIndex
    package var id: ULID
    package var attempt: UInt32
    /// Returned in `reply`; the engine does not use it.
    package var requester: UInt32
    /// Runs with the same number are delivered together; those of tasks that share deadlines share the earliest end of their
    /// budgets. 0: on its own.
    package var launch: UInt32
    /// Its request required external power: the CPU monitor does not apply, regardless of the manifest.
    package var isOnPower: Bool
    /// The run belongs to a request, which waits for another try if the host or the machine cannot launch it. A run
    /// without one waits here.
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

/// The reserve on the disk that the host keeps for its own record.
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
    /// The kernel killed something in the tree for lack of memory.
    package var outOfMemory: Bool
    /// The run in whose thread it crashed, as the process reported; nil: unknown, or no run's thread.
    package var guilty: RunHandle?

    package init(signal: Int32, status: Int32, outOfMemory: Bool, guilty: RunHandle? = nil) {
        self.signal = signal
        self.status = status
        self.outOfMemory = outOfMemory
        self.guilty = guilty
    }
}
