import Record
import Scheduling
import Store
import TaskModel
import Testing

struct RecoveryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `After a crash every unfinished run is interrupted, once`() throws {
        do {
            let store = try Store(path: folder.database)
            try store.admit(0)
            try store.record(10)
            let task = try store.taskRow(identifier: "com.example.photos.scan", application: "com.example.photos")
            try store.insertRun(
                RunStart(
                    id: sampleID(20), task: task, attempt: 2, submittedAt: moment(20),
                    startedAt: moment(21), setup: try store.setupRow(confinement: "seccomp", degraded: [])))
            try store.markExpired(sampleID(20), at: moment(25), reason: .thermal)
            try store.commit()
        }
        let store = try Store(path: folder.database)
        let found = try store.unfinishedRuns()
        #expect(try store.recover(at: moment(100)) == (2, 0))
        let history = try History(path: folder.database)
        #expect(
            try found.map { try history.run($0.id) } == [
                RunRecord(
                    id: sampleID(0), identifier: "com.example.feeds.refresh", application: "com.example.feeds",
                    attempt: 1,
                    outcome: .interrupted, submittedAt: moment(0), endedAt: moment(100),
                    events: [RunEvent(kind: .submitted, at: moment(0)), RunEvent(kind: .interrupted, at: moment(100))]),
                RunRecord(
                    id: sampleID(20), identifier: "com.example.photos.scan", application: "com.example.photos",
                    attempt: 2,
                    outcome: .interrupted, reason: .thermal, submittedAt: moment(20), startedAt: moment(21),
                    expiredAt: moment(25), endedAt: moment(100),
                    events: [
                        RunEvent(kind: .submitted, at: moment(20)), RunEvent(kind: .started, at: moment(21)),
                        RunEvent(kind: .expired, at: moment(25), detail: Reason.thermal.rawValue),
                        RunEvent(kind: .interrupted, at: moment(100)),
                    ], confinement: "seccomp"),
            ])
        #expect(try history.run(sampleID(10))?.outcome == .succeeded)
        #expect(try store.unfinishedRuns().isEmpty)
    }

    @Test func `A turn that fails half-way leaves the interruption to the next start`() throws {
        do {
            let store = try Store(path: folder.database)
            try store.admit(0)
            try store.commit()
        }
        do {
            let store = try Store(path: folder.database)
            var record = Recovery(
                runs: try store.unfinishedRuns(), requests: try store.interruptedRequests(), at: moment(1)
            ).record
            #expect(record.writes.count == 1)
            record.append(.journal(JournalEntry(at: moment(1), kind: .hostStarted, subject: "", text: "")))
            try store.database.execute("ALTER TABLE journal RENAME TO hidden")
            let error = #expect(throws: StoreError.self) { try store.write(record) }
            #expect(error?.kind == .broken)
            #expect(throws: StoreError.self) { try store.write(TurnRecord(turn: 2)) }
            try store.database.execute("ALTER TABLE hidden RENAME TO journal")
        }
        #expect(try Store(path: folder.database).recover(at: moment(2)) == (1, 0))
    }
}
