import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Runs chosen from the record, against a plain filter of all of them.
struct RunFilterTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private static let outcomes: [Outcome] = [
        .succeeded, .failed, .succeeded, .crashed, .succeeded, .expired, .succeeded,
    ]
    private static let kinds: [TaskKind?] = [.processing, .appRefresh, nil]

    private func fill(_ count: Int64, tasks: Int64) throws {
        for number in 0..<count {
            let run = RunStart(
                id: sampleID(number * 1000),
                task: try store.taskRow(
                    identifier: "com.example.task\(number % tasks)", application: "com.Example.app\(number % 3)"),
                attempt: 1, submittedAt: moment(number * 1000), kind: Self.kinds[Int(number) % Self.kinds.count])
            try store.insertRun(run)
            guard number % 50 != 0 else { continue }
            try store.end(run.id, Self.outcomes[Int(number) % Self.outcomes.count], at: number * 1000 + 5)
        }
    }

    private func all(_ filter: RunFilter, pages size: Int) throws -> [RunRecord] {
        var runs: [RunRecord] = []
        var before: ULID?
        repeat {
            let page = try store.history.runs(matching: filter, before: before, limit: size)
            #expect(page.elements.count <= size)
            if let next = page.next, let before { #expect(next < before) }
            runs += page.elements
            before = page.next
        } while before != nil
        return runs
    }

    private func fits(_ run: RunRecord, _ filter: RunFilter, _ identifiers: Set<String>?) -> Bool {
        (identifiers?.contains(run.identifier) ?? true)
            && (filter.outcomes.isEmpty || run.outcome.map { filter.outcomes.contains($0) } ?? false)
            && (filter.kind == nil || run.kind == filter.kind)
            && (filter.since.map { run.submittedAt >= $0 } ?? true)
            && (filter.until.map { run.submittedAt < $0 } ?? true)
    }

    @Test(arguments: [5, 40] as [Int64])
    func `Every choice finds what a look at each run finds, whatever the page's size`(_ tasks: Int64) throws {
        try fill(600, tasks: tasks)
        let whole = try all(RunFilter(), pages: 1000)
        #expect(whole.count == 600)
        let names: [Set<String>?] = [
            nil, ["com.example.task1"], Set((0..<tasks).filter { $0 % 2 == 0 }.map { "com.example.task\($0)" }),
        ]
        let choices: [Set<Outcome>] = [
            [], [.succeeded], [.failed], [.failed, .crashed, .expired], [.succeeded, .failed], [.overran],
        ]
        var count = 0
        for names in names {
            let rows = try names.map { names in
                try names.reduce(into: Set<Int64>()) { $0.formUnion(try store.history.taskRows(named: $1)) }
            }
            for outcomes in choices {
                for kind in [nil, TaskKind.processing] {
                    for times in [(nil, nil), (100, nil), (nil, 450), (200, 300)] as [(Int64?, Int64?)] {
                        var filter = RunFilter(tasks: rows)
                        filter.outcomes = outcomes
                        filter.kind = kind
                        filter.since = times.0.map { moment($0 * 1000) }
                        filter.until = times.1.map { moment($0 * 1000) }
                        let expected = whole.filter { fits($0, filter, names) }
                        for size in [7, 1000] {
                            #expect(try all(filter, pages: size) == expected, "\(filter) in pages of \(size)")
                        }
                        count += 1
                    }
                }
            }
        }
        #expect(count == 144)
    }

    @Test func `A clock that was set back hides no run`() throws {
        for (number, at) in [0, 100, 50, 60, 200, 10].enumerated() {
            try store.record(Int64(at) * 10_000, salt: UInt64(number))
        }
        var filter = RunFilter()
        filter.since = moment(500_000)
        filter.until = moment(1_000_000)
        #expect(try all(filter, pages: 9).map(\.submittedAt) == [60, 50].map { moment($0 * 10_000) })
    }

    @Test func `A part of an identifier is found in any case, and a run says where its page begins`() throws {
        try fill(12, tasks: 4)
        #expect(try store.history.taskRows(containing: "TASK3") == store.history.taskRows(named: "com.example.task3"))
        #expect(try store.history.taskRows(containing: "example.APP1").count == 4)
        #expect(try store.history.taskRows(containing: "nothing").isEmpty)
        let older = try store.history.runs(matching: RunFilter(), before: sampleID(5000), limit: 2).elements
        #expect(older.map(\.submittedAt) == [moment(4000), moment(3000)])
        // A page that an earlier version began continues by the number that it gave.
        let fourth = try #require(try store.history.run(ofEarlierPlace: 4))
        let oldest = try store.history.runs(matching: RunFilter(), before: fourth, limit: 9).elements
        #expect(oldest.map(\.submittedAt) == [moment(2000), moment(1000), moment(0)])
        #expect(try store.history.run(ofEarlierPlace: 99) == nil)
    }

    @Test func `A list goes on below a run that was forgotten meanwhile`() throws {
        try fill(9, tasks: 1)
        let first = try store.history.runs(matching: RunFilter(), before: nil, limit: 5)
        #expect(first.next == sampleID(4000))
        try store.database.execute("DELETE FROM runs WHERE seq IN (5, 4)")
        try store.commit()
        let rest = try store.history.runs(matching: RunFilter(), before: first.next, limit: 9).elements
        #expect(rest.map(\.submittedAt) == [moment(2000), moment(1000), moment(0)])
        // Another connection has not seen the first page.
        let other = try History(path: folder.database).runs(matching: RunFilter(), before: first.next, limit: 9)
        #expect(other.elements == rest)
    }

    @Test func `Ids that a host keeps ascending while its clock is set back hide no run`() throws {
        var last: ULID?
        let task = try store.taskRow(identifier: "com.example.task", application: "com.example")
        for (number, at) in [0, 100, 50, 60, 60, 200, 10].enumerated() {
            let id = ULID(at: moment(Int64(at) * 10_000), random: { (0, UInt64(number)) }, after: last)
            last = id
            try store.insertRun(
                RunStart(id: id, task: task, attempt: 1, submittedAt: moment(Int64(at) * 10_000)))
        }
        let whole = try all(RunFilter(), pages: 3)
        #expect(whole.map(\.submittedAt) == [10, 200, 60, 60, 50, 100, 0].map { moment($0 * 10_000) })
        for run in whole { #expect(try store.history.run(run.id) == run) }
        #expect(try store.history.newestMoment() == moment(100_000), "the ids are ahead of the clock")
        var filter = RunFilter()
        filter.since = moment(500_000)
        filter.until = moment(1_000_000)
        #expect(try all(filter, pages: 2).map(\.submittedAt) == [60, 60, 50].map { moment($0 * 10_000) })
    }

    @Test func `Lanes come out of their indexes in order`() throws {
        let plans = try History.laneQueries.map { query in
            try SQLite(.init(filePath: folder.database)).column("EXPLAIN QUERY PLAN \(query)", 3).joined(
                separator: "; ")
        }
        #expect(plans[0].contains("SEARCH runs USING INDEX runs_task (task=? AND rowid>? AND rowid<?)"), "\(plans)")
        #expect(
            plans[1].contains("SEARCH runs USING INDEX runs_failed (outcome=? AND rowid>? AND rowid<?)"), "\(plans)")
        #expect(plans[2].contains("SEARCH runs USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"), "\(plans)")
        #expect(plans[3].contains("SEARCH runs USING INDEX runs_marked (marks=? AND rowid>? AND rowid<?)"), "\(plans)")
        #expect(!plans.contains { $0.contains("TEMP B-TREE") }, "\(plans)")
    }
}
