package import TaskModel

/// How the run of a request ended, as the engine reports it.
package struct RequestEnd: Sendable, BitwiseCopyable {
    package var outcome: Outcome
    package var reason: Reason?
    /// nil: unknown, or it never started.
    package var cpuTime: TimeSpan?
    /// The resource that the host or the machine lacked: it was interrupted for that, through no fault of its
    /// application.
    package var shortage: Shortage?
    /// Its handler was invoked.
    package var hasStarted: Bool
    /// It was refused because its library did not let its worker be ready in time, which counts as a crash.
    package var isHung: Bool
    /// A program ended by a signal that asks programs to end (`ProgramEnd.isRequested`): that says nothing of its application.
    package var wasStopped = false
    /// The deferral that its handler asked for; it counts when the run is `deferred`.
    package var deferral: Deferral?

    package init(
        outcome: Outcome, reason: Reason?, cpuTime: TimeSpan?, shortage: Shortage? = nil, hasStarted: Bool = true,
        isHung: Bool = false, deferral: Deferral? = nil
    ) {
        self.outcome = outcome
        self.reason = reason
        self.cpuTime = cpuTime
        self.shortage = shortage
        self.hasStarted = hasStarted
        self.isHung = isHung
        self.deferral = deferral
    }

    /// What it says about the application.
    package var health: OutcomeRow.Health {
        if isHung { return .crash }
        return wasStopped ? .nothing : outcome.row.health
    }
}
