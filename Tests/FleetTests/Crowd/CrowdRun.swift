import Engine
import Record
import TaskModel

/// A claim whose request the scheduler of a host has.
struct CrowdClaim {
    var claim: Claim
    var request: RequestHandle
    var since: Instant
    var run: RunHandle?
    /// How its last run has ended; nil: none has, or it is being tried again.
    var outcome: Outcome?
    var isLost = false
}

/// A run that its engine has begun, or is about to.
struct CrowdRun {
    var task: TaskIndex
    var request: RequestHandle
    var worker: WorkerHandle?
    /// `distantFuture` until its handler is invoked.
    var end = Instant.distantFuture
    var succeeds = true
    /// Its place among the starts of the history.
    var start: Int?
}
