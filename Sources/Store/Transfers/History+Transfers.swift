package import Record
package import TaskModel

// Background sessions and their transfers, for reading.
extension History {
    /// The host's. One that makes no sense is passed over.
    package func sessions() throws(StoreError) -> [StoredSession] {
        let row = try Statement(
            database,
            "SELECT \(SessionColumn.list) FROM sessions WHERE host = \(host) ORDER BY id", what: "read sessions")
        var sessions: [StoredSession] = []
        while try row.next() {
            guard let application = row.text(SessionColumn.application),
                let identifier = row.text(SessionColumn.identifier)
            else {
                passOver(.session(row.integer(SessionColumn.id)), unreadable("sessions", row.integer(SessionColumn.id)))
                continue
            }
            var options = SessionOptions()
            options.isDiscretionary = row.integer(SessionColumn.discretionary) != 0
            options.sendsLaunchEvents = row.integer(SessionColumn.launches) != 0
            options.allowsExpensive = row.integer(SessionColumn.expensive) != 0
            options.allowsConstrained = row.integer(SessionColumn.constrained) != 0
            options.requestTimeout = TimeSpan(nanoseconds: max(0, row.integer(SessionColumn.requestTimeout)))
            options.resourceTimeout = TimeSpan(nanoseconds: max(0, row.integer(SessionColumn.resourceTimeout)))
            options.connectionsPerHost = UInt16(clamping: row.integer(SessionColumn.connections))
            options.proxy = row.text(SessionColumn.proxy) ?? ""
            sessions.append(
                StoredSession(
                    id: row.integer(SessionColumn.id), application: application, identifier: identifier,
                    options: options,
                    next: UInt32(clamping: row.integer(SessionColumn.next)),
                    awaitsHandling: row.integer(SessionColumn.handling) != 0))
        }
        return sessions
    }

    package func transferNumbers() throws(StoreError) -> TransferNumbers {
        func last(_ table: StaticString) throws(StoreError) -> Int64 {
            try database.integer("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'") ?? 0
        }
        // No host records this many: the file is damaged or foreign, and its next transfers would have no number.
        let (session, transfer) = (try last("sessions"), try last("transfers"))
        guard max(session, transfer) < Int64.max / 2 else { throw unreadable("transfers", max(session, transfer)) }
        return TransferNumbers(
            session: session, transfer: transfer,
            order: try database.integer(Self.lastOrderQuery) ?? 0)
    }

    /// A damaged row must not be the last of all: no order would follow it.
    private static let lastOrderQuery = """
        SELECT max(ended_order) FROM transfers
        WHERE typeof(ended_order) = 'integer' AND ended_order < 4611686018427387904
        """

    /// One that makes no sense is passed over.
    package func forEachOpenTransfer(_ body: (borrowing BackgroundTransfer) -> Void) throws(StoreError) {
        let row = try Statement(database, Self.openTransfersQuery, what: "read transfers")
        while try row.next() {
            let transfer: BackgroundTransfer
            do throws(Unreadable) {
                transfer = try TransferRow.read(row)
            } catch {
                passOver(.transfer(row.integer(0)), unreadable("transfers", row.integer(0)))
                continue
            }
            body(transfer)
        }
    }

    package static let openTransfersQuery = """
        SELECT \(TransferRow.columns) FROM transfers WHERE told = 0 ORDER BY id
        """

    package func transfer(_ id: Int64) throws(StoreError) -> BackgroundTransfer? {
        findTransfer.bind(1, id)
        defer { findTransfer.reset() }
        return try findTransfer.next() ? try transfer(findTransfer) : nil
    }

    static let transferQuery = "SELECT \(TransferRow.columns) FROM transfers WHERE id = ?1"

    package func transfers(
        application: String?, isOpen: Bool, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<BackgroundTransfer> {
        let limit = min(max(0, limit), RecordLimits.rows)
        if let application { return try scanTransfers(of: application, isOpen, before: before, limit: limit) }
        let row = try Statement(database, Self.pageQuery(TransferRow.columns, isOpen), what: "read transfers")
        row.bind(values: before ?? Int64.max, Int64(limit))
        return try page(of: row, "transfers", limit: limit, TransferRow.read).below(before)
    }

    package static func pageQuery(_ columns: String, _ isOpen: Bool) -> String {
        "SELECT \(columns) FROM transfers WHERE id < ?1\(isOpen ? " AND told = 0" : "") ORDER BY id DESC LIMIT ?2"
    }

    /// Searches the next `scanned` rows for transfers of one application.
    private func scanTransfers(
        of application: String, _ isOpen: Bool, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<BackgroundTransfer> {
        let rows = try Statement(database, Self.pageQuery("id, application = ?3", isOpen), what: "read transfers")
        rows.bind(values: before ?? Int64.max, Self.scanned, application)
        let (chosen, next) = try scan(rows, limit: limit) { $0.integer(1) != 0 }
        var found = RowPage<BackgroundTransfer>(elements: [], next: next)
        for id in chosen {
            findTransfer.bind(1, id)
            found.append(try page(of: findTransfer, "transfers", limit: 2, TransferRow.read))
        }
        return found.below(before)
    }

    private func transfer(_ row: borrowing Statement) throws(StoreError) -> BackgroundTransfer {
        do throws(Unreadable) {
            return try TransferRow.read(row)
        } catch {
            throw unreadable("transfers", row.integer(0))
        }
    }
}

/// Columns of `sessions`.
enum SessionColumn: Int32, RowColumn {
    case id, application, identifier, next, handling, discretionary, launches, expensive, constrained
    case requestTimeout, resourceTimeout, connections, proxy
}
