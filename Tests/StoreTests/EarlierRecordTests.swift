import Foundation
import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Records of earlier versions, from Tests/Fixtures/Records: each has rows in every table.
struct EarlierRecordTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static func path(of name: String) -> String {
        Places.fixtures.appending(path: "Records/\(name)").path
    }

    /// The file of that version in a folder of the test's own.
    private func copy(_ version: Int) throws {
        try folder.write(try TemporaryFolder.bytes(of: Self.path(of: "version-\(version).db")))
    }

    private struct Table {
        var name: String
        var columns: [String]
        /// Every row as SQL writes it, sorted.
        var rows: [String]
    }

    private func open() throws -> SQLite { try SQLite(.init(filePath: folder.database)) }

    /// The rows of the table in those of its columns.
    private func rows(of name: String, _ columns: [String], in record: SQLite) throws -> [String] {
        let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
        return try record.column("SELECT \(row) AS row FROM \"\(name)\" ORDER BY row")
    }

    private func tables(in record: SQLite) throws -> [Table] {
        let names = try record.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return try names.map { name in
            let columns = try record.column("SELECT name FROM pragma_table_info('\(name)')")
            return Table(name: name, columns: columns, rows: try rows(of: name, columns, in: record))
        }
    }

    @Test func `A record of every version stands here, with rows in every table`() throws {
        for version in 1...RecordSchema.current.version {
            try #require(
                access(Self.path(of: "version-\(version).db"), R_OK) == 0,
                "no record of version \(version); see Tests/Fixtures/Records/README.md for how one is made")
            try copy(version)
            let record = try open()
            #expect(try record.column("PRAGMA user_version") == ["\(version)"])
            let tables = try tables(in: record)
            #expect(tables.count >= (version < 2 ? 6 : 11))
            for table in tables { #expect(!table.rows.isEmpty, "\(table.name) of version \(version)") }
        }
    }

    @Test(arguments: 1...RecordSchema.current.version)
    func `It is brought forward, and every row is there in every column that it had`(_ version: Int) throws {
        try copy(version)
        let before = try tables(in: open())
        do { _ = try Store(path: folder.database) }
        let record = try open()
        #expect(try record.column("PRAGMA user_version") == ["\(RecordSchema.current.version)"])
        #expect(try record.column("PRAGMA integrity_check") == ["ok"])
        for table in before {
            #expect(try rows(of: table.name, table.columns, in: record) == table.rows, "\(table.name)")
        }
    }

    @Test(arguments: 1...RecordSchema.current.version)
    func `Its runs are read, and those that were under way are ended`(_ version: Int) throws {
        try copy(version)
        let store = try Store(path: folder.database)
        let history = store.history
        let host = HostID(high: 0x555B_5D01_C68A_40F7, low: 0x90DA_9528_7A22_9B35)
        #expect((store.host == host) == (version >= 16), "an id stays; a record without one gets another each time")
        let runs = try history.runs(limit: 99)
        #expect(runs.map(\.id) == [42_000, -5000, 3000, 2000, 1000, 0].map { sampleID($0) })
        let run = try #require(runs.last)
        #expect(
            run.outcome == .overran && run.reason == .budget && run.figures.signal == 9
                && run.figures.result == .integer(-4))
        #expect(run.diagnostics == ["first\nof two lines", "second"] && run.degraded == ["memory", "cpuTime"])
        #expect(run.events.map(\.kind) == [.submitted, .launched, .started, .expired, .ended])
        #expect(run.waits.map(\.gate) == (version < 2 ? [] : [.idle, .network]))
        #expect(run.origin == (version < 2 ? nil : .person))
        let longer = RunDifference(.longer, value: 190_000_000_000, usual: 60_000_000_000)
        #expect(run.marks == (version < 17 ? RunMarks() : RunMarks(differences: [longer], wroteErrors: true)))
        #expect(run.kind == (version < 13 ? nil : .processing))
        let inputs = RunInputs(payload: [1, 2], settings: Array(#"{"a":1}"#.utf8))
        #expect(try history.inputs(of: run.id) == (version < 14 ? RunInputs() : inputs))
        #expect(run.figures.memoryAtStart == (version < 5 ? nil : .mebibytes(2)))
        #expect(
            run.pauses.count == (version < 8 ? 0 : 1)
                && run.figures.frozenTime == (version < 8 ? nil : .milliseconds(10)))
        let output = try history.output(of: sampleID(0))
        #expect(output.bytes == Array("half of it".utf8) && output.dropped == 17)
        let log = try history.log(of: sampleID(0), from: LogPlace(number: 0), most: 1)
        #expect(log.map(\.mark) == [version < 12 ? nil : LogMark(.stderr, at: moment(70))])
        #expect(try store.recover(at: moment(60_000)) == (1, version < 2 ? 0 : 1))
        #expect(try history.runs(limit: 1).first?.outcome == .interrupted)
    }

    @Test(arguments: 2...RecordSchema.current.version)
    func `Its requests, its applications and what it remembers are read`(_ version: Int) throws {
        try copy(version)
        let store = try Store(path: folder.database)
        let history = store.history
        let requests = try history.requests()
        try #require(requests.count == 2)
        let request = try #require(requests.first { $0.running == nil })
        #expect(requests.first { $0.running != nil }?.running == sampleID(42_000))
        #expect(request.title == "Export" && request.subtitle == "3 of 4" && request.payload == Array("payload".utf8))
        #expect(request.settings == (version < 14 ? [] : Array(#"{"b":2}"#.utf8)))
        #expect(request.terms.earliestBeginDate == moment(50_000) && request.notBefore == moment(60_000))
        #expect(request.terms.requiresNetwork && request.terms.requiresExternalPower && request.attempt == 3)
        #expect(request.failures == 2, "before they were counted it is what the attempts say")
        #expect(request.leftOut == (version < 4 ? nil : moment(35_000)) && request.deferrals == (version < 7 ? 0 : 1))
        let memory = try #require(try history.applications()["com.example.feeds"])
        #expect(memory.isForceQuit && memory.crashes == 4 && memory.usage == 12.75)
        #expect(memory.quarantinedUntil == moment(300_000))
        #expect(memory.fetchInterval == (version < 9 ? nil : .seconds(1800)))
        #expect(try history.journal(limit: 9).map(\.text) == ["a line"])
        #expect(try history.deviceLog().map(\.value).sorted() == ["external", "ok"])
        #expect(try history.overrides() == [.power: "battery"])
        let pauses = [
            PausedWork.host: WorkPause(since: Timestamp(nanoseconds: 1_772_366_400_000_000_000)),
            .task("com.example.a"): WorkPause(
                since: Timestamp(nanoseconds: 1_772_366_400_000_000_001),
                until: Timestamp(nanoseconds: 1_772_366_500_000_000_000)),
        ]
        #expect(try history.pausedWork() == (version < 15 ? [:] : pauses))
        let marks = ["/etc/taskhost/manifests/com.example.feeds.json": -42 as Int64]
        #expect(try history.manifestMarks() == (version < 18 ? [:] : marks))
        let task = try #require(
            try store.history.taskRow(TaskName("com.example.photos.index", of: "com.example.photos")))
        #expect(try history.fileMarks(task: task).count == (version < 6 ? 0 : 2))
        let ends = try history.terminations(application: nil, before: nil, limit: 9).elements
        #expect(ends.map(\.reason) == (version < 8 ? [] : [.appWatchdog]))
        #expect(ends.first?.assertions.map(\.name) == (version < 8 ? nil : ["save"]))
    }

    @Test(arguments: 1...RecordSchema.current.version)
    func `Ends that its fleet has not acknowledged are read`(_ version: Int) throws {
        try copy(version)
        let progress = UntoldEnd.Progress(attempt: 2, failures: 1, deferrals: 0, free: moment(50_000))
        let ends = [
            UntoldEnd(ClaimToken(key: sampleID(7), number: 3), run: sampleID(0), .succeeded),
            UntoldEnd(ClaimToken(key: sampleID(8), number: 1), run: sampleID(1000), .failed, progress: progress),
        ]
        let store = try Store(path: folder.database)
        #expect(try store.untoldEnds() == (version < 19 ? [] : ends))
        let task = try #require(
            try store.history.taskRow(TaskName("com.example.photos.index", of: "com.example.photos")))
        #expect(try store.history.sharedTime(task: task) == (version < 19 ? nil : moment(1)))
    }

    @Test(arguments: 10...RecordSchema.current.version)
    func `Its sessions and transfers are read`(_ version: Int) throws {
        try copy(version)
        let store = try Store(path: folder.database)
        var session = TransferTests.session()
        session.next = 7
        #expect(try store.history.sessions() == [session])
        var transfer = TransferTests.transfer()
        transfer.progress = TransferTests.progress
        if version < 11 { transfer.progress.source = nil }
        #expect(try store.history.transfer(1) == transfer)
        var ended = TransferTests.transfer(2, number: 5)
        ended.state = .ended
        ended.end = TransferTests.end()
        #expect(try store.history.transfer(2) == ended)
        #expect(try store.history.transfer(3)?.state == .delivered)
        #expect(try store.history.transferNumbers().transfer == 3)
    }
}
