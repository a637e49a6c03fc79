internal import TaskModel

/// How a run ended; the words are those of `taskhost history`.
public enum RunOutcome: String, Sendable, CaseIterable {
    /// The handler completed it with success.
    case succeeded
    /// The handler completed it without success, or the run expired and had no expiration handler.
    case failed
    /// The handler completed it after the warning, in time.
    case expired
    /// The host would have killed it at the end of its budget or its grace.
    case overran
    /// It used more processor time than its budget.
    case exceededCPU
    /// The process ran out of memory.
    case exceededMemory
    /// The process crashed.
    case crashed
    /// The process left without completing the run.
    case exited
    /// The last reference to the task went without completing it.
    case unreported
    /// The process ended for another reason, or the host stopped.
    case interrupted
    /// The user cancelled it, or the next time of its schedule replaced it.
    case cancelled
    /// It could not be started.
    case refused
    /// The application's folders hold more than their budget.
    case exceededDisk
    /// The handler asked for a later time.
    case deferred

    init(_ outcome: Outcome) {
        guard let same = RunOutcome(rawValue: outcome.name) else {
            preconditionFailure("\(outcome.name) is an outcome of the host alone")
        }
        self = same
    }
}
