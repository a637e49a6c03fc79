package import Record
package import TaskModel

// What people ask of a fleet.
extension FleetSession {
    package func hosts() throws(FleetError) -> [FleetHostRow] {
        try rows(FleetHostRow.statement).compactMap(FleetHostRow.init)
    }

    /// The newest requests first, those that have ended too if `all`.
    ///
    /// - Parameter name: an identifier, or the key of a request; nil: of all.
    package func requests(
        of name: String?, all: Bool, limit: Int
    ) throws(FleetError) -> [FleetRequestRow] {
        let (condition, parameters) = Self.condition(name, number: 1)
        return try rows(
            FleetRequestRow.statement(
                where: all ? condition : condition + " AND ended IS NULL", parameters, limit: limit)
        ).compactMap(FleetRequestRow.init)
    }

    /// What hosts hold now, the first lease to end first; a thousand at most.
    package func leasedRequests() throws(FleetError) -> [FleetRequestRow] {
        try rows(FleetRequestRow.statement(where: "leased", by: "free", limit: 1000)).compactMap(FleetRequestRow.init)
    }

    /// The last ended first.
    package func runs(of name: String?, limit: Int) throws(FleetError) -> [FleetRunRow] {
        let (condition, parameters) = Self.condition(name, number: 1)
        return try rows(FleetRunRow.statement(where: condition, parameters, limit: limit))
            .compactMap(FleetRunRow.init)
    }

    /// The session of the database that has stood in a transaction for the longest time, of those over a minute that this role
    /// may see; nil: none has.
    package func longestTransaction() throws(FleetError) -> (process: Int, user: String, age: TimeSpan)? {
        let statement = ServerStatement(
            """
            SELECT pid, usename, extract(epoch FROM clock_timestamp() - xact_start)::bigint
            FROM pg_catalog.pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'
                AND xact_start < clock_timestamp() - interval '1 minute'
            ORDER BY xact_start LIMIT 1
            """)
        guard let row = try rows(statement).first, row.count == 3, let process = row[0].flatMap({ Int($0) }),
            let seconds = row[2].flatMap({ Int64($0) })
        else { return nil }
        return (process, row[1] ?? "", .seconds(seconds))
    }

    /// What a run wrote, the end of it; nil: nothing is kept, or this role may not read it.
    package func output(of token: ClaimToken) throws(FleetError) -> [UInt8]? {
        try rows(
            ServerStatement("SELECT taskhost.output($1, $2)", [.text(token.key.uuid), .text(String(token.number))])
        ).first?.first?.flatMap(Bytea.bytes)
    }

    package func rollouts() throws(FleetError) -> [FleetRolloutRow] {
        try rows(FleetRolloutRow.statement).compactMap(FleetRolloutRow.init)
    }

    /// - Parameter manifest: nil: the one that is being rolled out.
    package func rollOut(_ application: String, manifest: String?, percent: Int) throws(FleetError) {
        _ = try rows(
            ServerStatement(
                "SELECT taskhost.roll_out($1, $2, $3)",
                [.text(application), manifest.map { .text($0) } ?? .null, .text(String(percent))]))
    }

    /// - Returns: whether anything of that application was rolled out.
    package func withdraw(_ application: String) throws(FleetError) -> Bool {
        try rows(ServerStatement("SELECT taskhost.withdraw($1)", [.text(application)])).first?.first == "t"
    }

    private static func condition(_ name: String?, number: Int) -> (String, [ServerStatement.Parameter]) {
        guard let name else { return ("true", []) }
        if let key = ULID(name) { return ("key = $\(number)", [.text(key.uuid)]) }
        return ("identifier = $\(number)", [.text(name)])
    }

    /// - Returns: the request's key.
    package func submit(_ submission: FleetSubmission) throws(FleetError) -> ULID {
        guard let key = try rows(submission.statement).first?.first?.flatMap(ULID.init(uuid:)) else {
            throw .database("the fleet has answered without a key; \(place); look whether it is of this version")
        }
        return key
    }

    /// - Returns: `cancelled`, `cancelling` (its host ends the run) or `ended` (it had); nil: there is no such request, or it is
    ///   another user's.
    package func cancel(_ key: ULID) throws(FleetError) -> String? {
        try rows(ServerStatement("SELECT taskhost.cancel($1)", [.text(key.uuid)])).first?.first.flatMap { $0 }
    }

    /// The host gets no new requests, or gets them again.
    ///
    /// - Returns: whether there is such a host.
    package func drain(_ host: String, _ isDraining: Bool) throws(FleetError) -> Bool {
        let found = try rows(
            ServerStatement("SELECT taskhost.drain($1, $2)", [.text(host), .text(isDraining ? "t" : "f")]))
        return (found.first?.first?.flatMap { Int($0) } ?? 0) > 0
    }
}

/// A request for whichever host can start it.
package struct FleetSubmission: Sendable {
    /// What an unfinished request of the same key does to this one.
    package enum Policy: String, CaseIterable, Sendable {
        case keep, replace, allow
    }

    package var identifier: String
    package var payload: [UInt8] = []
    package var earliest: Timestamp?
    package var priority: Int16 = 0
    package var labels: [String: String] = [:]
    /// The submitter's own name for it.
    package var dedupe: String?
    package var policy = Policy.allow
    package var requiresExternalPower = false
    package var requiresNetwork = false

    package init(_ identifier: String) { self.identifier = identifier }

    var statement: ServerStatement {
        var request = TaskRequest(identifier: identifier, kind: .processing)
        request.terms.origin = .person
        request.terms.requiresExternalPower = requiresExternalPower
        request.terms.requiresNetwork = requiresNetwork
        return ServerStatement(
            """
            SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, priority => $4::smallint,
                labels => $5, dedupe => $6, policy => $7, details => $8)
            """,
            [
                .text(identifier), .bytes(payload), earliest.map { .text($0.iso8601) } ?? .null,
                .text(String(priority)), .text(FleetLabels.json(labels)), dedupe.map { .text($0) } ?? .null,
                .text(policy.rawValue), .text(RequestDetails.text(request)),
            ])
    }
}
