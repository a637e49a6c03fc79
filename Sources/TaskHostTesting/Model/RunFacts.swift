internal import Scheduling
internal import TaskModel

/// What the engine does not need of a run, and its result.
struct RunFacts {
    var identifier: String
    var id: String
    var kind: TaskKind
    var attempt: UInt32
    /// What it came from; nil: a test started it without one.
    var request: RequestHandle?
    var payload: [UInt8] = []
    var settings: [UInt8] = []
    var title = ""
    var subtitle = ""
    var progress: [RunResult.Progress] = []
    var log: [String] = []
    var diagnostics: [String] = []
    /// What the application answered, to a fetch or a notification.
    var fetchAnswer: FetchAnswer?
    /// The application has it, from its start to the last reference.
    var cell: RunCell?
    /// Its launch handler has returned.
    var hasReturned = false
    /// The clock does not pass over it: it has just been started or warned.
    var isWatched = false
    var result: RunResult?
}

/// What the scheduler does not need of a request.
struct RequestFacts {
    /// For the scheduler each submission has another time.
    struct Key: Hashable {
        var identity: Int64
        var submitted: Timestamp

        init(_ view: RequestView) { (identity, submitted) = (view.request.identity, view.request.submitted) }
        init(identity: Int64, submitted: Timestamp) { (self.identity, self.submitted) = (identity, submitted) }
    }

    /// As the application submitted it: with its identifier, date and texts.
    var request: TaskRequest
}
