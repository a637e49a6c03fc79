import Record
import Store
import TaskModel
import TestSupport
import Testing

struct HistoryTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test func `Runs are listed newest first, by task, by application and in pages`() throws {
        for number in 0..<30 {
            let application = number % 2 == 0 ? "com.example.feeds" : "com.example.photos"
            try store.admit(
                Int64(number), identifier: "\(application).\(number % 3 == 0 ? "scan" : "clean")",
                application: application)
        }
        try store.commit()
        let history = try History(path: folder.database)
        func numbers(
            _ identifier: String? = nil, _ application: String? = nil, limit: Int = 100
        ) throws -> [Int64] {
            let runs = try history.runs(identifier: identifier, application: application, limit: limit)
            return runs.map { ($0.submittedAt.nanoseconds - moment().nanoseconds) / 1_000_000 }
        }
        let all = (0..<30).reversed().map(Int64.init)
        #expect(try numbers() == all)
        #expect(try numbers(limit: 4) == [29, 28, 27, 26])
        #expect(try numbers(nil, "com.example.photos") == all.filter { $0 % 2 == 1 })
        #expect(try numbers("com.example.feeds.scan") == all.filter { $0 % 6 == 0 })
        #expect(try numbers("com.example") == [])
    }

    @Test func `A run is found by its id and by the beginning of it`() throws {
        let wanted = try store.record(90_000, salt: 1)
        let neighbour = try store.record(95_000, salt: 2)
        try store.commit()
        let text = wanted.description
        for length in 8...26 {
            let match = try store.history.run(matching: String(text.prefix(length)))
            guard case .found(let run) = match else {
                Issue.record("\(length) characters: \(match)")
                continue
            }
            #expect(run.id == wanted)
        }
        #expect(
            try store.history.run(matching: text.lowercased()) == .found(try #require(try store.history.run(wanted)))
        )
        #expect(try store.history.run(neighbour)?.id == neighbour)
        #expect(try store.history.run(sampleID(90_000, 77)) == nil)
        #expect(try store.history.run(matching: sampleID(90_000, 77).description) == .missing)
    }

    @Test(arguments: [
        "", "01KJNM2", "01KJNM2G00000000000000000000", "01KJNM2!", "81KJNM2G", "01KJNM2I", "01KJNM2ä", "        ",
    ])
    func `What is no id is said to be none`(_ text: String) throws {
        try store.record(0)
        #expect(try store.history.run(matching: text) == .malformed)
    }

    @Test func `A beginning that fits several runs lists them`() throws {
        let ids = try (0..<20).map { try store.record(0, salt: UInt64($0)) }
        try store.commit()
        let prefix = String(ids[0].description.prefix(10))
        #expect(try store.history.run(matching: prefix) == .ambiguous(Array(ids.prefix(RunMatch.maximumCandidates))))
    }

    @Test(arguments: [false, true])
    func `Every run is found, with gaps and crowds, and where the clock went back`(_ clockGoesBack: Bool) throws {
        var generator = SeededGenerator(seed: 42)
        var ids: [ULID] = []
        var time: Int64 = 1_000_000
        for number in 0..<600 {
            time += Int64.random(in: 0...3, using: &generator) * Int64.random(in: 0...900, using: &generator)
            if clockGoesBack && number % 199 == 198 { time -= 500_000 }
            ids.append(try store.record(time, salt: generator.next()))
        }
        try store.commit()
        // Forgotten runs leave gaps.
        try store.database.execute("DELETE FROM runs WHERE seq % 7 = 3")
        let history = try History(path: folder.database)
        for (index, id) in ids.enumerated() {
            let isForgotten = (index + 1) % 7 == 3
            #expect(try history.run(id)?.id == (isForgotten ? nil : id))
            #expect(try history.run(ULID(high: id.high, low: id.low &+ 1)) == nil)
            let second = String(id.description.prefix(8))
            let fitting = ids.indices.filter { ($0 + 1) % 7 != 3 && ids[$0].description.hasPrefix(second) }
            switch try history.run(matching: second) {
            case .missing: #expect(fitting.isEmpty)
            case .found(let run): #expect(fitting.map { ids[$0] } == [run.id])
            case .ambiguous(let found):
                #expect(fitting.count > 1 && found == fitting.prefix(RunMatch.maximumCandidates).map { ids[$0] })
            case .malformed: Issue.record("\(second) is the beginning of an id")
            }
        }
    }

    @Test func `Runs recorded in another order than that of their ids are found`() throws {
        let task = try store.taskRow(identifier: "com.example.a", application: "com.example")
        for number in [5, 3, 9, 4, 1] as [Int64] {
            try store.insertRun(
                RunStart(id: sampleID(100 - number), task: task, attempt: 1, submittedAt: moment(number)))
        }
        try store.commit()
        for number in [1, 3, 4, 5, 9] as [Int64] {
            #expect(try store.history.run(sampleID(100 - number))?.submittedAt == moment(number))
        }
    }
}
