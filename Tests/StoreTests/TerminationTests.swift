import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

struct TerminationTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private static let frames = [
        CodePlace(module: "/srv/my plugins/libNotes.so", offset: 0x1c2f), CodePlace(module: "", offset: .max),
    ]

    private func termination(
        _ milliseconds: Int64, _ application: String = "com.example.notes", _ reason: TerminationReason = .appWatchdog
    ) -> Termination {
        Termination(
            application: application, at: moment(milliseconds), reason: reason, callback: .didEnterBackground,
            took: .seconds(5),
            assertions: [
                OpenAssertion(id: 3, name: "save", age: .milliseconds(12_300), frames: Self.frames),
                OpenAssertion(id: 7, name: "", age: .seconds(1)),
            ], assertionCount: 2, wasSuspended: false)
    }

    /// Nothing of the turn's is in the file before it is durable.
    private func write(_ terminations: [Termination], turn: UInt64 = 1) throws {
        var record = TurnRecord(turn: turn)
        for termination in terminations { record.append(.termination(termination)) }
        try store.write(record)
    }

    @Test func `A termination comes back as it was, over a restart`() throws {
        var bare = termination(20, "com.example.feeds", .memoryPressure)
        (bare.callback, bare.took, bare.assertions, bare.assertionCount, bare.wasSuspended) = (nil, nil, [], 0, true)
        let first = termination(10)
        try write([first, bare])
        var known = first
        // A path's spaces are lost, as in a crash's.
        known.assertions[0].frames[0].module = "/srv/my?plugins/libNotes.so"
        let history = try History(path: folder.database)
        #expect(try history.terminations(application: nil, before: nil, limit: 9).elements == [bare, known])
        #expect(try history.lastTermination(of: "com.example.notes") == known)
        #expect(try history.lastTermination(of: "com.example.none") == nil)
    }

    @Test func `Every reason and every callback has a place in the record`() throws {
        var all: [Termination] = []
        for (number, reason) in TerminationReason.allCases.enumerated() {
            var one = termination(Int64(number), "com.example.notes", reason)
            one.callback = ApplicationCallback.allCases[number % ApplicationCallback.allCases.count]
            one.assertions = []
            all.append(one)
        }
        try write(all)
        #expect(try store.history.terminations(application: nil, before: nil, limit: 99).elements.reversed() == all)
    }

    @Test func `Those of one application are read in pages, newest first, by an index`() throws {
        for number in 0..<30 {
            let application = number % 3 == 0 ? "com.example.notes" : "com.example.other"
            try write([termination(Int64(number), application)], turn: UInt64(number + 1))
        }
        var times: [Timestamp] = []
        var before: Int64?
        repeat {
            let page = try store.history.terminations(application: "com.example.notes", before: before, limit: 4)
            #expect(page.elements.count <= 4)
            times += page.elements.map(\.at)
            before = page.next
        } while before != nil
        #expect(times == (0..<10).reversed().map { moment($0 * 3) })
        #expect(try store.history.lastTermination(of: "com.example.notes")?.at == moment(27))
        let plan = try SQLite(URL(filePath: folder.database)).column(
            "EXPLAIN QUERY PLAN SELECT at FROM terminations WHERE seq < 9 AND application = 'a' ORDER BY seq DESC", 3)
        #expect(plan.joined().contains("USING INDEX terminations_application"), "\(plan)")
        #expect(!plan.joined().contains("TEMP B-TREE"), "\(plan)")
    }

    @Test func `Terminations are forgotten by age and count, and have their own bound`() throws {
        for number in 0..<20 { try write([termination(Int64(number))], turn: UInt64(number + 1)) }
        func left() throws -> [Timestamp] {
            try store.history.terminations(application: nil, before: nil, limit: 9999).elements.map(\.at).reversed()
        }
        #expect(try store.prune(endedBefore: moment(5), keepingNewest: 100) == 5)
        #expect(try left() == (5..<20).map { moment($0) })
        #expect(try store.prune(endedBefore: moment(0), keepingNewest: 10) == 5)
        #expect(try left() == (10..<20).map { moment($0) })
        #expect(try store.prune(endedBefore: moment(0), keepingNewest: 10) == 0)
        try write((0..<Store.maximumTerminations + 50).map { termination(Int64($0)) }, turn: 99)
        #expect(try left() == (50..<Store.maximumTerminations + 50).map { moment(Int64($0)) })
    }

    @Test func `What is said of assertions is bounded, whatever an application calls them`() throws {
        var termination = termination(0)
        let long = CodePlace(module: "/" + String(repeating: "m", count: 300), offset: 1)
        termination.assertions = (0..<40).map { number in
            let name = String(repeating: "\u{1E}\u{1F}\u{0}ü", count: 64)
            return OpenAssertion(
                id: UInt64(number), name: name, age: .seconds(1), frames: Array(repeating: long, count: 30))
        }
        termination.assertionCount = 1001
        try write([termination])
        let kept = try #require(try store.history.lastTermination(of: "com.example.notes"))
        #expect(kept.assertionCount == 1001)
        #expect(kept.assertions.map(\.id) == Array(0..<16))
        #expect(kept.assertions.allSatisfy { $0.frames.count == 2 })
        #expect(kept.assertions.allSatisfy { $0.name.hasPrefix("\u{1E}\u{1F}\u{0}ü") && $0.name.utf8.count <= 128 })
        #expect(try store.database.integer("SELECT length(CAST(assertions AS BLOB)) <= 16384 FROM terminations") == 1)
    }

    @Test(arguments: [
        "a\u{1F}b.so", "a\u{1E}b.so", "helper.so\u{600}", "\u{301}helper.so", "a\nb.so", "\u{1A}^\u{1A}Z.so", "+0x1+",
        "\u{1E}\u{301}",
    ])
    func `Whatever a library's file or an assertion is called, the termination comes back`(name: String) throws {
        var known = termination(0)
        known.assertions[0].name = name
        known.assertions[0].frames = [CodePlace(module: "/srv/" + name, offset: 7), CodePlace(module: name, offset: 8)]
        try write([known, termination(1)])
        if name.contains("\n") {
            known.assertions[0].frames = [
                CodePlace(module: "/srv/a?b.so", offset: 7), CodePlace(module: "a?b.so", offset: 8),
            ]
        }
        let page = try store.history.terminations(application: nil, before: nil, limit: 9)
        #expect(page.elements.count == 2 && page.elements.last == known)
    }

    @Test func `A row that cannot be read is one of its page, and none of the others`() throws {
        try write((0..<5).map { termination(Int64($0)) })
        try store.database.execute("UPDATE terminations SET reason = 99 WHERE seq IN (2, 5)")
        let whole = try store.history.terminations(application: nil, before: nil, limit: 9)
        #expect(whole.elements.map(\.at) == [3, 2, 0].map { moment($0) } && whole.next == nil)
        #expect(
            whole.unreadable == [
                UnreadableRow(table: "terminations", number: 5), UnreadableRow(table: "terminations", number: 2),
            ])
        let first = try store.history.terminations(application: "com.example.notes", before: nil, limit: 1)
        #expect(
            first.elements.isEmpty && first.next == 5
                && first.unreadable == [UnreadableRow(table: "terminations", number: 5)])
    }

    @Test func `A row that no version writes is said to be damaged`() throws {
        try write([termination(0)])
        for damage in ["reason = 99", "callback = 77", "assertions = 'x'", "assertions = '1' || char(31) || 'y'"] {
            try store.database.execute("UPDATE terminations SET \(damage)")
            let error = #expect(throws: StoreError.self, "\(damage)") {
                try store.history.lastTermination(of: "com.example.notes")
            }
            #expect(error?.kind == .corrupt)
        }
    }

    // MARK: Pauses

    @Test func `When a run stood still is kept, and how long is no part of what it took`() throws {
        let run = try store.admit(0)
        var record = TurnRecord(turn: 1)
        for (from, to) in [(10, 20), (30, 50)] as [(Int64, Int64)] {
            record.append(.runPaused(run, at: moment(from)))
            record.append(.runPaused(run, at: moment(from + 1)))  // it is paused already
            record.append(.runResumed(run, at: moment(to)))
            record.append(.runResumed(run, at: moment(to + 1)))  // it runs already
        }
        try store.write(record)
        let paused = try #require(try store.history.run(run))
        #expect(
            paused.pauses == [
                RunPause(from: moment(10), to: moment(20)), RunPause(from: moment(30), to: moment(50)),
            ])
        #expect(paused.figures.frozenTime == nil)
        var end = RunEnd(
            id: run, outcome: .succeeded, endedAt: moment(60), figures: RunFigures(wallTime: .milliseconds(30)))
        end.figures.frozenTime = .milliseconds(30)
        try store.finishRun(end, events: Span())
        try store.commit()
        let ended = try #require(try History(path: folder.database).run(run))
        #expect(ended.pauses == paused.pauses && ended.figures.frozenTime == .milliseconds(30))
        #expect(ended.figures.wallTime == .milliseconds(30))
        // Its pauses go with it.
        #expect(try store.prune(endedBefore: moment(1000), keepingNewest: 10) == 1)
        #expect(try store.database.integer("SELECT count(*) FROM pauses") == 0)
    }

    @Test func `A host that dies in the middle of a pause leaves it open, and the next one closes it`() throws {
        let (still, moving) = (try store.admit(0), try store.admit(1))
        var record = TurnRecord(turn: 1)
        record.append(.runPaused(still, at: moment(10)))
        record.append(.runPaused(moving, at: moment(10)))
        record.append(.runResumed(moving, at: moment(15)))
        try store.write(record)
        #expect(try store.history.run(still)?.pauses == [RunPause(from: moment(10), to: nil)])
        let next = try Store(path: folder.database)
        try next.recover(at: moment(100))
        let found = try #require(try next.history.run(still))
        #expect(found.outcome == .interrupted && found.figures.frozenTime == .milliseconds(90))
        #expect(found.pauses == [RunPause(from: moment(10), to: moment(100))])
        let other = try #require(try next.history.run(moving))
        #expect(
            other.figures.frozenTime == .milliseconds(5) && other.pauses == [RunPause(from: moment(10), to: moment(15))]
        )
    }

    @Test func `A run that stands still again and again has so many pauses and no more`() throws {
        let run = try store.admit(0)
        for number in 0..<RunPause.most + 9 {
            try store.pauseRun(run, at: moment(Int64(number) * 2))
            try store.resumeRun(run, at: moment(Int64(number) * 2 + 1))
        }
        try store.commit()
        #expect(try store.history.run(run)?.pauses.count == RunPause.most)
        #expect(throws: StoreError.self) { try store.pauseRun(sampleID(77), at: moment()) }
    }
}
