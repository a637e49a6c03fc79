import Record
import Scheduling
import TaskModel

/// What the host keeps of requests beside the scheduler.
struct RequestTable {
    /// What was decided and not carried out yet.
    var decisions: [Decision] = []
    /// What the turn's commit has to write, in order.
    var writes: [RequestWrite] = []
    var extras: [RequestKey: RequestExtra] = [:]
    var orphans = OrphanTable()
    /// The runs of requests that go on.
    var runs: [RequestHandle: RunHandle] = [:]
    /// Actions of the engine that were looked at for ends already.
    var scanned = 0
    /// Time of the last submission: no two of one host are alike.
    var lastSubmitted = Timestamp(nanoseconds: 0)
    /// Submissions under concrete identifiers of wildcards since unused identifiers were looked for.
    var concreteIdentifiers = 0
    /// What has to be sent once the turn's commit is on disk.
    var answers: [() -> Void] = []

    /// A time for a new submission.
    mutating func stamp(_ now: Timestamp) -> Timestamp {
        lastSubmitted = now == lastSubmitted ? Timestamp(nanoseconds: now.nanoseconds + 1) : now
        return lastSubmitted
    }
}

/// One change of the record that belongs to the turn's commit.
enum RequestWrite {
    case put(RequestHandle)
    case running(RequestKey, sequence: Int64)
    case forget(RequestKey)
    case application(UInt32)
    case journal(JournalKind, subject: String, text: String)
    case device([(ConditionName, String)])
    case override(ConditionName, String)
    case clearOverrides
}
