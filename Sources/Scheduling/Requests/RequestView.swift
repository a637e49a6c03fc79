package import TaskModel

/// The scheduler's public data about a request.
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
    /// The resource that its launches have lacked since the last successful one. It is not stored: a host that restarts
    /// tries at once.
    package var shortage: ShortageTally?
    /// Since when it waits in this attempt, or since when it runs.
    package var since: Timestamp
}
