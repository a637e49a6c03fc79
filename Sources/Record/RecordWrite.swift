package import TaskModel

/// One thing to be remembered.
package enum RecordWrite: Sendable, Equatable {
    // MARK: Runs

    /// A run was admitted, with the delays of its request; 16 at most are kept.
    case runBegan(RunStart, waits: [GateWait])
    /// What its handler gets, if that is anything.
    indirect case runInputs(ULID, RunInputs)
    /// It was warned: written at once, so that a crash of the host does not hide it.
    case runExpired(ULID, at: Timestamp, Reason)
    /// Its outcome.
    case runEnded(RunEnd, RunEvents)
    /// What was noted of a run beside its outcome.
    indirect case runMarked(ULID, RunMarks)
    /// Sentences about a run: 64 and 64 KiB at most at a time; a run that has 64 Ki characters takes no more.
    case diagnostics(ULID, [String])
    /// A sentence about a run that has ended, and that may have been forgotten since: then it is lost.
    case lateDiagnostic(ULID, String)
    /// Output of a run, when it came on which stream, and the number of bytes that were dropped.
    case output(ULID, [UInt8], LogMark, dropped: UInt64)
    /// It is suspended from now on, until it is resumed: the first 256 pauses of a run are kept.
    case runPaused(ULID, at: Timestamp)
    /// It continues; a run that is not suspended is unchanged.
    case runResumed(ULID, at: Timestamp)

    // MARK: Requests

    /// The present request: new, instead of the waiting one of the same identity, or waiting again after an attempt. A
    /// run of an *earlier* submission of that identity keeps its row.
    case requestPut(TaskRequest)
    /// The waiting request has become a run. Its row stays until it is deleted or put again; a submission that was never
    /// put, because its run began and ended in one turn, has none and needs none. Of runs of one identity beside each other the
    /// last one that began has a row: it takes that of an earlier submission, which goes on without one.
    case requestRunning(identity: Int64, submitted: Timestamp, run: ULID)
    /// That submission has ended, waiting or running; any other of the identity stays.
    case requestForgotten(identity: Int64, submitted: Timestamp)

    // MARK: Names

    /// These have that number from now on (`RecordNames`). Each number is given once, and each name has one.
    indirect case applicationNamed(Int64, String)
    indirect case taskNamed(Int64, TaskName)
    indirect case setupNamed(Int64, RunSetup)

    // MARK: The world

    /// The application's present state; `row` is from `RecordNames`.
    case application(row: Int64, ApplicationMemory)
    case journal(JournalEntry)
    /// The host ended a process of an application: of a longer list the oldest make room.
    case termination(Termination)
    /// A condition's new value. A repeated value is not written.
    case device(DeviceLogEntry)
    /// The user's override of a condition, across restarts.
    case override(ConditionName, String)
    /// Observed values apply again.
    case overridesCleared
    /// The user holds the work back, or has given its pause another end.
    indirect case workPaused(PausedWork, WorkPause)
    /// That pause has ended; without one nothing changes.
    indirect case workResumed(PausedWork)
    /// A manifest is not as it was; of more than `ManifestVersion.most` versions of a file the oldest are forgotten.
    indirect case manifestSeen(ManifestVersion)
    /// A run of this task, from `RecordNames`, has succeeded that began with these files.
    case filesSeen(task: Int64, Set<FileMark>)

    // MARK: The fleet

    /// The run of a claim has ended, and the fleet is to hear of it.
    indirect case claimEnded(UntoldEnd)
    /// The fleet knows the end of that claim.
    case claimTold(ClaimToken)
    /// The fleet has the request for that time of the task's schedule, and for those before it.
    case timeShared(task: Int64, Timestamp)

    // MARK: Transfers

    // Large parts are stored separately, so that a write of a run stays small.

    /// A background session's present state. `next` never decreases.
    indirect case session(StoredSession)
    /// That session has ended. Undelivered ends of its transfers count as delivered.
    case sessionForgotten(Int64)
    /// A transfer's present state, of an existing session, whose names it has: new, or complete again. Its session's `next` is
    /// then larger than its number.
    indirect case transfer(BackgroundTransfer)
    indirect case transferProgress(Int64, TransferProgress)
    /// Of one that is not over.
    case transferState(Int64, TransferState)
    /// The user has paused or resumed it.
    case transferHeld(Int64, Bool)
    indirect case transferRequest(Int64, TransferRequest)
    /// It is over, which it can be once.
    indirect case transferEnded(Int64, TransferEnd)
    /// The application has its file, or its answer.
    case transferFileTaken(Int64)
    /// The application has taken note of its end: headers, the URL's user, password and query, the description and resume data
    /// are forgotten.
    case transferDelivered(Int64)
    /// The calendar was set by this much: creation times of unfinished transfers, from which
    /// `timeoutIntervalForResource` counts, move by it.
    case transfersMoved(by: TimeSpan)
    /// Transfers that are not needed any more, with any result.
    case transfersForgotten([Int64])

    // MARK: Upkeep

    /// These rows are old, or more than there is room for.
    case forgotten(Forgettable)
    /// Tasks without a run or request are deleted, except those with these numbers, which the host still uses.
    case identifiersPruned(except: Set<Int64>)
}
