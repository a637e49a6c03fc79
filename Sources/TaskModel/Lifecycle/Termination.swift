/// The host's termination of an application's process: a record of its own, in addition to those of the interrupted runs.
package struct Termination: Sendable, Equatable {
    package var application: String
    package var at: Timestamp
    package var reason: TerminationReason
    /// The callback that was under way; nil: none.
    package var callback: ApplicationCallback?
    /// How long that callback had taken, or how long the application had been in the background; nil: neither matters.
    package var took: TimeSpan?
    /// Its open assertions: the oldest `maximumAssertions`, oldest first.
    package var assertions: [OpenAssertion]
    /// How many it had in all.
    package var assertionCount: UInt32
    /// It was frozen when it was terminated.
    package var wasSuspended: Bool

    package init(
        application: String, at: Timestamp, reason: TerminationReason, callback: ApplicationCallback? = nil,
        took: TimeSpan? = nil, assertions: [OpenAssertion] = [], assertionCount: UInt32 = 0, wasSuspended: Bool = false
    ) {
        self.application = application
        self.at = at
        self.reason = reason
        self.callback = callback
        self.took = took
        self.assertions = assertions
        self.assertionCount = assertionCount
        self.wasSuspended = wasSuspended
    }

    package static let maximumAssertions = 16
}
