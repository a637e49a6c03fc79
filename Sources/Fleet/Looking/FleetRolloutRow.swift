package import JSON
package import TaskModel

/// An application's manifests in the fleet, by their SHA-256 sums in hexadecimal digits.
package struct FleetRolloutRow: Sendable {
    package var application: String
    /// Of the hosts that take manifests, those that have the coming one.
    package var percent: Int
    /// What all others have; nil: nothing.
    package var settled: String?
    /// nil: all have the settled one.
    package var coming: String?
    package var changed: Timestamp?
    /// The database's user.
    package var changedBy: String

    static let statement = ServerStatement(
        """
        SELECT application, percent, settled, coming, \(Column.time("changed")), changed_by
        FROM taskhost.rollouts ORDER BY application
        """)

    init?(_ row: [String?]) {
        guard row.count == 6, let application = row[0] else { return nil }
        self.application = application
        percent = row[1].flatMap { Int($0) } ?? 0
        (settled, coming) = (row[2], row[3])
        changed = Column.time(row[4])
        changedBy = row[5] ?? ""
    }

    /// Its hosts, and those of them that have the manifest which is newest.
    package func hosts(among all: [FleetHostRow]) -> (takers: Int, having: Int) {
        let takers = all.filter { $0.state == "live" }.compactMap(\.standing.rollouts)
        return (takers.count, takers.count { $0[application] == coming ?? settled })
    }

    package func json(among all: [FleetHostRow]) -> JSONOutput {
        let (takers, having) = hosts(among: all)
        return [
            "application": .string(application), "percent": .integer(Int64(percent)), "settled": JSONOutput(settled),
            "coming": JSONOutput(coming), "changed": JSONOutput(changed?.iso8601), "changedBy": .string(changedBy),
            "takers": .integer(Int64(takers)), "having": .integer(Int64(having)),
        ]
    }
}
