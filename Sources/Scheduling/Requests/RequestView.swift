package import TaskModel

/// What the scheduler tells of a request.
package struct RequestView: Sendable, BitwiseCopyable {
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        case pending
        case running
    }

    package var request: NewRequest
    package var phase: Phase
    package var application: ApplicationIndex
    /// Tries that failed, of those that count.
    package var failures: UInt32
    /// How often in a row its handler asked for another time.
    package var deferrals: UInt8
    /// No run before it: the end of the pause after a failed try, of the one between two runs, of the one after a launch for
    /// which something was lacking, or of a deferral.
    package var notBefore: Timestamp?
    /// What its launches lacked, since the last that went well. It is not stored: a host that starts anew tries at once.
    package var shortage: ShortageTally?
    /// Since when it waits in this attempt, or since when it runs.
    package var since: Timestamp
}
