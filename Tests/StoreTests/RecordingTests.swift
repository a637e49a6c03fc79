import Record
import Store
import TaskModel
import Testing

struct RecordingTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test func `A run comes back with everything that was recorded`() throws {
        let events: [RunEvent] = [
            RunEvent(kind: .submitted, at: moment(0)), RunEvent(kind: .launched, at: moment(3)),
            RunEvent(kind: .started, at: moment(5)),
            RunEvent(kind: .expired, at: moment(25_000), detail: Reason.budget.rawValue),
            RunEvent(kind: .killed, at: moment(30_000), detail: Outcome.overran.rawValue),
            // A clock that was set back.
            RunEvent(kind: .ended, at: moment(-5), detail: Outcome.overran.rawValue),
        ]
        let task = try store.taskRow(identifier: "com.example.feeds.refresh", application: "com.example.feeds")
        let figures = RunFigures(
            wallTime: .milliseconds(29_996), cpuTime: .milliseconds(7), peakMemory: .mebibytes(9), signal: 9,
            exitStatus: 0, result: .integer(-4))
        let setup = try store.setupRow(confinement: "landlock, seccomp", degraded: ["memory", "cpuTime\nof children"])
        try store.insertRun(
            RunStart(id: sampleID(0), task: task, attempt: 3, submittedAt: moment(0), startedAt: moment(4))
        )
        try store.addDiagnostics(to: sampleID(0), ["first\nof two lines", ""])
        try store.finishRun(
            RunEnd(
                id: sampleID(0), outcome: .overran, reason: .budget, startedAt: moment(5), expiredAt: moment(25_000),
                endedAt: moment(30_001), figures: figures, setup: setup),
            events: events.span)
        try store.addDiagnostics(to: sampleID(0), ["second"])
        try store.commit()
        #expect(
            try store.history.run(sampleID(0))
                == RunRecord(
                    id: sampleID(0), identifier: "com.example.feeds.refresh", application: "com.example.feeds",
                    attempt: 3, outcome: .overran, reason: .budget, submittedAt: moment(0), startedAt: moment(5),
                    expiredAt: moment(25_000), endedAt: moment(30_001), figures: figures,
                    degraded: ["memory", "cpuTime\nof children"], diagnostics: ["first\nof two lines", "second"],
                    events: events, confinement: "landlock, seccomp"))
    }

    @Test func `A run that was only admitted comes back without an outcome`() throws {
        try store.admit(7)
        try store.commit()
        #expect(
            try store.history.run(sampleID(7))
                == RunRecord(
                    id: sampleID(7), identifier: "com.example.feeds.refresh", application: "com.example.feeds",
                    attempt: 1, submittedAt: moment(7)))
    }

    @Test(arguments: [
        ResultValue.integer(.min), .integer(.max), .unsigned(.max), .unsigned(0), .real(-0.0), .real(.infinity),
        .real(3), .real(.leastNonzeroMagnitude), .boolean(true), .boolean(false), .pointer(isNull: true),
        .pointer(isNull: false), .fetch(.newData), .fetch(.noData), .fetch(.failed),
    ])
    func `Every kind of result comes back as it was`(_ result: ResultValue) throws {
        let run = try store.admit(0)
        try store.finishRun(
            RunEnd(id: run, outcome: .succeeded, endedAt: moment(1), figures: RunFigures(result: result)),
            events: Span())
        try store.commit()
        let read = try #require(try store.history.run(run)?.figures.result)
        #expect(read == result)
        if case .real(let number) = read, number == 0 { #expect(number.sign == .minus) }
    }

    @Test func `A result that is not a number stays one`() throws {
        let run = try store.admit(0)
        try store.finishRun(
            RunEnd(id: run, outcome: .failed, endedAt: moment(1), figures: RunFigures(result: .real(.nan))),
            events: Span())
        guard case .real(let number) = try store.history.run(run)?.figures.result else {
            Issue.record("a real number was recorded")
            return
        }
        #expect(number.isNaN)
    }

    @Test(arguments: Outcome.allCases)
    func `Every outcome comes back`(_ outcome: Outcome) throws {
        let run = try store.admit(0)
        try store.end(run, outcome, at: 5)
        #expect(try store.history.run(run)?.outcome == outcome)
    }

    @Test func `Extreme moments survive in events`() throws {
        let events = [Int64.max, .min, 0, .min, .max].map {
            RunEvent(kind: .completed, at: Timestamp(nanoseconds: $0), detail: 255)
        }
        let run = try store.admit(0)
        try store.finishRun(
            RunEnd(id: run, outcome: .failed, endedAt: moment(1)), events: events.span)
        #expect(try store.history.run(run)?.events == events)
    }

    @Test func `Of too many events the first are kept`() throws {
        let events = (0..<100).map { RunEvent(kind: .started, at: moment($0 * 1_000_000)) }
        let run = try store.admit(0)
        try store.finishRun(RunEnd(id: run, outcome: .failed, endedAt: moment(1)), events: events.span)
        #expect(try store.history.run(run)?.events == Array(events.prefix(64)))
    }

    @Test func `A run has one outcome`() throws {
        let run = try store.record(0)
        let error = #expect(throws: StoreError.self) { try store.end(run, .failed, at: 9) }
        #expect(error?.kind == .broken)
        #expect(error?.message.contains("ended already") == true)
    }

    @Test func `A run that was never admitted cannot end, expire or be diagnosed`() throws {
        let attempts: [(Store) throws -> Void] = [
            { try $0.end(sampleID(5), at: 0) }, { try $0.markExpired(sampleID(5), at: moment(), reason: .budget) },
            { try $0.addDiagnostics(to: sampleID(5), ["lost"]) },
        ]
        for attempt in attempts {
            let fresh = try TemporaryFolder()
            let store = try Store(path: fresh.database)
            let error = #expect(throws: StoreError.self) { try attempt(store) }
            #expect(error?.kind == .broken)
        }
    }

    @Test func `An expiration is on record before the run ends`() throws {
        let run = try store.admit(0)
        try store.markExpired(run, at: moment(40), reason: .powerLost)
        try store.commit()
        let read = try #require(try History(path: folder.database).run(run))
        #expect(read.expiredAt == moment(40))
        #expect(read.reason == .powerLost)
        #expect(read.outcome == nil)
    }

    @Test func `Tasks and set-ups are stored once`() throws {
        let first = try store.taskRow(identifier: "a.b", application: "a")
        #expect(try store.taskRow(identifier: "a.b", application: "a") == first)
        #expect(try store.taskRow(identifier: "a.b", application: "other") != first)
        let setup = try store.setupRow(confinement: nil, degraded: ["memory"])
        #expect(try store.setupRow(confinement: nil, degraded: ["memory"]) == setup)
        #expect(try store.setupRow(confinement: nil, degraded: []) != setup)
        try store.commit()
        let again = try Store(path: folder.database)
        #expect(try again.taskRow(identifier: "a.b", application: "a") == first)
        #expect(try again.setupRow(confinement: nil, degraded: ["memory"]) == setup)
    }

    @Test func `Diagnostics are bounded`() throws {
        let run = try store.admit(0)
        let long = String(repeating: "ä", count: 100_000)
        for _ in 0..<5 { try store.addDiagnostics(to: run, [long]) }
        try store.addDiagnostics(to: run, (0..<100).map { "sentence \($0)" })
        let kept = try #require(try store.history.run(run)?.diagnostics)
        #expect(kept.first?.allSatisfy { $0 == "ä" } == true)
        #expect(kept.reduce(0) { $0 + $1.utf8.count } <= 3 * 64 << 10)
        let other = try store.admit(1)
        try store.addDiagnostics(to: other, (0..<100).map { "sentence \($0)" })
        #expect(try store.history.run(other)?.diagnostics == (0..<64).map { "sentence \($0)" })
    }

    @Test func `Sequences continue after the file is opened again`() throws {
        #expect(store.nextSequence == 1)
        try store.record(0)
        try store.record(1)
        try store.commit()
        #expect(try Store(path: folder.database).nextSequence == 3)
    }
}
