import CSQLite
import Glibc
import Record
@testable import Store
import TaskModel

/// Reads the input as values that stand in a record instead of those that a host wrote: each one in a column of a table. What
/// can be read of the record then is read, or refused with an error; nothing of it stops the program. What the packings of a row get
/// from others comes back from them as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    record.take(input)
    checkPackings(input)
    return 0
}

/// The input's texts, between bytes of no text, as sentences, as names of assertions and as files.
private func checkPackings(_ input: UnsafeRawBufferPointer) {
    let texts = input.split(separator: 0xFF, maxSplits: 8).map { String(decoding: $0, as: UTF8.self) }
    guard texts.reduce(0, { $0 + 2 * $1.utf8.count + 1 }) < TextList.maximumSize else { return }
    let sentences = TextList.unpack(TextList.pack(texts))
    precondition(sentences.map { Array($0.utf8) } == texts.map { Array($0.utf8) }, "sentences come back")
    let short = texts.filter { $0.utf8.count <= OpenAssertion.maximumName }
    let assertions = short.map { text in
        let place = CodePlace(module: text, offset: UInt64(text.utf8.count))
        return OpenAssertion(id: 1, name: text, age: .seconds(1), frames: [place])
    }
    guard let found = AssertionPacking.unpack(AssertionPacking.pack(assertions)) else {
        preconditionFailure("what was packed can be read")
    }
    precondition(found.map { Array($0.name.utf8) } == short.map { Array($0.utf8) }, "names come back")
    precondition(
        found.map { $0.frames.map { Array($0.word.utf8) } } == assertions.map { $0.frames.map { Array($0.word.utf8) } },
        "places come back, but for white space")
}

/// One record for all inputs: each is taken back.
nonisolated(unsafe) private let record = SpoiledRecord()

private final class SpoiledRecord {
    private let store: Store
    private let columns: [(table: String, name: String)]

    init() {
        do throws(StoreError) {
            // In memory, and gone with the process.
            let path = "/dev/shm/taskhost-rows-\(getpid()).db"
            store = try Store(path: path, access: .exclusive)
            unlink(path)
            unlink(path + "-wal")
            try Self.fill(store)
            columns = try Self.columns(of: store.database)
        } catch {
            fatalError("no record: \(error)")
        }
    }

    private static func columns(of database: Database) throws(StoreError) -> [(table: String, name: String)] {
        let statement = try Statement(
            database,
            "SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c "
                + "WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' ORDER BY 1, 2", what: "list columns")
        var found: [(table: String, name: String)] = []
        while try statement.next() { found.append((statement.text(0) ?? "", statement.text(1) ?? "")) }
        return found
    }

    /// A row or two in every table.
    private static func fill(_ store: Store) throws(StoreError) {
        try store.database.execute(
            """
            INSERT INTO tasks VALUES (1, 'com.example.a', 'com.example', NULL, 1, 7),
                (2, 'com.example.b', 'com.example', x'00', 1, NULL);
            INSERT INTO untold_ends VALUES (1, zeroblob(16), 1, zeroblob(16), 1, NULL, NULL, NULL, NULL),
                (1, zeroblob(16), 2, zeroblob(16), 2, 2, 1, 0, 1772366400000000000);
            INSERT INTO setups VALUES (1, 'landlock', 'memory');
            INSERT INTO runs (seq, ulid, task, attempt, submitted, started, ended, outcome, wall, cpu, peak, setup, diagnostics,
                events, waited, origin, kept, frozen) VALUES
                (1, x'019CA9450A000001000000000000002A', 1, 2, 1772366400000000000, 1772366400001000000, 1772366425500000000,
                 3, 25499000000, 8000000, 1048576, 1, 'slow', x'0100FFFBD8FEBD01030080897A', NULL, 1, 9, 5),
                (2, x'019CA9458EF800010000000000000000', 2, 1, 1772366434040000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                 NULL, NULL, x'00', NULL, NULL, NULL);
            INSERT INTO pauses VALUES (1, 1772366400001000000, 1772366400002000000), (1, 1772366400003000000, NULL);
            INSERT INTO output VALUES (1, 1, x'66', 1772366400000000000, 2), (1, 2, x'67', NULL, NULL);
            INSERT INTO output_dropped VALUES (1, 12);
            INSERT INTO disorder VALUES (1);
            INSERT INTO requests (id, submitted, kind, origin, attempt, power, network, strategy, resources) VALUES
                (1, 1772366434040000000, 1, 1, 1, 0, 1, 1, 0), (-2, 1772366434040000000, 2, 1, 1, 0, 1, 1, 0);
            INSERT INTO applications (id, identifier, notified) VALUES (1, 'com.example', x'0000000000000001');
            INSERT INTO journal VALUES (1, 1772366400000000000, 1, 'com.example', 'a line');
            INSERT INTO device_log VALUES (1, 1772366400000000000, 'power', 'external');
            INSERT INTO overrides VALUES ('power', 'battery');
            INSERT INTO terminations VALUES (1, 'com.example', 1772366400000000000, 1, 1, 5, 0, 1, '3 12300000000 save');
            INSERT INTO sessions VALUES (1, 'com.example', 'albums', 4, 1, 0, 1, 1, 1, 7, 70, 3, NULL, 1);
            INSERT INTO transfers (id, session, application, session_name, number, created, state, told, taken, background, kind,
                place, method, priority, expensive, constrained, headers, attempts, received, sent, durable, status, ended,
                ended_order, end_headers) VALUES
                (1, 1, 'com.example', 'albums', 1, 1772366400000000000, 1, 0, 0, 1, 1, 'https://example.com/', 'GET', 0.5, 1, 1,
                 x'0100410100', 0, 0, 0, 0, 0, NULL, NULL, NULL),
                (2, 1, 'com.example', 'albums', 2, 1772366400000000000, 3, 1, 0, 1, 2, 'https://example.com/', 'PUT', 0.5, 1, 1,
                 NULL, 0, 0, 0, 0, 200, 1772366400000000001, 1, x'0100410100');
            """)
    }

    func take(_ input: UnsafeRawBufferPointer) {
        guard sqlite3_exec(store.database.handle, "BEGIN", nil, nil, nil) == SQLITE_OK else {
            fatalError("no transaction")
        }
        defer { _ = sqlite3_exec(store.database.handle, "ROLLBACK", nil, nil, nil) }
        spoil(input)
        read()
    }

    /// Column, kind of value, its length, and the value, again and again.
    private func spoil(_ input: UnsafeRawBufferPointer) {
        var position = 0
        func next() -> UInt8 {
            guard position < input.count else { return 0 }
            defer { position += 1 }
            return input[position]
        }
        for _ in 0..<64 where position < input.count {
            let column = columns[(Int(next()) | Int(next()) << 8) % columns.count]
            var statement: OpaquePointer?
            let sql = "UPDATE OR IGNORE \"\(column.table)\" SET \"\(column.name)\" = ?"
            guard sqlite3_prepare_v2(store.database.handle, sql, -1, &statement, nil) == SQLITE_OK else { continue }
            defer { sqlite3_finalize(statement) }
            let kind = next()
            let size = min(Int(next()), input.count - position)
            let value = UnsafeRawBufferPointer(rebasing: input[position..<position + size])
            position += size
            let number = value.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            switch kind % 6 {
            case 0: sqlite3_bind_null(statement, 1)
            case 1: sqlite3_bind_int64(statement, 1, Int64(bitPattern: number))
            case 2: sqlite3_bind_int64(statement, 1, Int64(Int8(truncatingIfNeeded: number)))
            case 3: sqlite3_bind_double(statement, 1, Double(bitPattern: number))
            // Copied at once: SQLITE_TRANSIENT is a macro that Swift does not import.
            case 4:
                sqlite3_bind_text(
                    statement, 1, value.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(size),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            default:
                sqlite3_bind_blob(
                    statement, 1, value.baseAddress, Int32(size), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
            sqlite3_step(statement)
        }
    }

    /// Everything that a host or a verb asks, each by itself: one that is refused keeps no other from it.
    private func read() {
        let history = store.history
        let id = ULID(high: 0x019C_A945_0A00_0001, low: 42)
        let readings: [() throws -> Void] = [
            { _ = try history.runs(matching: RunFilter(), before: nil, limit: 10) },
            { _ = try history.run(id) },
            { _ = try history.run(matching: "01") },
            { _ = try history.output(of: id) },
            { _ = try history.outputSize(of: id) },
            { _ = try history.lastRun(of: "a.b") },
            { _ = try history.runLengths(of: "com.example.a", limit: 9) },
            { _ = try history.newestMoment() },
            { _ = try history.requests(application: nil) },
            { try history.forEachRequest { _ in } },
            { _ = try self.store.interruptedRequests() },
            { _ = try self.store.unfinishedRuns() },
            { _ = try self.store.untoldEnds() },
            { _ = try history.sharedTime(task: 1) },
            { _ = try history.applications() },
            { _ = try history.journal(limit: 9) },
            { _ = try history.journal(before: nil, limit: 9) },
            { _ = try history.deviceLog(before: nil, limit: 9) },
            { _ = try history.overrides() },
            { _ = try history.identifiers(after: nil, limit: 9) },
            { _ = try history.fileMarks(task: 2) },
            { _ = try history.terminations(application: nil, before: nil, limit: 9) },
            { _ = try history.lastTermination(of: "com.example") },
            { _ = try history.sessions() },
            { _ = try history.transferNumbers() },
            { try history.forEachOpenTransfer { _ in } },
            { _ = try history.transfers(application: nil, before: nil, limit: 9) },
        ]
        for reading in readings {
            do {
                try reading()
            } catch {
                precondition(error is StoreError && !"\(error)".isEmpty, "an error says what it is")
            }
        }
    }
}
