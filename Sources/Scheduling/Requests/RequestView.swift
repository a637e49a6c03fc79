package import TaskModel

/// What the scheduler tells of a request.
package struct RequestView: Sendable {
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        case pending
        case running
    }

    /// Without its words, payload and names.
    package var request: TaskRequest
    package var task: TaskIndex
    package var phase: Phase
    package var application: ApplicationIndex
    /// What its launches lacked, since the last that went well. It is not stored: a host that starts anew tries at once.
    package var shortage: ShortageTally?
    /// Since when it waits in this attempt, or since when it runs.
    package var since: Timestamp
}
