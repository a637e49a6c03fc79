import Foundation
import TestSupport
import Testing

@Suite("DatabaseCare", .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
struct DatabaseCareTests {
    private func care(
        _ state: Folder, _ settings: String = #""keep": 3, "createIfMissing": true"#, options: [String] = []
    ) throws -> Harness {
        try Harness.run(
            Places.products.appending(path: "libDatabaseCare.so"), ["database_care"], state: state,
            settings: #"{"database": "$STATE/data.sqlite", "backup": "$STATE/backup.sqlite", \#(settings)}"#,
            options: ["--wall", "60"] + options)
    }

    /// A database that takes a good part of a second to look after.
    private func makeLarge(_ state: Folder, rows: Int = 400_000) throws {
        try SQLite(state.file("data.sqlite")).execute(
            """
            CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, body BLOB);
            CREATE INDEX item_by_name ON item(name);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows))
            INSERT INTO item SELECT x, hex(randomblob(8)), zeroblob(60) FROM n;
            """)
    }

    @Test("makes a sample where there is nothing yet, and backs it up whole")
    func firstRun() throws {
        let state = try Folder()
        let run = try care(state)
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(try state.names() == ["backup.sqlite", "data.sqlite"])
        let backup = try SQLite(state.file("backup.sqlite"))
        #expect(try backup.column("PRAGMA integrity_check") == ["ok"])
        #expect(try backup.column("SELECT count(*) FROM reading") == ["3024"])
        let all = "SELECT quote(station) || quote(taken) || quote(celsius) FROM reading"
        #expect(try backup.column(all) == SQLite(state.file("data.sqlite")).column(all))
        #expect(try !SQLite(state.file("data.sqlite")).column("SELECT stat FROM sqlite_stat1").isEmpty, "ANALYZE")
    }

    @Test("keeps as many backups as it is configured to, the newest first")
    func rotates() throws {
        let state = try Folder()
        for number in 1...5 {
            #expect(try care(state).outcome == "succeeded")
            try SQLite(state.file("data.sqlite")).execute("INSERT INTO station(name) VALUES ('\(number)')")
        }
        #expect(try state.names() == ["backup.sqlite", "backup.sqlite.1", "backup.sqlite.2", "data.sqlite"])
        for (name, stations) in [("backup.sqlite", "7"), ("backup.sqlite.1", "6"), ("backup.sqlite.2", "5")] {
            #expect(try SQLite(state.file(name)).column("SELECT count(*) FROM station") == [stations])
        }
        #expect(try care(state, #""keep": 1"#).outcome == "succeeded")
        #expect(try state.names() == ["backup.sqlite", "data.sqlite"])
    }

    @Test("backs up a database that another program has open")
    func besideOthers() throws {
        let state = try Folder()
        try makeLarge(state, rows: 1000)
        let other = try SQLite(state.file("data.sqlite"))
        try other.execute("PRAGMA journal_mode = WAL; INSERT INTO item(name) VALUES ('only in the log')")
        let run = try care(state)
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(try SQLite(state.file("backup.sqlite")).column("SELECT count(*) FROM item") == ["1001"])
    }

    @Test("fails on a damaged database, says what is damaged, and leaves the backups alone")
    func damaged() throws {
        let state = try Folder()
        #expect(try care(state).outcome == "succeeded")
        let sound = try Data(contentsOf: state.file("backup.sqlite"))
        var bytes = try Data(contentsOf: state.file("data.sqlite"))
        for page in 3..<6 { bytes.replaceSubrange((page * 4096)..<(page * 4096 + 512), with: Data(count: 512)) }
        try bytes.write(to: state.file("data.sqlite"))
        let run = try care(state)
        #expect(run.outcome == "failed", "\(run.output)")
        #expect(run.lines(of: "log").contains { $0.hasPrefix("4 ") && $0.contains("damaged") }, "\(run.output)")
        #expect(try Data(contentsOf: state.file("backup.sqlite")) == sound)
        #expect(try state.names() == ["backup.sqlite", "data.sqlite"])
    }

    @Test("fails on a file that is no database")
    func noDatabase() throws {
        let state = try Folder()
        try state.write("data.sqlite", String(repeating: "this is a letter, not a database. ", count: 100))
        let run = try care(state)
        #expect(run.outcome == "failed", "\(run.output)")
        #expect(run.lines(of: "log").contains { $0.contains("not a database") }, "\(run.output)")
    }

    @Test("fails on a missing database unless it may make one")
    func missing() throws {
        let state = try Folder()
        let run = try care(state, #""keep": 1"#)
        #expect(run.outcome == "failed")
        #expect(run.lines(of: "log").contains { $0.contains("createIfMissing") }, "\(run.output)")
        #expect(try state.names().isEmpty)
    }

    @Test("stops at once when it expires, in each part of its work, and leaves nothing half-done")
    func expires() throws {
        let state = try Folder()
        try makeLarge(state)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try care(state, #""keep": 1"#).outcome == "succeeded")
        let whole = start.duration(to: clock.now)
        try FileManager.default.removeItem(at: state.file("backup.sqlite"))

        // By the lines it has logged: within the integrity check, ANALYZE and the backup.
        for lines in ["1", "3", "5"] {
            let run = try care(state, options: ["--expire-after-lines", lines])
            #expect(run.outcome == "expired", "\(run.output)")
            #expect(run.lines(of: "log").contains { $0.contains("expired (reason 1)") }, "\(run.output)")
            // Each of these takes a large part of the whole; stopping takes next to nothing of it.
            #expect(try #require(run.reaction) < whole / 4)
            #expect(try state.names() == ["data.sqlite"])
        }
        // By the clock, in the middle of the integrity check: one long step that only an interrupt ends.
        let check = try care(state, options: ["--wall", "60.05", "--grace", "60"])
        #expect(check.outcome == "expired", "\(check.output)")
        #expect(try #require(check.reaction) < whole / 4)

        #expect(try care(state).outcome == "succeeded")
        #expect(try SQLite(state.file("backup.sqlite")).column("SELECT count(*) FROM item") == ["400000"])
    }

    @Test("stops waiting for another program when it expires")
    func expiresWhileWaiting() throws {
        let state = try Folder()
        try makeLarge(state, rows: 10)
        let other = try SQLite(state.file("data.sqlite"))
        try other.execute("BEGIN EXCLUSIVE")
        let run = try care(state, options: ["--expire-after-looks", "5"])
        #expect(run.outcome == "expired", "\(run.output)")
        try other.execute("ROLLBACK")
        #expect(try care(state).outcome == "succeeded")
    }

    @Test(
        "says what is wrong with its settings",
        arguments: [
            ("{", "malformed JSON"), ("{}", "\"database\" is missing"),
            (#"{"database": "/a"}"#, "\"backup\" is missing"),
            (#"{"database": "/a", "backup": "/a"}"#, "the database itself"),
            (#"{"database": "a", "backup": "/b"}"#, "an absolute path"),
            (#"{"database": "/a", "backup": "/b", "keep": 0}"#, "\"keep\""),
            (#"{"database": "/a", "backup": "/b", "keep": "three"}"#, "\"keep\""),
        ])
    func refusesSettings(_ settings: String, _ sentence: String) throws {
        let run = try Harness.run(
            Places.products.appending(path: "libDatabaseCare.so"), ["database_care"], state: Folder(),
            settings: settings)
        #expect(run.outcome == "failed", "\(run.output)")
        #expect(run.lines(of: "log").contains { $0.hasPrefix("4 ") && $0.contains(sentence) }, "\(run.output)")
    }
}
