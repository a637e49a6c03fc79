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
    /// Tries that failed, of those that count.
    package var failures: UInt32
    /// No run before it: the end of the pause after a failed try, or of the one between two runs.
    package var notBefore: Timestamp?
    /// Since when it waits in this attempt, or since when it runs.
    package var since: Timestamp
}
