package import TaskModel

/// What became of the run of a request, as the engine tells it.
package struct RequestEnd: Sendable, BitwiseCopyable {
    package var outcome: Outcome
    package var reason: Reason?
    /// nil: unknown, or it never started.
    package var cpuTime: TimeSpan?
    /// What the host or the machine lacked: it was interrupted for that, and its application did nothing.
    package var shortage: Shortage?
    /// Its handler was invoked.
    package var hasStarted: Bool
    /// It was refused because its library did not let its worker be ready in time, which counts as a crash.
    package var isHung: Bool
    /// What its handler asked for; counts when it is `deferred`.
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
}
