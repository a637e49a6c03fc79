import Record

/// The statements that keep sessions and transfers: each changes no more than it must.
struct TransferStatements: ~Copyable {
    let putSession: Statement
    let tellAll: Statement
    let forgetSession: Statement
    let put: Statement
    let number: Statement
    let progress: Statement
    let state: Statement
    let hold: Statement
    let request: Statement
    let end: Statement
    let move: Statement
    let take: Statement
    let deliver: Statement
    let find: Statement
    let forget: Statement

    /// The columns that a delivered transfer loses.
    private static let wiped = """
        state = 6, told = 1, url = NULL, headers = NULL, text = NULL, resume = NULL, validator = NULL,
        upload_location = NULL, last_url = NULL, end_url = NULL, end_headers = NULL, end_resume = NULL
        """

    /// Memberwise, because an initializer that throws half-way cannot release its non-copyable parts.
    static func prepared(for database: Database, of host: Int64) throws(StoreError) -> TransferStatements {
        return TransferStatements(
            putSession: try database.prepare(
                "record a session",
                """
                INSERT INTO sessions (id, application, identifier, next, handling, discretionary, launches, expensive,
                constrained, request_timeout, resource_timeout, connections, proxy, host)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \(host))
                ON CONFLICT (id) DO UPDATE SET next = max(next, excluded.next), handling = excluded.handling,
                discretionary = excluded.discretionary, launches = excluded.launches, expensive = excluded.expensive,
                constrained = excluded.constrained, request_timeout = excluded.request_timeout,
                resource_timeout = excluded.resource_timeout, connections = excluded.connections,
                proxy = excluded.proxy
                """),
            tellAll: try database.prepare(
                "forget a session", "UPDATE transfers SET \(wiped) WHERE told = 0 AND session = ?1"),
            forgetSession: try database.prepare("forget a session", "DELETE FROM sessions WHERE id = ?1"),
            put: try database.prepare(
                "record a transfer",
                """
                REPLACE INTO transfers (id, session, number, created, state, told, taken, background, kind, place, method,
                file, earliest, timeout, priority, expensive, constrained, expected_send, expected_receive, sha256, url,
                headers, text, resume, attempts, received, sent, durable, status, application, session_name)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, 0, 0, 0, 0, 0, application, identifier FROM sessions WHERE id = ?2
                """),
            number: try database.prepare(
                "record a transfer", "UPDATE sessions SET next = ?2 + 1 WHERE id = ?1 AND next <= ?2"),
            progress: try database.prepare(
                "record the progress of a transfer",
                """
                UPDATE transfers SET attempts = ?2, received = ?3, sent = ?4, durable = ?5, total = ?6, validator = ?7,
                upload_location = ?8, last_url = ?9, status = ?10, address = ?11, fault = ?12, next_try = ?13,
                source_size = ?14, source_modified = ?15, source_inode = ?16
                WHERE id = ?1 AND told = 0
                """),
            state: try database.prepare(
                "record the state of a transfer", "UPDATE transfers SET state = ?2 WHERE id = ?1 AND ended IS NULL"),
            hold: try database.prepare(
                "record the state of a transfer", "UPDATE transfers SET held = ?2 WHERE id = ?1 AND told = 0"),
            request: try database.prepare(
                "record a transfer",
                """
                UPDATE transfers SET kind = ?9, place = ?10, method = ?11, file = ?12, earliest = ?13, timeout = ?14,
                priority = ?15, expensive = ?16, constrained = ?17, expected_send = ?18, expected_receive = ?19,
                sha256 = ?20, url = ?21, headers = ?22, text = ?23, resume = ?24 WHERE id = ?1 AND told = 0
                """),
            end: try database.prepare(
                "record the end of a transfer",
                """
                UPDATE transfers SET state = 5, ended = ?2, ended_order = ?3, error = ?4, cancel_reason = ?5, sentence = ?6,
                end_status = ?7, end_url = ?8, end_headers = ?9, end_received = ?10, end_sent = ?11, end_file = ?12,
                end_resume = ?13 WHERE id = ?1 AND ended IS NULL AND told = 0
                """),
            // A result beyond an integer would be unreadable.
            move: try database.prepare(
                "record a transfer",
                """
                UPDATE transfers SET created = created + ?1
                WHERE told = 0 AND ended IS NULL AND typeof(created + ?1) = 'integer'
                """),
            take: try database.prepare(
                "record that a file was taken", "UPDATE transfers SET taken = 1 WHERE id = ?1 AND told = 0"),
            deliver: try database.prepare(
                "record that a transfer was delivered", "UPDATE transfers SET \(wiped) WHERE id = ?1"),
            // Those that are not delivered are passed over: however many of the oldest they are, they hold up nothing.
            find: try database.prepare(
                "forget old transfers",
                """
                SELECT id FROM (SELECT id, ended FROM transfers WHERE told = 1 ORDER BY id LIMIT ?1)
                WHERE ended < ?2 OR ended IS NULL OR id <= (SELECT max(id) FROM transfers) - ?3
                """),
            forget: try database.prepare("forget old transfers", "DELETE FROM transfers WHERE id = ?1"))
    }
}
