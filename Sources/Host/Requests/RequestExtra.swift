import Record
import Scheduling
package import TaskModel

/// What belongs to a request and is not the scheduler's business. Kept only for requests that have some of it.
package struct RequestExtra: Equatable {
    /// The concrete identifier of a wildcard's request; nil: that of the task.
    var identifier: String?
    /// Continued processing: the displayed texts.
    var title = ""
    var subtitle = ""
    var payload: [UInt8] = []
    /// In place of the manifest's; empty: those hold.
    var settings: [UInt8] = []
    /// The span that submitted it; not in the record.
    var trace: TraceIdentity?
    /// Of a claimed request, which the scheduler takes for a person's.
    var origin: RequestOrigin?
    /// Of the fleet; nil: it is the host's own.
    var claim: ClaimToken?
    /// The last time of the schedule before it that the user skipped.
    package var leftOut: Timestamp?

    init() {}

    init(_ request: TaskRequest) {
        identifier = request.identifier
        title = request.title
        subtitle = request.subtitle
        payload = request.payload
        settings = request.settings
        trace = request.trace
        leftOut = request.leftOut
    }

    var isEmpty: Bool { self == RequestExtra() }
}

/// Names one submission, in the store as in memory: the same identity may be submitted again while an earlier submission runs.
struct RequestKey: Hashable {
    var identity: Int64
    var submitted: Timestamp
}

extension RequestKey {
    init(_ view: RequestView) { self.init(identity: view.request.identity, submitted: view.request.submitted) }
}
