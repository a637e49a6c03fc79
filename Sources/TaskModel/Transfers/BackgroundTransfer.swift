/// A transfer of a background session: what its application wants, how far it is, and how it ended. The record has it, and the host
/// has those in memory that are not acknowledged: small values stand together, after the large ones, so that it has no gaps.
package struct BackgroundTransfer: Sendable, Equatable {
    /// The host's own number, never given twice; grows.
    package var id: Int64
    /// The session's number in the record, likewise.
    package var session: Int64
    /// The application's identifier, and the session's within it; kept when the session has been deleted.
    package var application: String
    package var sessionName: String
    package var created: Timestamp
    /// Without secrets once it is delivered.
    package var request: TransferRequest
    /// nil: it is not over.
    package var end: TransferEnd?
    package var progress: TransferProgress
    /// `taskIdentifier`, unique within the session.
    package var number: UInt32
    package var state: TransferState
    /// It was created while its application was in the background: it may wait as a discretionary one does.
    package var isFromBackground: Bool
    /// The application has taken its file, or its answer; its completion is still to be acknowledged.
    package var isFileTaken: Bool
    /// The user has paused it.
    package var isHeld = false
    /// It was cancelled, or has had its time, and its attempt is being stopped. Only in what an application is told: the record
    /// does not have it.
    package var isCanceling = false

    package init(
        id: Int64, session: Int64, of application: String, _ sessionName: String, number: UInt32, created: Timestamp,
        request: TransferRequest, state: TransferState = .suspended, isFromBackground: Bool = false,
        progress: TransferProgress = TransferProgress(), end: TransferEnd? = nil, isFileTaken: Bool = false
    ) {
        self.id = id
        self.session = session
        self.application = application
        self.sessionName = sessionName
        self.created = created
        self.request = request
        self.end = end
        self.progress = progress
        self.number = number
        self.state = state
        self.isFromBackground = isFromBackground
        self.isFileTaken = isFileTaken
    }

    /// Of one that is over, the counts become those of its end: progress may have been recorded before the last bytes.
    package mutating func takeCountsOfEnd() {
        guard let end else { return }
        (progress.received, progress.sent, progress.status) = (end.received, end.sent, end.status)
    }
}
