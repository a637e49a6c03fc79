/// A request for a run of a task: its terms and its progress. Applications' code, users, the wire, the record and documents
/// share this type; each medium has its own codec.
package struct TaskRequest: Sendable, Equatable {
    /// The concrete one; the record goes by `identity` when it is written.
    package var identifier: String
    /// From the record's names, for the concrete identifier; 0 until the host has taken it.
    package var identity: Int64
    /// The application of the task; empty until the host has accepted it.
    package var application = ""
    package var kind: TaskKind
    package var terms: RequestTerms
    /// Zero until the host has accepted it. Distinguishes this submission from earlier and later ones of the same
    /// identity.
    package var submitted: Timestamp
    /// 1 for the first try.
    package var attempt: UInt32 = 1
    /// Tries that failed, of those that count.
    package var failures: UInt32 = 0
    /// How often in a row its handler deferred it.
    package var deferrals: UInt8 = 0
    /// No run before it: the end of the pause after a failed try, of the one between two runs, of the one after a launch for
    /// which something was lacking (which no record keeps), or of a deferral.
    package var notBefore: Timestamp?
    /// The schedule's time; nil: it did not come from a schedule.
    package var scheduledFor: Timestamp?
    /// The last time of the schedule before it that the user skipped.
    package var leftOut: Timestamp?
    /// Its run, `unknownRun` when the record does not have that; nil while it waits.
    package var running: ULID?
    /// For continued processing, for display.
    package var title: String
    package var subtitle: String
    /// What its handler gets; `maximumPayload` bytes at most.
    package var payload: [UInt8] = []
    /// In place of the manifest's; empty: those hold.
    package var settings: [UInt8] = []
    /// The span that submits it; no record keeps it.
    package var trace: TraceIdentity?

    /// It waits for the first time, and has nothing but its terms.
    package var isPlain: Bool {
        notBefore == nil && scheduledFor == nil && running == nil && payload.isEmpty && settings.isEmpty
            && title.isEmpty
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

    /// A run that the record does not have.
    package static let unknownRun = ULID(high: 0, low: 0)

    /// The largest payload of a request, in bytes: that of a run.
    package static let maximumPayload = Limit.payload.most
    /// Of a title or subtitle, in bytes of UTF-8; the rest is cut off.
    package static let maximumText = 1 << 10
}
