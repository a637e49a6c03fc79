import Record
import TaskModel

/// A claim whose request the scheduler has.
struct EnteredClaim {
    var claim: Claim
    var request: RequestHandle
    /// By the machine's clock.
    var since: Instant
    /// Its last run, and how that has ended; nil: none has, or it is being tried again.
    var end: (run: ULID, outcome: Outcome)?
    /// It is another host's, and its run is about to end.
    var isLost = false
}

/// A claim of an identifier that has one already: it waits its turn.
struct QueuedClaim {
    var claim: Claim
    var row: Int64
    var since: Instant
}
