package import TaskModel

/// A background session, as the policy knows it.
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

/// A transfer, as the policy knows it: plain numbers, so that ten thousand of them are small.
package struct NewTransfer: Sendable, BitwiseCopyable {
    package var session: SessionHandle
    package var kind: TransferKind
    /// Stands for scheme, host and port of its URL; whoever adds it numbers them.
    package var origin: UInt32
    package var created: Timestamp
    /// The application's `earliestBeginDate`; it is asked then whether to begin.
    package var earliest: Timestamp?
    package var priority: Float = 0.5
    package var allowsExpensive = true
    package var allowsConstrained = true
    /// Created while its application was in the background: discretionary, and held back by the delay of the application.
    package var isFromBackground = false
    /// It leads elsewhere than to this machine; one to a loopback address waits for no network.
    package var needsNetwork = true
    /// Bytes that are in its file already, and what it still needs of the disk; nil: nobody knows.
    package var received: Int64 = 0
    package var expectedSize: Int64?
    /// Of one that is restored: as it stood, and what came of it. One that ran, or asked, tries again.
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
