package import JSON
package import TaskModel

/// A request of the fleet.
package struct FleetRequestRow: Sendable {
    package var key: ULID
    package var identifier: String
    /// `waiting`, `leased`, `ended` or `quarantined`.
    package var state: String
    package var priority: Int
    package var attempt: Int
    /// Leases that ended without a word.
    package var losses: Int
    /// Who holds it; nil: nobody.
    package var host: String?
    /// No host gets it before; nil: it has ended.
    package var free: Timestamp?
    package var submitted: Timestamp?
    package var outcome: String?
    /// A JSON object of strings: what it asks of its host.
    package var labels: String

    static func statement(
        where condition: String, _ parameters: [ServerStatement.Parameter] = [], by order: String = "key DESC",
        limit: Int
    ) -> ServerStatement {
        ServerStatement(
            """
            SELECT key, identifier, state, priority, attempt, losses, host, \(Column.time("free")),
                \(Column.time("submitted")), outcome, labels
            FROM taskhost.requests WHERE \(condition) ORDER BY \(order) LIMIT \(limit)
            """, parameters)
    }

    init?(_ row: [String?]) {
        guard row.count == 11, let key = row[0].flatMap(ULID.init(uuid:)), let identifier = row[1] else { return nil }
        self.key = key
        self.identifier = identifier
        state = row[2] ?? ""
        priority = row[3].flatMap { Int($0) } ?? 0
        attempt = row[4].flatMap { Int($0) } ?? 1
        losses = row[5].flatMap { Int($0) } ?? 0
        host = row[6]
        free = Column.time(row[7])
        submitted = Column.time(row[8])
        outcome = row[9]
        labels = row[10] ?? "{}"
    }

    /// When its host loses it unless it renews the lease; nil: nobody holds it.
    package var leaseEnd: Timestamp? { state == "leased" ? free : nil }

    package var json: JSONOutput {
        [
            "request": .string(key.description), "identifier": .string(identifier), "state": .string(state),
            "priority": .integer(Int64(priority)), "attempt": .integer(Int64(attempt)),
            "losses": .integer(Int64(losses)), "host": JSONOutput(host), "notBefore": JSONOutput(free?.iso8601),
            "submitted": JSONOutput(submitted?.iso8601), "outcome": JSONOutput(outcome), "labels": Column.json(labels),
            "leaseEnds": JSONOutput(leaseEnd?.iso8601),
        ]
    }
}
