/// A transfer with whose it is, as it is read for a list.
package struct RecordedTransfer: Sendable, Equatable {
    package var application: String
    /// The session's identifier; kept, as the application's, when the session itself is no more.
    package var session: String
    /// Of one that is delivered the secrets are gone.
    package var transfer: StoredTransfer

    package init(application: String, session: String, transfer: StoredTransfer) {
        self.application = application
        self.session = session
        self.transfer = transfer
    }
}

/// The highest numbers that were ever given, also to what is forgotten since; 0: none was.
package struct TransferNumbers: Sendable, Equatable, BitwiseCopyable {
    /// `StoredSession.id`.
    package var session: Int64
    /// `StoredTransfer.id`.
    package var transfer: Int64
    /// `TransferEnd.order`, among the ends that the record still has.
    package var order: Int64

    package init(session: Int64, transfer: Int64, order: Int64) {
        self.session = session
        self.transfer = transfer
        self.order = order
    }
}
