package import Record
package import TaskModel

extension History {
    private static let terminationColumns = """
        SELECT seq, application, at, reason, callback, took, suspended, assertion_count, assertions FROM terminations
        """
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
            throw unreadable("terminations", findTermination.integer(0))
        }
    }

    private static func termination(_ row: borrowing Statement) throws(Unreadable) -> Termination {
        guard let application = row.text(1), let reason = try RunRow.value(row, 3, TerminationReason.self),
            let assertions = AssertionPacking.unpack(row.text(8) ?? "")
        else { throw Unreadable() }
        return Termination(
            application: application, at: Timestamp(nanoseconds: row.integer(2)), reason: reason,
            callback: try RunRow.value(row, 4, ApplicationCallback.self),
            took: row.optionalInteger(5).map(TimeSpan.init(nanoseconds:)), assertions: assertions,
            assertionCount: UInt32(clamping: row.integer(7)), wasSuspended: row.integer(6) != 0)
    }
}
