import Scheduling
import TaskModel

/// What belongs to a request and is not the scheduler's business. Kept only for requests that have some of it.
struct RequestExtra: Equatable {
    /// The concrete identifier of a wildcard's request; nil: that of the task.
    var identifier: String?
    /// Continued processing: the displayed texts.
    var title = ""
    var subtitle = ""
    var payload: [UInt8] = []
    /// The last time of the schedule before it that the user skipped.
    var leftOut: Timestamp?

    init() {}

    init(_ request: TaskRequest) {
        identifier = request.identifier
        title = request.title
        subtitle = request.subtitle
        payload = request.payload
        leftOut = request.leftOut
    }

    var isEmpty: Bool {
        identifier == nil && title.isEmpty && subtitle.isEmpty && payload.isEmpty && leftOut == nil
    }
}

/// Names one submission, in the store as in memory: the same identity may be submitted again while an earlier submission runs.
struct RequestKey: Hashable {
    var identity: Int64
    var submitted: Timestamp

    init(identity: Int64, submitted: Timestamp) {
        self.identity = identity
        self.submitted = submitted
    }

    init(_ view: RequestView) { self.init(identity: view.request.identity, submitted: view.request.submitted) }
}
