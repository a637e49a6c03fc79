import Scheduling
import TaskModel

/// The store's table of requests: of each identity at most one that waits and one that runs.
struct JointRecord {
    struct Row {
        var request: NewRequest
        var failures: UInt32
        var notBefore: Timestamp?
    }

    private(set) var waiting: [Int64: Row] = [:]
    private(set) var running: [Int64: Row] = [:]

    mutating func put(_ row: Row) {
        let identity = row.request.identity
        waiting[identity] = row
        if running[identity]?.request.submitted == row.request.submitted { running[identity] = nil }
    }

    mutating func start(_ identity: Int64, _ submitted: Timestamp) {
        guard let row = waiting[identity], row.request.submitted == submitted else { return }
        waiting[identity] = nil
        running[identity] = row
    }

    mutating func forget(_ identity: Int64, _ submitted: Timestamp) {
        if running[identity]?.request.submitted == submitted {
            running[identity] = nil
        } else if waiting[identity]?.request.submitted == submitted {
            waiting[identity] = nil
        }
    }

    /// What ran when its host died waits again, unless a newer request does. A schedule's time that is still to come is none.
    ///
    /// - Returns: how many wait again.
    mutating func recover(at now: Timestamp) -> Int {
        var count = 0
        for (identity, row) in running {
            if let newer = waiting[identity]?.request {
                guard newer.terms.origin == .schedule, let time = newer.scheduledFor, time > now else { continue }
            }
            var row = row
            row.request.attempt += 1
            row.notBefore = nil
            waiting[identity] = row
            count += 1
        }
        running.removeAll()
        return count
    }
}
