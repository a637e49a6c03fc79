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
