package import TaskModel

/// A background session in the policy.
package struct NewSession: Sendable, BitwiseCopyable, Equatable {
    package var application: ApplicationIndex
    package var isDiscretionary = false
    package var sendsLaunchEvents = true
    package var allowsExpensive = true
    package var allowsConstrained = true
    package var connectionsPerHost: UInt16 = 6
    package var resourceTimeout = TimeSpan.seconds(7 * 86_400)
    /// Its events were being handled when the host ended: its application is woken again.
    package var awaitsHandling = false

    package init(application: ApplicationIndex) { self.application = application }
}

/// A transfer in the policy: plain numbers, so that ten thousand of them are small.
package struct NewTransfer: Sendable, BitwiseCopyable {
    package var session: SessionHandle
    package var kind: TransferKind
    /// The number of the scheme, host and port of its URL, which the caller assigns.
    package var origin: UInt32
    package var created: Timestamp
    /// The application's `earliestBeginDate`; it is asked then whether to begin.
    package var earliest: Timestamp?
    package var priority: Float = 0.5
    package var allowsExpensive = true
    package var allowsConstrained = true
    /// Created while its application was in the background: discretionary, and delayed by the application's delay.
    package var isFromBackground = false
    /// It leads elsewhere than to this machine; one to a loopback address waits for no network.
    package var needsNetwork = true
    /// Bytes that are in its file already, and the disk space that it still needs; nil: unknown.
    package var received: Int64 = 0
    package var expectedSize: Int64?
    /// For a restored transfer: its state and result. One that ran, or asked, tries again.
    package var state = TransferState.suspended
    package var attempts: UInt32 = 0
    package var nextTry: Timestamp?

    package init(session: SessionHandle, kind: TransferKind, origin: UInt32, created: Timestamp) {
        self.session = session
        self.kind = kind
        self.origin = origin
        self.created = created
    }
}
