package import Record
package import TaskModel

extension History {
    /// The host's requests: running ones first, then those that wait in the order of their identity. One that makes no sense
    /// is passed over. `body` must not write.
    package func forEachRequest(_ body: (borrowing TaskRequest) -> Void) throws(StoreError) {
        let statement = try requestStatement("WHERE tasks.host = \(host) ORDER BY requests.id")
        try forEach(of: statement, body)
    }

    private func forEach(
        of statement: borrowing Statement, _ body: (borrowing TaskRequest) -> Void
    ) throws(StoreError) {
        while try statement.next() {
            let found: TaskRequest
            do throws(Unreadable) {
                found = try readRequest(statement)
            } catch {
                let row = statement.integer(RequestColumn.id)
                passOver(.request(row == .min ? .max : abs(row)), unreadable("requests", row))
                continue
            }
            body(found)
        }
    }

    /// Requests of one application, or of all: running ones first. `RecordLimits.rows` at most.
    package func requests(application: String?) throws(StoreError) -> [TaskRequest] {
        let statement = try requestStatement("WHERE ?1 IS NULL OR tasks.application = ?1 ORDER BY requests.id LIMIT ?2")
        statement.bind(values: application, Int64(RecordLimits.rows))
        return try statement.rows(request)
    }

    /// The request of the identity that waits; nil when there is none.
    package func waitingRequest(identity: Int64) throws(StoreError) -> TaskRequest? {
        let statement = try requestStatement("WHERE requests.id = ?1")
        statement.bind(1, identity)
        return try statement.next() ? try request(statement) : nil
    }

    /// The host's requests that were running, whole, and those that wait under the same identities. Takes time for these alone.
    func interruptedRequests() throws(StoreError) -> [TaskRequest] {
        let statement = try requestStatement(
            """
            WHERE (requests.id < 0 OR requests.id IN (SELECT -id FROM requests WHERE id < 0)) AND tasks.host = \(host)
            ORDER BY requests.id
            """)
        var found: [TaskRequest] = []
        try forEach(of: statement) { found.append(copy $0) }
        return found
    }

    func runningIdentities() throws(StoreError) -> Set<Int64> {
        let row = try Statement(database, "SELECT -id FROM requests WHERE id < 0", what: "read requests")
        return Set(try row.integers())
    }

    private static let requestColumns = RequestColumn.list

    private func requestStatement(_ clauses: String) throws(StoreError) -> Statement {
        try Statement(
            database,
            """
            SELECT \(Self.requestColumns)
            FROM requests CROSS JOIN tasks ON tasks.id = abs(requests.id)
            LEFT JOIN runs ON runs.seq = requests.run \(clauses)
            """, what: "read requests")
    }

    private func request(_ row: borrowing Statement) throws(StoreError) -> TaskRequest {
        do throws(Unreadable) {
            return try readRequest(row)
        } catch {
            throw unreadable("requests", row.integer(RequestColumn.id))
        }
    }

    private func readRequest(_ row: borrowing Statement) throws(Unreadable) -> TaskRequest {
        guard let identifier = row.text(RequestColumn.identifier),
            let application = row.text(RequestColumn.application),
            let kind = UInt8(exactly: row.integer(RequestColumn.kind)).flatMap(TaskKind.init(rawValue:)),
            let strategy = UInt8(exactly: row.integer(RequestColumn.strategy)).flatMap(
                SubmissionStrategy.init(rawValue:)),
            let origin = UInt8(exactly: row.integer(RequestColumn.origin)).flatMap(RequestOrigin.init(rawValue:))
        else { throw Unreadable() }
        var terms = RequestTerms()
        terms.earliestBeginDate = row.optionalInteger(RequestColumn.earliest).map(Timestamp.init(nanoseconds:))
        terms.requiresExternalPower = row.integer(RequestColumn.power) != 0
        terms.requiresNetwork = row.integer(RequestColumn.network) != 0
        terms.strategy = strategy
        terms.requiredResources = UInt32(clamping: row.integer(RequestColumn.resources))
        terms.origin = origin
        var request = TaskRequest(
            identity: abs(row.integer(RequestColumn.id)), kind: kind, terms: terms,
            submitted: Timestamp(nanoseconds: row.integer(RequestColumn.submitted)))
        request.identifier = identifier
        request.application = application
        request.attempt = UInt32(clamping: row.integer(RequestColumn.attempt))
        request.notBefore = row.optionalInteger(RequestColumn.notBefore).map(Timestamp.init(nanoseconds:))
        request.scheduledFor = row.optionalInteger(RequestColumn.scheduled).map(Timestamp.init(nanoseconds:))
        request.running = row.integer(RequestColumn.id) < 0 ? row.id(RequestColumn.run) ?? TaskRequest.unknownRun : nil
        request.title = row.text(RequestColumn.title) ?? ""
        request.subtitle = row.text(RequestColumn.subtitle) ?? ""
        request.payload = unsafe row.withBytes(RequestColumn.payload) { unsafe Array($0) }
        request.failures = UInt32(clamping: row.integer(RequestColumn.failures))
        request.leftOut = row.optionalInteger(RequestColumn.leftOut).map(Timestamp.init(nanoseconds:))
        request.deferrals = UInt8(clamping: row.integer(RequestColumn.deferrals))
        request.settings = unsafe row.withBytes(RequestColumn.settings) { unsafe Array($0) }
        return request
    }
}

/// Columns of a request, with its task's names and the run that it has.
enum RequestColumn: Int32, RowColumn {
    case id, identifier, application, kind, submitted, attempt, earliest, power, network, strategy
    case resources, origin, notBefore, scheduled, run, title, subtitle, payload, failures, leftOut
    case deferrals, settings

    var sql: String {
        switch self {
        case .id: "requests.id"
        case .kind: "requests.kind"
        case .submitted: "requests.submitted"
        case .attempt: "requests.attempt"
        case .origin: "requests.origin"
        case .settings: "requests.settings"
        case .notBefore: "not_before"
        case .run: "ulid"
        case .leftOut: "left_out"
        default: String(describing: self)
        }
    }
}
