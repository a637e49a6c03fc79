package import TaskModel

/// What became of a claimed request.
package enum ClaimEnd: Sendable, Equatable {
    /// It is done with, for all hosts.
    case ended(Outcome)
    /// It waits for the next host: the same request if it goes back unharmed, else with its progress (`attempt`, `failures`,
    /// `deferrals`). The pause before its next claim is a length, for the calendars of hosts differ.
    indirect case waits(TaskRequest, pause: TimeSpan)
}
