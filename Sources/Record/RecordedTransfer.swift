package import TaskModel

/// A transfer with its owner, for a list.
package struct RecordedTransfer: Sendable, Equatable {
    package var application: String
    /// The session's identifier; kept, like the application's, when the session has been deleted.
    package var session: String
    /// A delivered one has no secrets any more.
    package var transfer: BackgroundTransfer

    package init(application: String, session: String, transfer: BackgroundTransfer) {
        self.application = application
        self.session = session
        self.transfer = transfer
    }
}

/// The highest numbers ever given, including deleted ones; 0: none.
package struct TransferNumbers: Sendable, Equatable, BitwiseCopyable {
    /// `StoredSession.id`.
    package var session: Int64
    /// `BackgroundTransfer.id`.
    package var transfer: Int64
    /// `TransferEnd.order`, among the ends that the record still has.
    package var order: Int64

    package init(session: Int64, transfer: Int64, order: Int64) {
        self.session = session
        self.transfer = transfer
        self.order = order
    }
}
