/// A request for a run of a task: what is asked for, and how far it has come. Applications' code, people, the wire, the record
/// and documents tell of the same one; each medium has its codec beside it.
package struct TaskRequest: Sendable, Equatable {
    /// The concrete one; the record goes by `identity` when it is written.
    package var identifier: String
    /// From `RecordStore.taskRow`, for the concrete identifier; 0 until the host has taken it.
    package var identity: Int64
    /// Who has the task; empty until the host has taken it.
    package var application = ""
    package var kind: TaskKind
    package var terms: RequestTerms
    /// Zero until the host has taken it. Tells this submission from an earlier or later one of the same identity.
    package var submitted: Timestamp
    /// 1 for the first try.
    package var attempt: UInt32 = 1
    /// Tries that failed, of those that count.
    package var failures: UInt32 = 0
    /// How often in a row its handler asked for another time.
    package var deferrals: UInt8 = 0
    /// No run before it: the end of the pause after a failed try, of the one between two runs, of the one after a launch for
    /// which something was lacking (which no record keeps), or of a deferral.
    package var notBefore: Timestamp?
    /// When the schedule wanted it; nil: it did not come from the schedule.
    package var scheduledFor: Timestamp?
    /// The time of the schedule before it that a person left out last.
    package var leftOut: Timestamp?
    /// Its run, `unknownRun` when the record does not have that; nil while it waits.
    package var running: ULID?
    /// Of continued processing, for people.
    package var title: String
    package var subtitle: String
    /// What its handler gets; `maximumPayload` bytes at most.
    package var payload: [UInt8] = []

    /// It waits for the first time, and has nothing but its terms.
    package var isPlain: Bool {
        notBefore == nil && scheduledFor == nil && running == nil && payload.isEmpty && title.isEmpty
            && subtitle.isEmpty && failures == 0 && deferrals == 0 && leftOut == nil
    }

    package init(
        identifier: String = "", identity: Int64 = 0, kind: TaskKind, terms: RequestTerms = RequestTerms(),
        submitted: Timestamp = Timestamp(nanoseconds: 0), title: String = "", subtitle: String = ""
    ) {
        self.identifier = identifier
        self.identity = identity
        self.kind = kind
        self.terms = terms
        self.submitted = submitted
        self.title = title
        self.subtitle = subtitle
    }

    /// Stands for a run that the record does not have.
    package static let unknownRun = ULID(high: 0, low: 0)

    /// What one request may carry, in bytes: as much as a run.
    package static let maximumPayload = 128 << 10
    /// Of a title or subtitle, in bytes of UTF-8; the rest is cut off.
    package static let maximumText = 1 << 10
}
