package import Record
package import TaskModel

extension History {
    private static let terminationColumns = "SELECT \(TerminationColumn.list) FROM terminations"
    static let applicationTerminationsQuery = """
        \(terminationColumns) WHERE seq < ?1 AND application = ?3 ORDER BY seq DESC LIMIT ?2
        """

    /// The ends that the host made of applications' processes, newest first.
    package func terminations(
        application: String?, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<Termination> {
        let all = "\(Self.terminationColumns) WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2"
        let row = try Statement(
            database, application == nil ? all : Self.applicationTerminationsQuery, what: "read terminations")
        let limit = min(max(0, limit), RecordLimits.rows)
        row.bind(values: before ?? Int64.max, Int64(limit))
        if let application { row.bind(3, application) }
        return try page(of: row, "terminations", limit: limit, Self.termination).below(before)
    }

    /// The newest of an application; nil when there is none.
    package func lastTermination(of application: String) throws(StoreError) -> Termination? {
        findTermination.bind(values: Int64.max, 1 as Int64, application)
        defer { findTermination.reset() }
        guard try findTermination.next() else { return nil }
        do throws(Unreadable) {
            return try Self.termination(findTermination)
        } catch {
            throw unreadable("terminations", findTermination.integer(TerminationColumn.seq))
        }
    }

    private static func termination(_ row: borrowing Statement) throws(Unreadable) -> Termination {
        typealias Column = TerminationColumn
        guard let application = row.text(Column.application),
            let reason = try RunRow.value(row, Column.reason, TerminationReason.self),
            let assertions = AssertionPacking.unpack(row.text(Column.assertions) ?? "")
        else { throw Unreadable() }
        return Termination(
            application: application, at: Timestamp(nanoseconds: row.integer(Column.at)), reason: reason,
            callback: try RunRow.value(row, Column.callback, ApplicationCallback.self),
            took: row.optionalInteger(Column.took).map(TimeSpan.init(nanoseconds:)), assertions: assertions,
            assertionCount: UInt32(clamping: row.integer(Column.assertionCount)),
            wasSuspended: row.integer(Column.suspended) != 0)
    }
}

/// Columns of an end that the host made of an application's process.
enum TerminationColumn: Int32, RowColumn {
    case seq, application, at, reason, callback, took, suspended, assertionCount, assertions
}
