import Record
import Store
import TaskModel
import TestSupport
import Testing

struct RetentionTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private func remaining() throws -> [Int64] {
        try store.history.runs(limit: 1000).map { ($0.submittedAt.nanoseconds - moment().nanoseconds) / 1_000_000 }
            .reversed()
    }

    @Test func `Old runs are forgotten with their output`() throws {
        for number in 0..<10 {
            let run = try store.record(Int64(number * 10))
            try store.append(run, [1, 2], dropped: 1)
        }
        // The run of 30 ended at 31.
        #expect(try store.prune(endedBefore: moment(31), keepingNewest: 100) == 3)
        #expect(try store.prune(endedBefore: moment(31), keepingNewest: 100) == 0)
        try store.commit()
        #expect(try remaining() == [30, 40, 50, 60, 70, 80, 90])
        #expect(try store.history.output(of: sampleID(30)).bytes == [1, 2])
        #expect(try store.database.integer("SELECT count(*) FROM output") == 7)
        #expect(try store.database.integer("SELECT count(*) FROM output_dropped") == 7)
    }

    @Test func `Beyond a number of runs the oldest are forgotten whatever their age`() throws {
        for number in 0..<10 { try store.record(Int64(number)) }
        #expect(try store.prune(endedBefore: moment(-1), keepingNewest: 4) == 6)
        #expect(try remaining() == [6, 7, 8, 9])
        #expect(try store.prune(endedBefore: moment(-1), keepingNewest: 0) == 4)
        #expect(try remaining() == [])
        #expect(try store.prune(endedBefore: moment(-1), keepingNewest: 0) == 0)
    }

    @Test func `Identifiers go when no run, no request and nothing in memory names them`() throws {
        func row(_ name: String) throws -> Int64 {
            try store.taskRow(identifier: "com.example.feeds.job.\(name)", application: "com.example.feeds")
        }
        try store.record(0)
        try store.putRequest(store.sampleRequest("com.example.feeds.job.waiting", submitted: 1))
        let running = try store.sampleRequest("com.example.feeds.job.running", submitted: 2)
        try store.putRequest(running)
        try store.markRequestRunning(identity: running.identity, submitted: running.submitted, run: sampleID(7))
        let (held, unused) = (try row("held"), try row("unused"))
        #expect(try store.identifierCount() == 5)
        #expect(try store.pruneIdentifiers(except: [held]) == 1)
        #expect(try store.pruneIdentifiers(except: [held]) == 0)
        try store.commit()
        #expect(
            try store.history.requests().map(\.identifier).sorted() == [
                "com.example.feeds.job.running", "com.example.feeds.job.waiting",
            ])
        #expect(try store.history.runs(limit: 10).map(\.identifier) == ["com.example.feeds.refresh"])
        // Its number may have been given away: it is looked up again, not remembered.
        #expect(try row("held") == held)
        let other = try row("other")
        #expect(try row("unused") != other, "\(unused)")
    }

    @Test func `Unfinished runs are never forgotten`() throws {
        for number in 0..<6 {
            let run = try store.admit(Int64(number))
            if number % 2 == 0 { try store.end(run, at: Int64(number)) }
        }
        #expect(try store.prune(endedBefore: moment(1000), keepingNewest: 0) == 3)
        #expect(try remaining() == [1, 3, 5])
    }

    @Test func `However many unfinished runs are the oldest, those behind them are reached`() throws {
        for number in 0..<30 { try store.admit(Int64(number)) }
        for number in 30..<40 { try store.record(Int64(number)) }
        #expect(try store.prune(endedBefore: moment(1000), keepingNewest: 100, limit: 10) == 10)
        #expect(try store.prune(endedBefore: moment(1000), keepingNewest: 100, limit: 10) == 0)
        #expect(try remaining() == Array(0..<30))
    }

    @Test func `A note about a run that was forgotten meanwhile is too late, and no fault`() throws {
        let forgotten = try store.record(0)
        let kept = try store.record(10)
        #expect(try store.prune(endedBefore: moment(5), keepingNewest: 100) == 1)
        #expect(try !store.addLateDiagnostics(to: forgotten, ["it completed twice"]))
        #expect(try store.addLateDiagnostics(to: kept, ["it completed twice"]))
        try store.commit()
        #expect(try store.history.run(kept)?.diagnostics == ["it completed twice"])
    }

    @Test func `What was found is forgotten little by little`() throws {
        for number in 0..<20 {
            try store.record(Int64(number))
            try store.journal(kind: .hostStarted, subject: "", text: "\(number)", at: moment(Int64(number)))
        }
        var found = try store.findForgettable(endedBefore: moment(-1), keepingNewest: 10, limit: 500)
        #expect(found.count == 20)
        #expect(try remaining().count == 20)
        for left in [14, 8, 2, 0] {
            try store.forget(&found, limit: 6)
            #expect(found.count == left)
            try store.commit()
        }
        #expect(found.isEmpty)
        #expect(try remaining() == Array(10..<20))
        #expect(try store.history.journal(limit: 100).count == 10)
    }

    @Test func `One call looks at so many runs and no more`() throws {
        for number in 0..<25 { try store.record(Int64(number)) }
        var forgotten: [Int] = []
        repeat {
            forgotten.append(try store.prune(endedBefore: moment(1000), keepingNewest: 100, limit: 10))
            try store.commit()
        } while forgotten.last != 0
        #expect(forgotten == [10, 10, 5, 0])
    }

    @Test func `Where the clock went back is forgotten with the runs it concerned`() throws {
        try store.record(500)
        try store.record(100)
        try store.record(200)
        #expect(try store.database.integer("SELECT seq FROM disorder") == 2)
        #expect(try store.prune(endedBefore: moment(0), keepingNewest: 2) == 1)
        #expect(try store.database.integer("SELECT count(*) FROM disorder") == 0)
        #expect(try store.history.run(sampleID(200)) != nil)
        #expect(try store.history.run(sampleID(100)) != nil)
    }
}
