package import TaskModel

/// A background session as it is remembered.
package struct StoredSession: Sendable, Equatable {
    /// The host's own number, never given twice.
    package var id: Int64
    /// The application's identifier, and the session's within it: together they are unique.
    package var application: String
    package var identifier: String
    package var options: SessionOptions
    /// The next `taskIdentifier`.
    package var next: UInt32
    /// The application was called to handle its events, or will be, and has not called the completion handler.
    package var awaitsHandling: Bool

    package init(
        id: Int64, application: String, identifier: String, options: SessionOptions, next: UInt32 = 1,
        awaitsHandling: Bool = false
    ) {
        self.id = id
        self.application = application
        self.identifier = identifier
        self.options = options
        self.next = next
        self.awaitsHandling = awaitsHandling
    }
}

/// A transfer as it is remembered.
package struct StoredTransfer: Sendable, Equatable {
    /// The host's own number, never given twice; grows.
    package var id: Int64
    /// `StoredSession.id`.
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
