package import JSON
package import Record
package import TaskModel

/// A claim that has ended: a run, or a lease that was lost.
package struct FleetRunRow: Sendable {
    package var token: ClaimToken
    package var identifier: String
    package var host: String
    package var claimed: Timestamp?
    package var ended: Timestamp?
    /// Of the run; `leaseLost`: its host went silent.
    package var outcome: String
    /// It counts; otherwise another host had the request by then.
    package var isAccepted: Bool
    package var detail: RunDetail

    static func statement(where condition: String, _ parameters: [ServerStatement.Parameter], limit: Int)
        -> ServerStatement
    {
        ServerStatement(
            """
            SELECT key, number, identifier, host, \(Column.time("claimed")), \(Column.time("ended")), outcome, accepted, detail
            FROM taskhost.runs WHERE \(condition) ORDER BY ended DESC, key DESC LIMIT \(limit)
            """, parameters)
    }

    init?(_ row: [String?]) {
        guard row.count == 9, let token = ClaimToken(row: row), let identifier = row[2] else { return nil }
        self.token = token
        self.identifier = identifier
        host = row[3] ?? ""
        claimed = Column.time(row[4])
        ended = Column.time(row[5])
        outcome = row[6] ?? ""
        isAccepted = row[7] == "t"
        detail = RunDetail(row[8] ?? "{}")
    }

    package var json: JSONOutput {
        let own: [JSONOutput.Member] = [
            .init("request", .string(token.key.description)), .init("token", .integer(token.number)),
            .init("identifier", .string(identifier)), .init("host", .string(host)),
            .init("claimed", JSONOutput(claimed?.iso8601)), .init("ended", JSONOutput(ended?.iso8601)),
            .init("outcome", .string(outcome)), .init("accepted", .bool(isAccepted)),
        ]
        let names = Set(own.map(\.key))
        return .object(own + detail.json.filter { !names.contains($0.key) })
    }
}
