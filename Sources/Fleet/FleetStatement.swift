import Record
import TaskModel

/// The protocol's calls (`Schema`).
enum FleetStatement {
    static let version = ServerStatement("SELECT taskhost.version()")

    /// Who owns the schema, and whether that is the user of the session; no row: there is no such schema.
    static let owner = ServerStatement(
        """
        SELECT r.rolname, r.rolname = current_user FROM pg_catalog.pg_namespace n
        JOIN pg_catalog.pg_roles r ON r.oid = n.nspowner WHERE n.nspname = 'taskhost'
        """)
    /// The server ends what a host no longer waits for (`PostgresLink.patience`): otherwise a table that is locked for long would
    /// use up its connections, with claims for nobody.
    static let limits = ServerStatement(
        "SELECT set_config('statement_timeout', '8s', false), set_config('client_connection_check_interval', '2s', false)"
    )
    static let listen = ServerStatement("LISTEN taskhost_requests")

    /// Ended requests and the history are kept for thirty days, as a host's own.
    static let keep = ServerStatement("SELECT taskhost.keep('30 days')")

    static func join(_ member: FleetMember) -> ServerStatement {
        let identity = Hexadecimal.text(member.identity.high) + Hexadecimal.text(member.identity.low)
        return ServerStatement(
            "SELECT taskhost.join($1, $2, $3, $4, $5, $6)",
            [
                .text(member.name), .text(identity), .text(member.boot), .text(member.version),
                .text(FleetLabels.json(member.labels)),
                .text(member.lease.interval),
            ])
    }

    static func seen(_ host: String, _ standing: FleetStanding, waits: Bool) -> ServerStatement {
        ServerStatement(
            "SELECT taskhost.seen($1, $2, $3)", [.text(host), .text(standing.text), .text(waits ? "t" : "f")])
    }

    static func rollouts(_ host: String) -> ServerStatement {
        ServerStatement("SELECT application, manifest FROM taskhost.rollouts_of($1)", [.text(host)])
    }

    static func leave(_ host: String) -> ServerStatement { ServerStatement("SELECT taskhost.leave($1)", [.text(host)]) }

    static func submit(_ key: ULID, _ request: TaskRequest) -> ServerStatement {
        ServerStatement(
            "SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, key => $4, details => $5)",
            [
                .text(request.identifier), .bytes(request.payload),
                request.terms.earliestBeginDate.map { .text($0.iso8601) } ?? .null, .text(key.uuid),
                .text(RequestDetails.text(request)),
            ])
    }

    static func claim(
        _ host: String, _ identifiers: ServerStatement.Parameter, most: Int, _ lease: TimeSpan
    ) -> ServerStatement {
        ServerStatement(
            "SELECT key, number, losses, identifier, details, payload, attempt, failures, deferrals"
                + " FROM taskhost.claim($1, $2, $3, $4)",
            [.text(host), identifiers, .text(String(most)), .text(lease.interval)])
    }

    static func nextFree(_ host: String, _ identifiers: ServerStatement.Parameter) -> ServerStatement {
        ServerStatement("SELECT extract(epoch FROM taskhost.next_free($1, $2))", [.text(host), identifiers])
    }

    static func oldest(_ identifiers: [String]) -> ServerStatement {
        ServerStatement(
            "SELECT identifier, extract(epoch FROM clock_timestamp() - since) FROM taskhost.oldest($1)",
            [.array(identifiers)])
    }

    static func renew(_ host: String, _ tokens: [ClaimToken], _ lease: TimeSpan) -> ServerStatement {
        ServerStatement(
            "SELECT key, number FROM taskhost.renew($1, $2, $3, $4)",
            [
                .text(host), .array(tokens.map(\.key.uuid)), .array(tokens.map { String($0.number) }),
                .text(lease.interval),
            ])
    }

    static func complete(
        _ host: String, _ token: ClaimToken, _ end: ClaimEnd, _ report: ClaimReport
    ) -> ServerStatement {
        let claim: [ServerStatement.Parameter] = [.text(host), .text(token.key.uuid), .text(String(token.number))]
        let history: [ServerStatement.Parameter] = [
            .text(report.run.map(RunDetail.text) ?? "{}"), report.output.isEmpty ? .null : .bytes(report.output),
        ]
        switch end {
        case .ended(let outcome):
            return ServerStatement(
                "SELECT taskhost.complete($1, $2, $3, $4, $5, $6)", claim + [.text(outcome.name)] + history)
        case .waits(let request, let pause):
            return ServerStatement(
                "SELECT taskhost.give_back($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                claim + [
                    .text(String(request.attempt)), .text(String(request.failures)), .text(String(request.deferrals)),
                    .text(pause.interval), report.run?.outcome.map { .text($0.name) } ?? .null,
                ] + history)
        }
    }
}

extension ClaimToken {
    /// - Parameter row: begins with key and number; nil: it does not.
    init?(row: [String?]) {
        guard row.count >= 2, let key = row[0].flatMap(ULID.init(uuid:)), let number = row[1].flatMap(Int64.init)
        else { return nil }
        self.init(key: key, number: number)
    }
}

extension Claim {
    /// - Parameter row: of `FleetStatement.claim`; nil: it is another one.
    init?(row: [String?], lease: TimeSpan, end: Instant) {
        guard row.count == 9, let token = ClaimToken(row: row), let losses = row[2].flatMap(UInt32.init),
            let identifier = row[3], let payload = row[5].flatMap(Bytea.bytes)
        else { return nil }
        var request = RequestDetails.request(identifier, details: row[4] ?? "{}")
        request.payload = payload
        request.attempt = row[6].flatMap(UInt32.init) ?? 1
        request.failures = row[7].flatMap(UInt32.init) ?? 0
        request.deferrals = row[8].flatMap(UInt8.init) ?? 0
        self.init(token: token, request: request, losses: losses, lease: lease, end: end)
    }
}
