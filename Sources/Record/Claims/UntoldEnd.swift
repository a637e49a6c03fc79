package import TaskModel

/// The end of a claim which the fleet has not acknowledged: a host that starts again says it once more.
package struct UntoldEnd: Sendable, Equatable {
    /// What a request has behind it that goes back for another try.
    package struct Progress: Sendable, Equatable, BitwiseCopyable {
        package var attempt: UInt32
        package var failures: UInt32
        package var deferrals: UInt8
        /// No host gets it before, by this host's calendar.
        package var free: Timestamp

        package init(attempt: UInt32, failures: UInt32, deferrals: UInt8, free: Timestamp) {
            self.attempt = attempt
            self.failures = failures
            self.deferrals = deferrals
            self.free = free
        }
    }

    package var token: ClaimToken
    package var run: ULID
    /// Of the run.
    package var outcome: Outcome
    /// nil: the request is done with.
    package var progress: Progress?

    package init(_ token: ClaimToken, run: ULID, _ outcome: Outcome, progress: Progress? = nil) {
        self.token = token
        self.run = run
        self.outcome = outcome
        self.progress = progress
    }

    /// As it is said at `now`. Only the progress of a request that goes back is in it.
    package func end(at now: Timestamp) -> ClaimEnd {
        guard let progress else { return .ended(outcome) }
        var request = TaskRequest(identifier: "", kind: .processing)
        request.attempt = progress.attempt
        request.failures = progress.failures
        request.deferrals = progress.deferrals
        return .waits(request, pause: max(.zero, progress.free - now))
    }
}
