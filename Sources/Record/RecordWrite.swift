package import TaskModel

/// One thing to be remembered.
package enum RecordWrite: Sendable, Equatable {
    // MARK: Runs

    /// A run was admitted. What held its request back comes with it; 16 waits at most are kept.
    case runBegan(RunStart, waits: [GateWait])
    /// It was warned: told at once, so that a crash of the host does not hide it.
    case runExpired(ULID, at: Timestamp, Reason)
    /// What became of it.
    case runEnded(RunEnd, RunEvents)
    /// Sentences about a run: 64 and 64 KiB at most at a time; a run that has 64 Ki characters takes no more.
    case diagnostics(ULID, [String])
    /// A sentence about a run that has ended, and that may have been forgotten since: then it is lost.
    case lateDiagnostic(ULID, String)
    /// What a run has printed, and how many bytes of it were thrown away beside that.
    case output(ULID, [UInt8], dropped: UInt64)
    /// It stands still from now on, until it is resumed: the first 256 pauses of a run are kept.
    case runPaused(ULID, at: Timestamp)
    /// It goes on; one that does not stand still is left as it is.
    case runResumed(ULID, at: Timestamp)

    // MARK: Requests

    /// A request as it stands now: new, in place of the one of the same identity that waits, or waiting again after an
    /// attempt. A run of an *earlier* submission of that identity keeps its row.
    case requestPut(TaskRequest)
    /// The waiting request has become a run. Its row stays until it is forgotten or put again; a submission that was never
    /// put, because its run began and ended in one turn, has none and needs none.
    case requestRunning(identity: Int64, submitted: Timestamp, run: ULID)
    /// That submission is no more, waiting or running; any other of the identity stays.
    case requestForgotten(identity: Int64, submitted: Timestamp)

    // MARK: The world

    /// The application as it stands now; `row` is from `RecordStore.applicationRow`.
    case application(row: Int64, ApplicationMemory)
    case journal(JournalEntry)
    /// The host ended a process of an application: of a longer list the oldest make room.
    case termination(Termination)
    /// A condition has become this. What the log says already leaves no trace.
    case device(DeviceLogEntry)
    /// A person has set a condition, across restarts.
    case override(ConditionName, String)
    /// What is observed counts again.
    case overridesCleared
    /// A run of this task, from `RecordStore.taskRow`, has succeeded that began with these files.
    case filesSeen(task: Int64, Set<FileMark>)

    // MARK: Transfers

    // What is large is kept apart, so that a write of a run stays small.

    /// A background session as it stands now. `next` never goes back.
    indirect case session(StoredSession)
    /// That session is no more. What was not told of its transfers never will be: they count as delivered.
    case sessionForgotten(Int64)
    /// A transfer as it stands now, of a session that is there: new, or whole again. Its session's `next` is beyond its number
    /// from then on.
    indirect case transfer(StoredTransfer)
    indirect case transferProgress(Int64, TransferProgress)
    /// Of one that is not over.
    case transferState(Int64, TransferState)
    /// A person has paused it, or lets it go on.
    case transferHeld(Int64, Bool)
    indirect case transferRequest(Int64, TransferRequest)
    /// It is over, which it can be once.
    indirect case transferEnded(Int64, TransferEnd)
    /// The application has its file, or its answer.
    case transferFileTaken(Int64)
    /// The application has taken note of its end: headers, the URL's user, password and query, the description and resume data
    /// are forgotten.
    case transferDelivered(Int64)
    /// The calendar was set by so much: so much later, or earlier, those were made that are not over, of which
    /// `timeoutIntervalForResource` counts.
    case transfersMoved(by: TimeSpan)
    /// Transfers, whatever became of them, that nobody will ask for.
    case transfersForgotten([Int64])

    // MARK: Upkeep

    /// These rows are old, or more than there is room for.
    case forgotten(Forgettable)
    /// Identifiers that no run and no request names any more are forgotten, except those of these numbers, which the host
    /// still has; others must be asked for anew.
    case identifiersPruned(except: Set<Int64>)
}
