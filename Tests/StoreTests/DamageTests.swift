import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Rows that no version of this program has written: each is refused with an error or read as well as can be.
struct DamageTests {
    private static let extremes = [Int64.min, -1, 256, .max]
    /// When the record's runs were admitted.
    private static let runs: [Int64] = [0, 1, 2, 3, 4, 9]

    /// Makes a record with runs, requests and all the rest, and damages it.
    private func damage(_ folder: TemporaryFolder, by statement: String) throws {
        do {
            let store = try Store(path: folder.database)
            for number in Self.runs.dropLast() { try store.record(number) }
            // The last one has not ended.
            try store.admit(Self.runs.last ?? 0)
            try store.putRequest(try store.sampleRequest(submitted: 1))
            let running = try store.sampleRequest("com.example.feeds.other", submitted: 2)
            try store.putRequest(running)
            try store.markRequestRunning(identity: running.identity, submitted: running.submitted, run: sampleID(2))
            _ = try store.applicationRow("com.example.feeds")
            try store.journal(kind: .hostStarted, subject: "", text: "", at: moment())
            try store.putDevice([(.power, "battery")], at: moment())
            try store.commit()
        }
        let database = try Database(path: folder.database, access: .readWrite)
        try database.execute("PRAGMA ignore_check_constraints = ON; " + statement)
    }

    /// Everything that a host and the verbs read, and what a host writes first of all. A trap ends the test process; an error is
    /// an answer, and the next step still meets the damage.
    private func useAll(_ folder: TemporaryFolder) throws {
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch is StoreError {}
        }
        try attempt {
            let store = try Store(path: folder.database)
            let history = store.history
            func use(_ run: RunRecord) throws {
                _ = "\(run) \(run.submittedAt.iso8601) \(run.figures.wallTime?.description ?? "")"
                for wait in run.waits { _ = "\(wait.to - wait.from)" }
                try attempt { _ = try history.output(of: run.id) }
                try attempt { _ = try history.runs(identifier: run.identifier, limit: 10) }
            }
            try attempt { for run in try history.runs(limit: 100) { try use(run) } }
            for number in Self.runs {
                try attempt { if let run = try history.run(sampleID(number)) { try use(run) } }
            }
            try attempt { _ = try history.run(matching: "01ARZ3NDEK") }
            try attempt { _ = try history.lastRuns() }
            try attempt { _ = try history.runLengths(of: "com.example.feeds.refresh", limit: 10) }
            try attempt { _ = try history.journal(limit: 10) }
            try attempt { _ = try history.deviceLog() }
            try attempt { _ = try history.newestMoment() }
            try attempt { try history.forEachRequest { _ = "\($0.identifier)" } }
            try attempt {
                // What schedulers count with has to be a number.
                for (name, memory) in try store.reader.applications() {
                    #expect(memory.usage >= 0 && memory.usage.isFinite, "\(name): \(memory.usage)")
                }
            }
            try attempt { try store.recover(at: moment(20)) }
            try attempt { try store.record(30) }
            try attempt { _ = try store.prune(endedBefore: moment(10), keepingNewest: 3) }
            try attempt { try store.commit() }
        }
    }

    private static let columns =
        [
            "attempt", "submitted", "started", "expired", "ended", "outcome", "reason", "wall", "cpu", "peak", "signal",
            "status", "result_kind", "result", "setup", "origin", "task", "kept", "seq",
        ].map { "runs.\($0)" }
        + [
            "submitted", "kind", "origin", "attempt", "earliest", "power", "network", "strategy", "resources",
            "not_before",
            "scheduled", "run", "failures", "left_out", "id",
        ].map { "requests.\($0)" }
        + ["crashes", "quarantined_until", "usage", "quota_used", "quota_end"].map { "applications.\($0)" }
        + ["at", "kind", "seq"].map { "journal.\($0)" } + ["at", "seq"].map { "device_log.\($0)" }

    @Test(arguments: columns)
    func `A number that makes no sense is an error or a row like any other, never the end of the program`(
        column: String
    ) throws {
        let parts = column.split(separator: ".")
        let key = ["device_log", "journal", "runs"].contains(parts[0]) ? "seq" : "id"
        for extreme in Self.extremes {
            let folder = try TemporaryFolder(isVolatile: true)
            let literal = extreme == .min ? "(-9223372036854775807 - 1)" : "\(extreme)"
            try damage(
                folder,
                by: "UPDATE OR IGNORE \(parts[0]) SET \(parts[1]) = \(literal) "
                    + "WHERE \(key) >= (SELECT max(\(key)) FROM \(parts[0])) - 1")
            try useAll(folder)
        }
    }

    @Test(arguments: [
        "UPDATE runs SET ulid = x'00'", "UPDATE runs SET ulid = 'text'", "UPDATE runs SET events = x'FF'",
        "UPDATE runs SET waited = x'010203'", "UPDATE runs SET events = zeroblob(100000)", "UPDATE runs SET seq = -seq",
        "UPDATE runs SET submitted = 'text', wall = 1e300, outcome = 'text'", "UPDATE runs SET ended = NULL",
        "UPDATE applications SET usage = 9e999", "UPDATE applications SET usage = -9e999",
        "UPDATE applications SET usage = 'text'", "DELETE FROM tasks", "UPDATE tasks SET identifier = '' || id",
        "UPDATE requests SET payload = zeroblob(1000000), title = x'FF00FF'",
    ])
    func `So are columns of another sort`(statement: String) throws {
        let folder = try TemporaryFolder(isVolatile: true)
        try damage(folder, by: statement)
        try useAll(folder)
    }

    @Test func `A record whose last number is near the end of all numbers is refused`() throws {
        let folder = try TemporaryFolder(isVolatile: true)
        try damage(folder, by: "UPDATE runs SET seq = 9223372036854775807 WHERE seq = (SELECT max(seq) FROM runs)")
        let error = #expect(throws: StoreError.self) { _ = try Store(path: folder.database) }
        #expect(error?.kind == .corrupt)
    }
}
