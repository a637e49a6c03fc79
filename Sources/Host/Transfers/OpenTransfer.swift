import TaskModel

/// A transfer that its application has not acknowledged: what the record has of it, and what the host alone knows. A reference: it
/// is looked up with every report of progress. Thread: the loop's.
final class OpenTransfer {
    /// As this turn writes it; the ledger alone changes it.
    var stored: BackgroundTransfer
    let session: SessionHandle
    /// Its end is recorded: it may be delivered.
    var isEndRecorded = false
    /// A client watches its progress until then; nil: none does.
    var watchedUntil: Instant?
    /// The application wants resume data with the cancellation.
    var wantsResumeData = false
    /// How often credentials were requested; `max`: the application has none.
    var failures: UInt16 = 0

    var id: Int64 { stored.id }
    /// `taskIdentifier`.
    var number: UInt32 { stored.number }

    init(_ stored: BackgroundTransfer, of session: SessionHandle) {
        self.stored = stored
        self.session = session
        isEndRecorded = stored.end != nil
    }

    func isWatched(at now: Instant) -> Bool { watchedUntil.map { $0 > now } ?? false }
}
