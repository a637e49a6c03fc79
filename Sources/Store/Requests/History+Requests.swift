package import Record
package import TaskModel

extension History {
    /// Every request: running ones first, then those that wait in the order of their identity. One that makes no sense is
    /// passed over. `body` must not write.
    package func forEachRequest(_ body: (borrowing TaskRequest) -> Void) throws(StoreError) {
        let statement = try requestStatement("ORDER BY requests.id")
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
                let row = statement.integer(0)
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

    /// Requests that were running, whole, and those that wait under the same identities. Takes time for these alone.
    func interruptedRequests() throws(StoreError) -> [TaskRequest] {
        let statement = try requestStatement(
            """
            WHERE requests.id < 0 OR requests.id IN (SELECT -id FROM requests WHERE id < 0) ORDER BY requests.id
            """)
        var found: [TaskRequest] = []
        try forEach(of: statement) { found.append(copy $0) }
        return found
    }

    func runningIdentities() throws(StoreError) -> Set<Int64> {
        let row = try Statement(database, "SELECT -id FROM requests WHERE id < 0", what: "read requests")
        return Set(try row.integers())
    }

    private func requestStatement(_ clauses: String) throws(StoreError) -> Statement {
        try Statement(
            database,
            """
            SELECT requests.id, identifier, application, requests.kind, requests.submitted, requests.attempt, earliest, power, network, strategy,
            resources, requests.origin, not_before, scheduled, ulid, title, subtitle, payload, failures, left_out,
            deferrals, requests.settings
            FROM requests CROSS JOIN tasks ON tasks.id = abs(requests.id)
            LEFT JOIN runs ON runs.seq = requests.run \(clauses)
            """, what: "read requests")
    }

    private func request(_ row: borrowing Statement) throws(StoreError) -> TaskRequest {
        do throws(Unreadable) {
            return try readRequest(row)
        } catch {
            throw unreadable("requests", row.integer(0))
        }
    }

    private func readRequest(_ row: borrowing Statement) throws(Unreadable) -> TaskRequest {
        guard let identifier = row.text(1), let application = row.text(2),
            let kind = UInt8(exactly: row.integer(3)).flatMap(TaskKind.init(rawValue:)),
            let strategy = UInt8(exactly: row.integer(9)).flatMap(SubmissionStrategy.init(rawValue:)),
            let origin = UInt8(exactly: row.integer(11)).flatMap(RequestOrigin.init(rawValue:))
        else { throw Unreadable() }
        var terms = RequestTerms()
        terms.earliestBeginDate = row.optionalInteger(6).map(Timestamp.init(nanoseconds:))
        terms.requiresExternalPower = row.integer(7) != 0
        terms.requiresNetwork = row.integer(8) != 0
        terms.strategy = strategy
        terms.requiredResources = UInt32(clamping: row.integer(10))
        terms.origin = origin
        var request = TaskRequest(
            identity: abs(row.integer(0)), kind: kind, terms: terms, submitted: Timestamp(nanoseconds: row.integer(4)))
        request.identifier = identifier
        request.application = application
        request.attempt = UInt32(clamping: row.integer(5))
        request.notBefore = row.optionalInteger(12).map(Timestamp.init(nanoseconds:))
        request.scheduledFor = row.optionalInteger(13).map(Timestamp.init(nanoseconds:))
        request.running = row.integer(0) < 0 ? row.id(14) ?? TaskRequest.unknownRun : nil
        request.title = row.text(15) ?? ""
        request.subtitle = row.text(16) ?? ""
        request.payload = unsafe row.withBytes(17) { unsafe Array($0) }
        request.failures = UInt32(clamping: row.integer(18))
        request.leftOut = row.optionalInteger(19).map(Timestamp.init(nanoseconds:))
        request.deferrals = UInt8(clamping: row.integer(20))
        request.settings = unsafe row.withBytes(21) { unsafe Array($0) }
        return request
    }
}
