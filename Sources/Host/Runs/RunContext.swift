package import Record
package import TaskModel
import Wire

/// What belongs to a run and is not the engine's business: bytes and sentences. Empty for most runs, and then free.
package struct RunContext {
    var payload: [UInt8] = []
    /// Replaces the manifest's settings; empty: they hold.
    var settings: [UInt8] = []
    var diagnostics = RunDiagnostics()
    /// The worker that it was given to, and that one's confinement.
    package var worker: WorkerHandle?
    var setup: Int64?
    /// That worker's process.
    var pid: Int32?
    /// The limits that are not enforced for it.
    var degraded: [String] = []
    /// It was sent the warning.
    var isWarned = false
    /// Since when it is suspended, in the record; nil: it is not.
    var pausedSince: ClockReading?
    /// How long it was suspended before.
    var frozenTime = TimeSpan.zero
    /// Bytes of log lines that were kept.
    var logged = 0
    /// Bytes of output that were kept when another run of the worker began to print.
    var printed = 0
    /// The last of them does not end a line.
    var isMidLine = false
    /// Its log says that the process's output is in another one.
    var isElsewhere = false
    var observer: (any RunObserver)?
    /// The request that it serves; nil: it was forced.
    var request: RequestHandle?
    /// The number in the record of the request's concrete identifier; nil: that of the task.
    var identity: Int64?
    /// The concrete identifier of a wildcard's request; nil: that of the task.
    var identifier: String?
    /// Continued processing: the displayed texts.
    var title = ""
    var subtitle = ""
    /// The last report of how far it is.
    var progress: ProgressReport?
    /// The span that submitted the request; nil: none is known.
    var trace: TraceIdentity?
    /// Of the fleet's request that it serves; nil: it serves none.
    package var claim: ClaimToken?
    /// What delayed the request.
    var waits: [GateWait] = []
    /// nil: it was forced.
    var origin: RequestOrigin?
    /// The time of its schedule; nil: it has none, or this is another attempt.
    var due: Timestamp?
    /// It has written to standard error.
    var wroteErrors = false
    /// A process was told of its worker's calls.
    var isExplained = false
    /// What there is to note of it beside its outcome.
    var marks = RunMarks()
    /// The files that its task waits for, as they were when it began; nil: the task waits for no change.
    var files: Set<FileMark>?
}
