import CPQ
import Linux

/// A connection for a verb, which waits for each answer. *Thread*: the one that made it.
@safe package final class FleetSession {
    private let library: LibPQ
    private let connection: LibPQ.Connection?
    /// For people: where it leads.
    package let place: String

    /// Connects, for ten seconds at most unless the options say otherwise.
    package init(_ options: ConnectionOptions) throws(FleetError) {
        library = try LibPQ.map()
        place = options.place
        var values = options.values
        values["connect_timeout"] = values["connect_timeout"] ?? "10"
        unsafe connection = unsafe PostgresConnection.withOptions(values) { [library] keywords, values in
            unsafe library.connect(keywords, values, 0)
        }
        guard unsafe library.status(connection) == CONNECTION_OK else {
            throw .unreachable(
                "the fleet cannot be reached; \(place): \(words); look whether the server runs and the names are right")
        }
    }

    deinit { unsafe library.finish(connection) }

    private var words: String {
        ConnectionOptions.line(
            unsafe library.errorMessage(connection).map { unsafe String(cString: $0) } ?? "no memory")
    }

    // MARK: Statements

    /// The rows of a statement that has the protocol's rules.
    func rows(_ statement: ServerStatement) throws(FleetError) -> [[String?]] {
        switch answer(to: statement) {
        case .rows(let rows): return rows
        case .refused(let fault): throw .database(FleetSchema.sentence(of: fault, at: place))
        }
    }

    func answer(to statement: ServerStatement) -> StatementAnswer {
        let result = unsafe PostgresConnection.withParameters(statement.parameters) { values, lengths, formats in
            unsafe library.execParameters(
                connection, statement.sql, Int32(statement.parameters.count), nil, values, lengths, formats, 0)
        }
        defer { unsafe library.clear(result) }
        return unsafe PostgresConnection.answer(result, library) ?? .rows([])
    }

    /// - Throws: a sentence about a database whose fleet is of another version, or none.
    package func requireVersion() throws(FleetError) {
        if let sentence = FleetSchema.fault(of: answer(to: FleetStatement.version), at: place) {
            throw .database(sentence)
        }
    }

    /// Makes the schema, or of an older version this program's, in one transaction.
    ///
    /// - Returns: the version that was there; 0: none was.
    package func makeSchema() throws(FleetError) -> Int {
        try requireOwnSchema()
        let found: Int
        switch answer(to: FleetStatement.version) {
        case .refused(let fault) where fault.code == "3F000" || fault.code == "42883": found = 0
        case let answer:
            if let version = FleetSchema.olderVersion(in: answer) {
                found = version
            } else {
                if let sentence = FleetSchema.fault(of: answer, at: place) { throw .database(sentence) }
                return FleetSchema.version
            }
        }
        // A text of several statements is one transaction (PostgreSQL, "Multiple Statements in a Simple Query").
        let result = unsafe library.exec(connection, FleetSchema.statements(from: found))
        defer { unsafe library.clear(result) }
        if case .refused(let fault)? = unsafe PostgresConnection.answer(result, library) {
            throw .database("the fleet's schema could not be made; \(place): \(fault.message); nothing was changed")
        }
        return found
    }

    /// Functions of a schema are its owner's: called by another one, they could do whatever that one may.
    private func requireOwnSchema() throws(FleetError) {
        let owner = try rows(FleetStatement.owner).first
        guard let owner, owner.count == 2, let name = owner[0], owner[1] != "t" else { return }
        throw .database(
            "the schema taskhost is another user's; \(place): \(name) owns it, and may have put anything there; run "
                + "'taskhost fleet init' as \(name), or use another database")
    }
}
