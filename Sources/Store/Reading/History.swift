package import Record
package import TaskModel

/// The past, for reading: by the host through its store, or by a verb in its own process while a host writes. It sees
/// committed data.
package final class History: RecordReader {
    let database: Database
    /// The number of the host that starts with what it finds here.
    let host: Int64
    /// Queried often by a host: kept for the life of the connection.
    let lastRun: Statement
    let findApplicationRun: Statement
    let findTermination: Statement
    let findTransfer: Statement
    let findTask: Statement
    /// The run at which the last page of runs ended: the next one begins there.
    var lastPlace: (id: ULID, sequence: Int64)?
    /// Rows that make no sense, which lists for a host's start passed over.
    var passedOver: [RowFault] = []

    /// Opens the file for reading alone. It is never created or changed.
    ///
    /// - Parameter patience: how long another process's lock is waited for; nil: as long as a recovering writer may take.
    package convenience init(
        path: String, schema: RecordSchema = .current, patience: TimeSpan? = nil
    ) throws(StoreError) {
        let (database, version) = try Self.open(path, schema, patience)
        // No host has the file now. SQLite has no locks on the log itself.
        try LogSight.refuseDamage(beside: path)
        switch version {
        case 0: throw StoreError(.missing, what: Database.opening, path: path)
        case let found where found < schema.version:
            throw StoreError(
                .olderSchema(found: found, known: schema.version), what: Database.opening, path: path)
        default: try self.init(reading: database)
        }
    }

    private static func open(
        _ path: String, _ schema: RecordSchema, _ patience: TimeSpan?
    ) throws(StoreError) -> (Database, version: Int) {
        do throws(StoreError) {
            let database = try Database(path: path, access: .readOnly, patience: patience)
            return (database, try database.checkVersion(schema, anyClock: true))
        } catch {
            guard error.kind == .full else { throw error }
            // A shared reader would need a file for the log's index, for which the disk may have no space. An exclusive
            // one needs none.
            let database = try Database(path: path, access: .exclusive, patience: patience)
            try database.leaveAsItIs()
            return (database, try database.checkVersion(schema, anyClock: true))
        }
    }

    init(reading database: Database, as host: Int64 = Hosts.first) throws(StoreError) {
        self.database = database
        self.host = host
        lastRun = try database.prepare("read runs", Self.lastRunQuery)
        findApplicationRun = try database.prepare("read runs", Self.applicationRunQuery)
        findTermination = try database.prepare("read terminations", Self.applicationTerminationsQuery)
        findTransfer = try database.prepare("read transfers", Self.transferQuery)
        findTask = try database.prepare(
            "find a task", "SELECT id FROM tasks WHERE identifier = ?1 AND application = ?2 AND host = \(host)")
    }

    /// The kept output of a run, and the number of dropped bytes; empty for an unknown run.
    package func output(of id: ULID) throws(StoreError) -> (bytes: [UInt8], dropped: UInt64) {
        try database.withSnapshot { () throws(StoreError) in
            guard let sequence = try sequence(of: id) else { return ([], 0) }
            let parts = try Statement(
                database, "SELECT bytes FROM output WHERE seq = ?1 ORDER BY part", what: "read a run's output")
            parts.bind(1, sequence)
            var bytes: [UInt8] = []
            while try parts.next() { unsafe parts.withBytes(0) { unsafe bytes.append(contentsOf: $0) } }
            return (bytes, try droppedOutput(sequence))
        }
    }

    /// A run's kept output from a place on: whole parts, the first of which may begin before it. Empty for an unknown run.
    ///
    /// - Parameter most: the number of bytes after which there is no further part.
    package func log(of id: ULID, from place: LogPlace, most: Int) throws(StoreError) -> [LogPart] {
        try database.withSnapshot { () throws(StoreError) in
            guard let sequence = try sequence(of: id) else { return [] }
            let rows = try Statement(
                database, "SELECT part, bytes, at, stream FROM output WHERE seq = ?1 AND part >= ?2 ORDER BY part",
                what: "read a run's output")
            rows.bind(values: sequence, place.part)
            var parts: [LogPart] = []
            var size = 0
            while size < most, try rows.next() {
                let stream = rows.optionalInteger(3).flatMap { UInt8(exactly: $0) }.flatMap(LogStream.init)
                let at = rows.optionalInteger(2).map(Timestamp.init(nanoseconds:))
                var part = LogPart(number: rows.integer(0), mark: nil, bytes: [])
                if let stream, let at { part.mark = LogMark(stream, at: at) }
                unsafe rows.withBytes(1) { unsafe part.bytes.append(contentsOf: $0) }
                size += part.bytes.count - (part.number == place.part ? place.skipped : 0)
                parts.append(part)
            }
            return parts
        }
    }

    /// The sizes of a run's kept and dropped output; 0 for an unknown run.
    package func outputSize(of id: ULID) throws(StoreError) -> (kept: Int, dropped: UInt64) {
        try database.withSnapshot { () throws(StoreError) in
            guard let sequence = try sequence(of: id) else { return (0, 0) }
            let kept = try Statement(
                database, "SELECT sum(length(bytes)) FROM output WHERE seq = ?1", what: "read a run's output")
            kept.bind(1, sequence)
            return (Int(try kept.first() ?? 0), try droppedOutput(sequence))
        }
    }

    private func droppedOutput(_ sequence: Int64) throws(StoreError) -> UInt64 {
        let dropped = try Statement(
            database, "SELECT bytes FROM output_dropped WHERE seq = ?1", what: "read a run's output")
        dropped.bind(1, sequence)
        return UInt64(clamping: try dropped.first() ?? 0)
    }

    /// The host's runs without an outcome, oldest first; takes time for these alone.
    func unfinished() throws(StoreError) -> [(sequence: Int64, record: RunRecord)] {
        let rows = try select("WHERE runs.outcome IS NULL AND tasks.host = \(host) ORDER BY runs.seq")
        var found: [(sequence: Int64, record: RunRecord)] = []
        while try rows.next() {
            do throws(Unreadable) {
                found.append((rows.integer(0), try RunRow.read(rows)))
            } catch {
                passOver(.other, unreadable("runs", rows.integer(0)))
            }
        }
        return found
    }

    /// The time of the newest run's admission, or of the newest line of the journal, whichever is later; nil: there are none.
    package func newestMoment() throws(StoreError) -> Timestamp? {
        let line = try database.integer("SELECT at FROM journal ORDER BY seq DESC LIMIT 1")
        return [try newest()?.admission, line.map(Timestamp.init(nanoseconds:))].compactMap { $0 }.max()
    }

    /// The run recorded last.
    func newest() throws(StoreError) -> (sequence: Int64, id: ULID, admission: Timestamp)? {
        let statement = try Statement(
            database, "SELECT seq, ulid, submitted FROM runs ORDER BY seq DESC LIMIT 1", what: "read the record of runs"
        )
        guard try statement.next() else { return nil }
        return (statement.integer(0), try readID(statement, 1), Timestamp(nanoseconds: statement.integer(2)))
    }

    /// A statement that gives whole runs.
    func select(_ clauses: String) throws(StoreError) -> Statement {
        try Statement(database, Self.query(clauses), what: "read runs")
    }

    /// The joins are crossed because SQLite keeps the order of those: runs come first, so no sorting is needed.
    static func query(_ clauses: String, from tables: String = "runs CROSS JOIN tasks ON tasks.id = runs.task")
        -> String
    {
        """
        SELECT \(RunRow.columns) FROM \(tables) LEFT JOIN setups ON setups.id = runs.setup \(clauses)
        """
    }

    func records(of statement: borrowing Statement) throws(StoreError) -> [(sequence: Int64, record: RunRecord)] {
        var records: [(sequence: Int64, record: RunRecord)] = []
        while try statement.next() {
            do throws(Unreadable) {
                records.append((statement.integer(0), try RunRow.read(statement)))
            } catch {
                throw unreadable("runs", statement.integer(0))
            }
        }
        return records
    }

    /// A page of rows, each with its number in the first column. A row that makes no sense is noted, and the list goes on.
    func page<Element>(
        of rows: borrowing Statement, _ table: StaticString, limit: Int,
        _ read: (borrowing Statement) throws(Unreadable) -> Element
    ) throws(StoreError) -> RowPage<Element> {
        var page = RowPage<Element>(elements: [], next: nil)
        var count = 0
        while try rows.next() {
            count += 1
            if count == limit { page.next = rows.integer(0) }
            do throws(Unreadable) {
                page.elements.append(try read(rows))
            } catch {
                page.unreadable.append(UnreadableRow(table: "\(table)", number: rows.integer(0)))
            }
        }
        page.damage = database.damage.sentence()
        return page
    }

    func readID(_ statement: borrowing Statement, _ column: Int32) throws(StoreError) -> ULID {
        guard let id = statement.id(column) else { throw unreadable("runs", statement.integer(0)) }
        return id
    }

    /// The row is left as it is, and everything else is read.
    func passOver(_ subject: RowFault.Subject, _ error: StoreError) {
        passedOver.append(RowFault(subject, "cannot \(error.what): \(error.message)"))
    }

    func unreadable(_ table: StaticString, _ row: Int64) -> StoreError {
        StoreError(
            .corrupt, what: "read \(table)", path: database.path,
            message: UnreadableRow(table: "\(table)", number: row).sentence)
    }
}
