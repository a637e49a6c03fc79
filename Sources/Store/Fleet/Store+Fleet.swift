package import Record
package import TaskModel

// What the fleet has and has not acknowledged.
extension Store {
    /// Prepared for the first of them: few hosts are in a fleet, and every program that opens a record would pay.
    private var fleetStatements: FleetStatements {
        get throws(StoreError) {
            if let fleet { return fleet }
            let prepared = try FleetStatements.prepared(for: history.database)
            fleet = prepared
            return prepared
        }
    }

    func addUntoldEnd(_ end: UntoldEnd) throws(StoreError) {
        try put(
            fleetStatements.addEnd, history.host, end.token.key.bytes, end.token.number, end.run.bytes,
            end.outcome.rawValue,
            end.progress?.attempt, end.progress?.failures, end.progress?.deferrals, end.progress?.free)
    }

    func forgetUntoldEnd(_ token: ClaimToken) throws(StoreError) {
        try put(fleetStatements.forgetEnd, history.host, token.key.bytes, token.number)
    }

    func putSharedTime(_ time: Timestamp, task row: Int64) throws(StoreError) {
        try put(fleetStatements.putTime, row, time)
    }

    /// An end that only a later version knows is left alone.
    package func untoldEnds() throws(StoreError) -> [UntoldEnd] {
        let rows = try Statement(
            history.database,
            "SELECT \(UntoldColumn.list) FROM untold_ends WHERE host = ?1 ORDER BY request, number",
            what: "read ends of claims")
        rows.bind(1, history.host)
        var ends: [UntoldEnd] = []
        while try rows.next() {
            guard let key = rows.id(UntoldColumn.request), let run = rows.id(UntoldColumn.run),
                let outcome = UInt8(exactly: rows.integer(UntoldColumn.outcome)).flatMap(Outcome.init(rawValue:))
            else { continue }
            var end = UntoldEnd(ClaimToken(key: key, number: rows.integer(UntoldColumn.number)), run: run, outcome)
            if let attempt = rows.optionalInteger(UntoldColumn.attempt) {
                end.progress = UntoldEnd.Progress(
                    attempt: UInt32(clamping: attempt), failures: UInt32(clamping: rows.integer(UntoldColumn.failures)),
                    deferrals: UInt8(clamping: rows.integer(UntoldColumn.deferrals)),
                    free: Timestamp(nanoseconds: rows.integer(UntoldColumn.free)))
            }
            ends.append(end)
        }
        return ends
    }
}

extension History {
    package func sharedTime(task: Int64) throws(StoreError) -> Timestamp? {
        let row = try Statement(
            database, "SELECT shared_time FROM tasks WHERE id = ?1", what: "read a time of the fleet")
        row.bind(1, task)
        guard try row.next() else { return nil }
        return row.optionalInteger(0 as Int32).map(Timestamp.init(nanoseconds:))
    }
}

/// Columns of the end of a claim.
enum UntoldColumn: Int32, RowColumn {
    case request, number, run, outcome, attempt, failures, deferrals, free
}
