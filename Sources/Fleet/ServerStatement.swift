/// A statement with its parameters `$1`, `$2`, ….
struct ServerStatement: Sendable {
    /// A parameter. PostgreSQL infers its type from the statement.
    enum Parameter: Sendable {
        case null
        /// Of any type, as text.
        case text(String)
        /// A bytea.
        case bytes([UInt8])
    }

    var sql: String
    var parameters: [Parameter] = []

    init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// What the server says to a statement.
enum StatementAnswer: Sendable {
    /// Rows of columns as text; nil: NULL.
    case rows([[String?]])
    case refused(StatementFault)

    /// nil: it was refused.
    var rows: [[String?]]? {
        if case .rows(let rows) = self { rows } else { nil }
    }
}

/// What the server says to a transaction of one or more statements.
enum TransactionAnswer: Sendable {
    /// Rows of each statement, in their order. It is committed.
    case done([[[String?]]])
    /// Nothing of it has been carried out.
    case refused(StatementFault)
}

/// A statement that the server has not carried out.
struct StatementFault: Error, Sendable, Equatable {
    /// SQLSTATE: five characters (PostgreSQL, appendix A); empty when the connection broke.
    var code: String
    /// The server's own words, without its prefix.
    var message: String

    /// The server is not one that writes, or is going down: another connection is needed.
    var endsConnection: Bool {
        code == "25006" || code.hasPrefix("08") || code.hasPrefix("57P") || code.isEmpty
    }
    /// The database does not know this host, or as another's: it has to join anew.
    static let strangers: Set<String> = ["TH002", "TH004"]
    /// The statement itself is at fault: it would be refused again.
    var isLasting: Bool { code.hasPrefix("22") || code.hasPrefix("23") || code == "TH003" }
}

extension ServerStatement.Parameter {
    /// An array of texts, as PostgreSQL reads it ("Arrays", 8.15.2).
    static func array(_ texts: some Sequence<String>) -> Self {
        let elements = texts.map { text in
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        return .text("{" + elements.joined(separator: ",") + "}")
    }
}
