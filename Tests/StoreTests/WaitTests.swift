import Record
import Store
import TaskModel
import TestSupport
import Testing

struct WaitTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private func insert(_ waits: [GateWait], origin: RequestOrigin?) throws -> RunRecord {
        let run = RunStart(
            id: sampleID(store.nextSequence),
            task: try store.taskRow(identifier: "com.example.feeds.refresh", application: "com.example.feeds"),
            attempt: 1, submittedAt: moment(0), origin: origin)
        try store.insertRun(run, waits: waits.span)
        return try #require(try store.history.run(run.id))
    }

    @Test func `A run keeps who asked for it and what it waited for`() throws {
        let waits = [
            GateWait(gate: .earliestBeginDate, from: moment(0), to: moment(900_000)),
            GateWait(gate: .externalPower, from: moment(-5), to: moment(86_400_000)),
            GateWait(gate: .capacity, from: Timestamp(nanoseconds: .min), to: Timestamp(nanoseconds: .max)),
        ]
        for origin in RequestOrigin.allCases {
            let run = try insert(waits, origin: origin)
            #expect(run.waits == waits && run.origin == origin)
        }
        let forced = try insert([], origin: nil)
        #expect(forced.waits == [] && forced.origin == nil)
    }

    @Test func `So many waits are kept and no more`() throws {
        let waits = (0..<40).map { number in
            GateWait(
                gate: Gate.allCases[Int(number) % Gate.allCases.count], from: moment(Int64(number)),
                to: moment(Int64(number) + 1))
        }
        #expect(try insert(waits, origin: .schedule).waits == Array(waits.prefix(16)))
    }

    @Test(arguments: ["00", "0100", "0180", "63020202", "01FFFFFFFFFFFFFFFFFFFFFF02"])
    func `Waits that make no sense are damage`(_ bytes: String) throws {
        let run = try insert([], origin: nil)
        try store.database.execute("UPDATE runs SET waited = x'\(bytes)'")
        let error = #expect(throws: StoreError.self) { try store.history.run(run.id) }
        #expect(error?.kind == .corrupt)
    }

    @Test func `The last run of every task is its newest`() throws {
        for number in 0..<40 {
            let run = try store.admit(Int64(number), identifier: "com.example.feeds.\(number % 4)")
            if number < 39 { try store.end(run, at: Int64(number) + 1) }
        }
        try store.commit()
        let last = try History(path: folder.database).lastRuns()
        #expect(last.count == 4)
        for number in 36..<40 {
            #expect(last["com.example.feeds.\(number % 4)"]?.id == sampleID(Int64(number)))
        }
        #expect(last["com.example.feeds.3"]?.outcome == nil)
    }

    @Test func `A task's newest finished runs say how long it takes`() throws {
        for number in 0..<12 {
            let run = try store.admit(Int64(number), identifier: "com.example.feeds.\(number % 2)")
            let outcome: Outcome = number == 10 ? .interrupted : .succeeded
            try store.finishRun(
                RunEnd(
                    id: run, outcome: outcome, endedAt: moment(100),
                    figures: RunFigures(wallTime: number == 8 ? nil : .milliseconds(Int64(number)))),
                events: Span())
        }
        let history = store.history
        #expect(try history.runLengths(of: "com.example.feeds.0", limit: 2) == [.milliseconds(6), .milliseconds(4)])
        #expect(try history.runLengths(of: "com.example.feeds.1", limit: 50).count == 6)
        #expect(try history.runLengths(of: "com.example.feeds.9", limit: 50) == [])
    }
}
