package import JSON
package import TaskModel

/// A host of the fleet, as the database knows it.
package struct FleetHostRow: Sendable {
    package var name: String
    /// `live`, `gone` (no sign for longer than its lease) or `left` (it stopped).
    package var state: String
    package var seen: Timestamp?
    /// It gets no new requests.
    package var isDraining: Bool
    /// A JSON object of strings.
    package var labels: String
    package var version: String
    /// Requests that it holds.
    package var leases: Int
    package var standing: FleetStanding

    static let statement = ServerStatement(
        """
        SELECT name, state, \(Column.time("last_seen")), draining, labels, version, leases, status
        FROM taskhost.hosts ORDER BY name
        """)

    init?(_ row: [String?]) {
        guard row.count == 8, let name = row[0] else { return nil }
        self.name = name
        state = row[1] ?? ""
        seen = Column.time(row[2])
        isDraining = row[3] == "t"
        labels = row[4] ?? "{}"
        version = row[5] ?? ""
        leases = row[6].flatMap { Int($0) } ?? 0
        standing = FleetStanding(row[7] ?? "{}")
    }

    package var json: JSONOutput { .object(members) }

    /// - Parameter identifiers: of the requests that it holds.
    package func json(holding identifiers: [String]) -> JSONOutput {
        .object(members + [.init("holds", .array(identifiers.map { .string($0) }))])
    }

    private var members: [JSONOutput.Member] {
        [
            .init("name", .string(name)), .init("state", .string(state)), .init("lastSeen", JSONOutput(seen?.iso8601)),
            .init("draining", .bool(isDraining)), .init("labels", Column.json(labels)),
            .init("version", .string(version)), .init("leases", .integer(Int64(leases))),
            .init("conditions", standing.conditionsJSON), .init("takesManifests", .bool(standing.rollouts != nil)),
        ]
    }
}
