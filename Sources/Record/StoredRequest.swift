package import TaskModel

/// A request as the file keeps it.
package struct StoredRequest: Sendable, Equatable {
    /// From `RecordStore.taskRow`, for the concrete identifier.
    package var identity: Int64
    /// What `identity` stands for: filled in when read, ignored when written.
    package var identifier = ""
    package var application = ""
    package var kind: TaskKind
    package var terms: RequestTerms
    /// Tells this submission from an earlier or later one of the same identity.
    package var submitted: Timestamp
    /// 1 for the first try.
    package var attempt: UInt32 = 1
    /// Tries that failed, of those that count.
    package var failures: UInt32 = 0
    /// How often in a row its handler asked for another time.
    package var deferrals: UInt8 = 0
    /// No run before it: the end of the pause after a failed try, of the one between two runs, or of a deferral.
    package var notBefore: Timestamp?
    /// When the schedule wanted it; nil: it did not come from the schedule.
    package var scheduledFor: Timestamp?
    /// The time of the schedule before it that a person left out last.
    package var leftOut: Timestamp?
    /// Its run, `unknownRun` when the record does not have that; nil while it waits.
    package var running: ULID?
    /// Of continued processing, for people.
    package var title = ""
    package var subtitle = ""
    /// What its handler gets; `maximumPayload` bytes at most.
    package var payload: [UInt8] = []

    /// It waits for the first time, and has nothing but its terms.
    package var isPlain: Bool {
        notBefore == nil && scheduledFor == nil && running == nil && payload.isEmpty && title.isEmpty
            && subtitle.isEmpty && failures == 0 && deferrals == 0 && leftOut == nil
    }

    package init(identity: Int64, kind: TaskKind, terms: RequestTerms, submitted: Timestamp) {
        self.identity = identity
        self.kind = kind
        self.terms = terms
        self.submitted = submitted
    }

    /// Stands for a run that the record does not have.
    package static let unknownRun = ULID(high: 0, low: 0)

    /// What one request may carry, in bytes: as much as a run.
    package static let maximumPayload = 128 << 10
    /// Of a title or subtitle, in bytes of UTF-8; the rest is cut off.
    package static let maximumText = 1 << 10
}
