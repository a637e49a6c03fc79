/// A transfer of a background session, as the record has it and every part of the host passes it on.
package struct BackgroundTransfer: Sendable, Equatable {
    /// The host's own number, never given twice; grows.
    package var id: Int64
    /// The session's number in the record.
    package var session: Int64
    /// `taskIdentifier`.
    package var number: UInt32
    package var created: Timestamp
    package var request: TransferRequest
    package var state: TransferState
    /// It was created while its application was in the background: it may wait as a discretionary one does.
    package var isFromBackground: Bool
    package var progress: TransferProgress
    /// nil: it is not over.
    package var end: TransferEnd?
    /// The application has taken its file, or its answer; its completion is still to be acknowledged.
    package var isFileTaken: Bool
    /// The user has paused it.
    package var isHeld = false

    package init(
        id: Int64, session: Int64, number: UInt32, created: Timestamp, request: TransferRequest,
        state: TransferState = .suspended, isFromBackground: Bool = false,
        progress: TransferProgress = TransferProgress(),
        end: TransferEnd? = nil, isFileTaken: Bool = false
    ) {
        self.id = id
        self.session = session
        self.number = number
        self.created = created
        self.request = request
        self.state = state
        self.isFromBackground = isFromBackground
        self.progress = progress
        self.end = end
        self.isFileTaken = isFileTaken
    }
}
