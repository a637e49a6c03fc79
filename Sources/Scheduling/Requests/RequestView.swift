package import TaskModel

/// What the scheduler tells of a request.
package struct RequestView: Sendable, BitwiseCopyable {
    package enum Phase: UInt8, Sendable, BitwiseCopyable {
        case pending
        case running
    }

    package var request: NewRequest
    package var phase: Phase
    package var application: UInt32
    /// End of the pause after a failed attempt.
    package var notBefore: Timestamp?
    /// Since when it waits in this attempt, or since when it runs.
    package var since: Timestamp
}
