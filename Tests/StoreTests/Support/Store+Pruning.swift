import Record
import Store
import TaskModel

/// As the host does in one turn and the next: finds, then forgets.
extension Store {
    /// Forgets what is old, or too much by number: how many runs, lines and log entries.
    func prune(endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int = 500) throws -> Int {
        let found = try findForgettable(endedBefore: moment, keepingNewest: count, limit: limit)
        try forget(found)
        return found.count
    }

    /// Throws away one step's worth of what is too much in bytes: whether there was any.
    func prune(beyond limit: ByteCount) throws -> Bool {
        let found = try findExcess(beyond: limit)
        try forget(found)
        return !found.isEmpty
    }

    /// Forgets some of what was found.
    func forget(_ found: inout Forgettable, limit: Int) throws { try forget(found.take(limit)) }
}
