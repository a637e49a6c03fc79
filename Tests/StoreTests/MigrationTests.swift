import Record
import Store
import TaskModel
import TestSupport
import Testing

struct MigrationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A file as the first release wrote it. It never changes.
    static let firstRelease = """
        CREATE TABLE tasks (id INTEGER PRIMARY KEY, identifier TEXT NOT NULL, application TEXT NOT NULL,
            UNIQUE (identifier, application));
        CREATE TABLE setups (id INTEGER PRIMARY KEY, confinement TEXT NOT NULL, degraded TEXT NOT NULL,
            UNIQUE (confinement, degraded));
        CREATE TABLE runs (seq INTEGER PRIMARY KEY, ulid BLOB NOT NULL, task INTEGER NOT NULL REFERENCES tasks,
            attempt INTEGER NOT NULL, submitted INTEGER NOT NULL, started INTEGER, expired INTEGER, ended INTEGER,
            outcome INTEGER, reason INTEGER, wall INTEGER, cpu INTEGER, peak INTEGER, signal INTEGER, status INTEGER,
            result_kind INTEGER, result, setup INTEGER REFERENCES setups, diagnostics TEXT, events BLOB);
        CREATE INDEX runs_unfinished ON runs (outcome) WHERE outcome IS NULL;
        CREATE TABLE disorder (seq INTEGER PRIMARY KEY);
        CREATE TABLE output (seq INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (seq, part)) WITHOUT ROWID;
        CREATE TABLE output_dropped (seq INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
        INSERT INTO tasks VALUES (1, 'com.example.feeds.refresh', 'com.example.feeds');
        INSERT INTO setups VALUES (4, 'landlock', 'memory' || char(30) || 'cpuTime');
        INSERT INTO runs VALUES (1, x'019CA9450A000001000000000000002A', 1, 2, 1772366400000000000, 1772366400001000000,
            1772366425000000000, 1772366425500000000, 3, 1, 25499000000, 8000000, 1048576, NULL, 0, 1, 42, 4,
            'slow' || char(30) || 'very slow', x'0100FFFBD8FEBD01030080897A');
        INSERT INTO runs (seq, ulid, task, attempt, submitted) VALUES
            (2, x'019CA9458EF800010000000000000000', 1, 1, 1772366434040000000);
        INSERT INTO output VALUES (1, 1, CAST('fetched ' AS BLOB)), (1, 2, CAST('3 feeds' AS BLOB));
        INSERT INTO output_dropped VALUES (1, 12);
        PRAGMA application_id = 1414219859;
        PRAGMA user_version = 1;
        """

    private func writeFirstRelease() throws {
        try Database(path: folder.database, access: .readWrite).execute(Self.firstRelease)
    }

    private func expectFirstReleaseRuns(_ history: History) throws {
        let runs = try history.runs(limit: 10)
        try #require(runs.count == 2)
        #expect(runs[0].outcome == nil)
        let id = ULID(high: 0x019C_A945_0A00_0001, low: 42)
        var expected = RunRecord(
            id: id, identifier: "com.example.feeds.refresh", application: "com.example.feeds", attempt: 2,
            outcome: .expired, reason: .budget, submittedAt: moment(), startedAt: moment(1),
            expiredAt: moment(25_000), endedAt: moment(25_500),
            figures: RunFigures(
                wallTime: .milliseconds(25_499), cpuTime: .milliseconds(8), peakMemory: .mebibytes(1),
                exitStatus: 0, result: .integer(42)),
            degraded: ["memory", "cpuTime"], diagnostics: ["slow", "very slow"],
            events: runs[1].events, confinement: "landlock")
        expected.lastLine = "fetched 3 feeds"
        #expect(runs[1] == expected)
        #expect(runs[1].events.map { $0.kind } == [.submitted, .started])
        let output = try history.output(of: id)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "fetched 3 feeds")
        #expect(output.dropped == 12)
    }

    @Test func `A file of the first release is read and written on`() throws {
        try writeFirstRelease()
        let store = try Store(path: folder.database)
        try expectFirstReleaseRuns(store.history)
        try expectFirstReleaseRuns(History(path: folder.database))
        #expect(store.nextSequence == 3)
        #expect(try store.recover(at: moment(60_000)) == (1, 0))
    }

    /// A host of the first release ran the shipped manifests, and was killed during its fifth run.
    @Test func `A file that the first release left behind is brought forward and written on`() throws {
        try folder.write(try TemporaryFolder.bytes(of: EarlierRecordTests.path(of: "host-1.db")))
        let reader = #expect(throws: StoreError.self) { _ = try History(path: folder.database) }
        #expect(reader?.kind == .olderSchema(found: 1, known: RecordSchema.current.version))
        let store = try Store(path: folder.database)
        #expect(try store.unfinishedRuns().map { $0.identifier } == ["org.taskhost.examples.scrub"])
        #expect(try store.recover(at: moment()) == (1, 0))
        var request = try store.sampleRequest("org.taskhost.examples.scrub", submitted: 5)
        try store.putRequest(request)
        let run = RunStart(
            id: ULID(at: Timestamp(nanoseconds: 1_795_300_000_000_000_000), random: (0, 6)),
            task: request.identity, attempt: 1, submittedAt: moment(5), origin: .person)
        let wait = GateWait(gate: .idle, from: moment(5), to: moment(6))
        try store.insertRun(run, waits: [wait].span)
        try store.markRequestRunning(identity: request.identity, submitted: request.submitted, run: run.id)
        request.running = run.id
        try store.commit()
        let history = try History(path: folder.database)
        #expect(try history.requests() == [request])
        let runs = try history.runs(limit: 10)
        #expect(runs.map { $0.outcome } == [nil, .interrupted, .succeeded, .succeeded, .succeeded, .succeeded])
        #expect(runs.map { $0.waits.count } == [1, 0, 0, 0, 0, 0])
        #expect(runs.map { $0.origin } == [.person, nil, nil, nil, nil, nil])
        #expect(runs.last?.figures.result == .unsigned(3_421_780_262))
        #expect(try history.journal(limit: 9).isEmpty)
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    }

    @Test func `A new file has the shape of the first release brought forward`() throws {
        try writeFirstRelease()
        _ = try Store(path: folder.database)
        let new = try TemporaryFolder()
        _ = try Store(path: new.database)
        let shape = """
            SELECT group_concat(name || ':' || columns, ' ') FROM (SELECT name, (SELECT group_concat(name || ' ' || type, ',')
            FROM pragma_table_xinfo(s.name)) AS columns FROM sqlite_schema AS s ORDER BY name)
            """
        let old = try Database(path: folder.database, access: .readOnly).text(shape)
        #expect(try Database(path: new.database, access: .readOnly).text(shape) == old)
        #expect(old?.contains("runs:seq INTEGER,ulid BLOB") == true)
    }

    @Test func `A later schema brings the file forward and keeps what is in it`() throws {
        try writeFirstRelease()
        let later = RecordSchema(
            steps: RecordSchema.current.steps + ["ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'green'"])
        try expectFirstReleaseRuns(Store(path: folder.database, schema: later).history)
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.integer("PRAGMA user_version") == Int64(later.version))
        #expect(try database.text("SELECT colour FROM runs") == "green")
        let refusal = #expect(throws: StoreError.self) { _ = try Store(path: folder.database) }
        #expect(refusal?.kind == .newerSchema(found: later.version, known: RecordSchema.current.version))
    }

    @Test func `A step that fails leaves the file as it was`() throws {
        try writeFirstRelease()
        let faulty = RecordSchema(
            steps: RecordSchema.current.steps + ["CREATE TABLE half (a); INSERT INTO runs (seq) VALUES (1)"])
        #expect(throws: StoreError.self) { _ = try Store(path: folder.database, schema: faulty) }
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.integer("PRAGMA user_version") == 1)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0)
        try expectFirstReleaseRuns(Store(path: folder.database).history)
    }

    @Test func `What was written before hosts had ids is the first host's`() throws {
        let steps = RecordSchema.current.steps
        let before = RecordSchema(steps: Array(steps.prefix { !$0.contains("CREATE TABLE hosts") }))
        #expect(before.version == 15)
        let old = try Database(path: folder.database, access: .readWrite)
        for step in before.steps { try old.execute(step) }
        try old.execute(
            """
            INSERT INTO tasks VALUES (4, 'com.example.feeds.refresh', 'com.example.feeds', x'00');
            INSERT INTO runs (seq, ulid, task, attempt, submitted) VALUES
                (2, x'019CA9458EF800010000000000000000', 4, 1, 1772366434040000000);
            INSERT INTO sessions VALUES (3, 'com.example.feeds', 'albums', 4, 1, 0, 1, 1, 1, 7, 70, 3, NULL);
            INSERT INTO sessions VALUES (9, 'com.example.feeds', 'old', 1, 0, 0, 1, 1, 1, 7, 70, 3, NULL);
            DELETE FROM sessions WHERE id = 9;
            PRAGMA application_id = 1414219859;
            PRAGMA user_version = 15;
            """)
        let store = try Store(path: folder.database)
        #expect(try store.unfinishedRuns().map(\.identifier) == ["com.example.feeds.refresh"])
        #expect(try store.history.taskRow(TaskName("com.example.feeds.refresh", of: "com.example.feeds")) == 4)
        #expect(try store.history.sessions().map(\.id) == [3])
        #expect(try store.history.transferNumbers().session == 9)
        #expect(try store.database.text("PRAGMA integrity_check") == "ok")
        #expect(try store.database.text("PRAGMA foreign_key_check") == nil)
        let id = store.host
        let other = HostID(high: 1, low: 2)
        try #require(id != other)
        _ = consume store
        #expect(try Store(path: folder.database, of: other).unfinishedRuns().isEmpty)
        #expect(try Store(path: folder.database).host == id)
    }

    @Test func `A reader of a later version asks for a host to bring the file forward`() throws {
        try writeFirstRelease()
        let later = RecordSchema(steps: RecordSchema.current.steps + ["CREATE TABLE more (a)"])
        let error = #expect(throws: StoreError.self) { _ = try History(path: folder.database, schema: later) }
        #expect(error?.kind == .olderSchema(found: 1, known: later.version))
    }
}
