import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// How SQLite answers, whatever the machine's speed: what may never walk through all runs.
struct QueryPlanTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    /// The steps of the plan, as SQLite words them.
    private func plan(_ sql: String) throws -> String {
        try SQLite(URL(filePath: folder.database)).column("EXPLAIN QUERY PLAN \(sql)", 3).joined(separator: "; ")
    }

    @Test func `The last run of one task, and whether an application ever ran, are look-ups alone`() throws {
        for query in [History.lastRunQuery, History.applicationRunQuery] {
            let plan = try plan(query)
            for table in ["runs", "tasks", "setups", "output"] {
                #expect(!plan.contains("SCAN \(table)"), "\(query): \(plan)")
            }
            #expect(plan.contains("INDEX runs_task"), "\(query): \(plan)")
        }
    }

    @Test func `Identifiers that nothing names are found without a walk through the runs`() throws {
        let plan = try plan(Store.unusedIdentifiersQuery)
        #expect(!plan.contains("SCAN runs"), "\(plan)")
    }

    @Test func `Runs of one task come newest first out of thousands of others`() throws {
        for number in 0..<3_000 {
            let run = try store.admit(Int64(number), identifier: "com.example.feeds.\(number % 1_000)")
            try store.end(run, at: Int64(number))
        }
        try store.commit()
        let history = try History(path: folder.database)
        let runs = try history.runs(identifier: "com.example.feeds.7", limit: 2)
        #expect(runs.map(\.submittedAt) == [moment(2_007), moment(1_007)])
        let all = try history.runs(identifier: "com.example.feeds.7", limit: 5)
        #expect(all.map(\.submittedAt) == [moment(2_007), moment(1_007), moment(7)])
        #expect(
            try history.runs(application: "com.example.feeds", limit: 3).map(\.submittedAt) == [
                moment(2_999), moment(2_998), moment(2_997),
            ])
        #expect(try history.lastRun(of: "com.example.feeds.7")?.submittedAt == moment(2_007))
        #expect(try history.lastRuns().count == 1_000)
        #expect(try store.history.hasRuns(ofApplication: "com.example.feeds"))
        #expect(try !store.history.hasRuns(ofApplication: "com.example.other"))
        #expect(try store.history.taskRow(TaskName("com.example.feeds.none", of: "com.example.feeds")) == nil)
    }

    @Test func `A record of very many runs says so before it is brought forward, others do not`() throws {
        var said: [String] = []
        let old = try TemporaryFolder()
        try Database(path: old.database, access: .readWrite).execute(
            MigrationTests.firstRelease + "UPDATE runs SET seq = 1000001 WHERE seq = 2;")
        _ = try Store(path: old.database) { said.append($0) }
        #expect(said.count == 1 && said[0].contains("about 1000001 runs"), "\(said)")
        _ = try Store(path: old.database) { said.append($0) }
        let small = try TemporaryFolder()
        try Database(path: small.database, access: .readWrite).execute(MigrationTests.firstRelease)
        _ = try Store(path: small.database) { said.append($0) }
        #expect(said.count == 1, "\(said)")
    }
}
