/// How far a run is. The names are those of documents.
package enum RunState: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// It has not started: it waits for a place, or for its process.
    case waiting
    case running
    /// It was warned.
    case expiring
    /// Its process stands still; so does its budget.
    case suspended
    /// Its process is being killed, or what it wrote is being measured: the outcome follows.
    case ending
    case ended
}

/// What a run in progress has left. The host knows it; it is never recorded.
package struct RunStanding: Sendable, Equatable {
    package var state: RunState
    /// The budget that applies to it, whatever its manifest says by now.
    package var budget: Budget
    /// When it will be warned; nil: it was, it will not be, or its process stands still.
    package var warnsAt: Timestamp?
    /// When its process will be killed; nil likewise.
    package var endsAt: Timestamp?

    package init(state: RunState, budget: Budget, warnsAt: Timestamp? = nil, endsAt: Timestamp? = nil) {
        self.state = state
        self.budget = budget
        self.warnsAt = warnsAt
        self.endsAt = endsAt
    }
}
