import Record
import Store
import TaskModel
import TestSupport
import Testing

struct WorldTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test func `What is remembered of an application comes back`() throws {
        var memory = ApplicationMemory()
        memory.isForceQuit = true
        memory.isRefreshDenied = true
        memory.crashes = 4
        memory.quarantinedUntil = moment(300_000)
        memory.usage = 12.75
        memory.quotaUsed = .seconds(3)
        memory.quotaEnd = moment(86_400_000)
        memory.fetchInterval = .seconds(1800)
        memory.unansweredFetches = 3
        for minute in 0..<10 { memory.notifications.add(moment(Int64(minute) * 60_000)) }
        let row = try store.applicationRow("com.example.feeds")
        #expect(try store.applicationRow("com.example.feeds") == row)
        #expect(try store.applicationRow("com.example.photos") != row)
        try store.putApplication(row, memory)
        try store.commit()
        let expected = ["com.example.feeds": memory, "com.example.photos": ApplicationMemory()]
        #expect(try History(path: folder.database).applications() == expected)
        try store.putApplication(row, ApplicationMemory())
        #expect(try store.reader.applications()["com.example.feeds"] == ApplicationMemory())
        #expect(throws: StoreError.self) { try store.putApplication(77, memory) }
    }

    @Test func `Pauses come back until they end`() throws {
        let pauses: [PausedWork: WorkPause] = [
            .host: WorkPause(since: moment(1)),
            .application("com.example"): WorkPause(since: moment(2), until: moment(3)),
            .task("com.example"): WorkPause(since: moment(4)),
        ]
        func write(_ write: RecordWrite) throws {
            var turn = TurnRecord()
            turn.append(write)
            try store.write(turn)
        }
        for (work, pause) in pauses { try write(.workPaused(work, pause)) }
        #expect(try History(path: folder.database).pausedWork() == pauses)
        try write(.workPaused(.host, WorkPause(since: moment(1), until: moment(9))))
        try write(.workResumed(.application("com.example")))
        try write(.workResumed(.application("com.example")))
        let rest: [PausedWork: WorkPause] = [
            .host: WorkPause(since: moment(1), until: moment(9)), .task("com.example"): WorkPause(since: moment(4)),
        ]
        #expect(try store.reader.pausedWork() == rest)
    }

    @Test func `The journal gives its newest lines, newest first`() throws {
        for (number, kind) in JournalKind.allCases.enumerated() {
            try store.journal(
                kind: kind, subject: "com.example.\(number)", text: "line \(number)", at: moment(Int64(number)))
        }
        try store.commit()
        let history = try History(path: folder.database)
        let all = Array(try history.journal(limit: 100).reversed())
        #expect(all.map { $0.kind } == JournalKind.allCases)
        #expect(
            all[3]
                == JournalEntry(at: moment(3), kind: JournalKind.allCases[3], subject: "com.example.3", text: "line 3")
        )
        #expect(try history.journal(limit: 2) == Array(all.suffix(2).reversed()))
        #expect(try history.journal(since: moment(20), limit: 100) == Array(all[20...].reversed()))
        #expect(try history.journal(limit: -1) == [])
    }

    @Test func `A line of the journal is bounded`() throws {
        let long = String(repeating: "ü", count: 5000)
        try store.journal(kind: .misuse, subject: long, text: "", at: moment())
        let line = try store.history.journal(limit: 1)
        #expect(line.first?.subject == String(long.prefix(JournalEntry.maximumText / 2)))
        #expect(line.first?.text == "")
    }

    @Test func `The journal and the device's log are cut by age and count`() throws {
        for number in 0..<100 {
            try store.journal(kind: .opened, subject: "a", text: "\(number)", at: moment(Int64(number)))
            try store.putDevice([(.battery, "\(number)")], at: moment(Int64(number)))
        }
        try store.putDevice([(.power, "battery")], at: moment(200))
        #expect(try store.prune(endedBefore: moment(30), keepingNewest: 1000) == 30 + 29)
        #expect(try store.prune(endedBefore: moment(30), keepingNewest: 1000) == 0)
        #expect(try store.history.journal(limit: 1000).last?.text == "30")
        #expect(try store.prune(endedBefore: moment(0), keepingNewest: 10, limit: 7) > 0)
        while try store.prune(endedBefore: moment(0), keepingNewest: 10, limit: 7) > 0 {}
        #expect(try store.history.journal(limit: 1000).map { $0.text } == (90..<100).reversed().map { "\($0)" })
        // The value that held when the newest ten entries begin, and these.
        let log = try store.history.deviceLog()
        #expect(log.map { $0.value } == (90..<100).map { "\($0)" } + ["battery"])
    }

    @Test func `Only changes of the device leave a trace, also over a restart`() throws {
        try store.putDevice([(.power, "external"), (.network, "ok")], at: moment(0))
        try store.putDevice([(.power, "external"), (.network, "none")], at: moment(10))
        try store.commit()
        let next = try Store(path: folder.database)
        try next.putDevice([(.power, "external"), (.network, "none")], at: moment(20))
        try next.putDevice([(.power, "battery")], at: moment(30))
        try next.commit()
        let log = try History(path: folder.database).deviceLog().map {
            "\(($0.at.nanoseconds - moment().nanoseconds) / 1_000_000) \($0.condition) \($0.value)"
        }
        #expect(log == ["0 power external", "0 network ok", "10 network none", "30 power battery"])
    }

    @Test func `A lost turn does not make the log forget a change`() throws {
        do {
            let lost = try Store(path: folder.database)
            try lost.putDevice([(.power, "external")], at: moment(0))
        }
        try store.putDevice([(.power, "external")], at: moment(1))
        #expect(try store.history.deviceLog().map { $0.at } == [moment(1)])
    }

    @Test func `Reading everything while another thread writes sees whole turns`() async throws {
        let path = folder.database
        let reading = Task.detached {
            let reader = try History(path: path)
            var isWhole = true
            while !Task.isCancelled {
                let (requests, lines) = (try reader.requests().count, try reader.journal(limit: 9999).count)
                isWhole = isWhole && requests.isMultiple(of: 4) && lines.isMultiple(of: 3)
                _ = (try reader.applications(), try reader.overrides(), try reader.lastRuns())
                _ = try reader.deviceLog()
            }
            return isWhole
        }
        let row = try store.applicationRow("com.example.feeds")
        for turn in 0..<100 {
            for number in 0..<4 {
                try store.putRequest(
                    try store.sampleRequest("com.example.feeds.\(turn * 4 + number)", submitted: Int64(turn)))
            }
            for _ in 0..<3 { try store.journal(kind: .opened, subject: "a", text: "b", at: moment(Int64(turn))) }
            try store.putApplication(row, ApplicationMemory())
            try store.putDevice([(.battery, "\(turn)")], at: moment(Int64(turn)))
            try store.setOverride(.battery, "\(turn)")
            try store.record(Int64(turn))
            try store.commit()
        }
        reading.cancel()
        #expect(try await reading.value)
    }

    @Test func `What a user set stays until it is reset`() throws {
        try store.setOverride(.power, "battery")
        try store.setOverride(.battery, "54")
        try store.setOverride(.power, "external")
        try store.commit()
        #expect(try History(path: folder.database).overrides() == [.power: "external", .battery: "54"])
        try store.clearOverrides()
        #expect(try store.reader.overrides().isEmpty)
    }

    @Test func `The files of a task stay until others are put, and go with the task`() throws {
        let marks: Set = [
            FileMark(device: 1, inode: .max, size: 0, modified: .min),
            FileMark(device: 1, inode: 2, size: .max, modified: -1),
        ]
        let task = try store.taskRow(identifier: "com.example.feeds.sort", application: "com.example.feeds")
        let other = try store.taskRow(identifier: "com.example.feeds.list", application: "com.example.feeds")
        var record = TurnRecord(turn: 1)
        record.append(.filesSeen(task: task, [FileMark(device: 1, inode: 1, size: 1, modified: 1)]))
        record.append(.filesSeen(task: task, marks))
        try store.write(record)
        let reader = try History(path: folder.database)
        #expect(try reader.fileMarks(task: task) == marks)
        #expect(try reader.fileMarks(task: other).isEmpty)
        record.begin(turn: 2)
        record.append(.identifiersPruned(except: [other]))
        try store.write(record)
        #expect(try reader.fileMarks(task: task).isEmpty)
        #expect(FileMark.unpack(Array(repeating: 0, count: 33)) == nil)
    }
}
