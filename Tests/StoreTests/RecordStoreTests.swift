import Record
import TaskModel
import TestSupport
import Testing

/// What a host needs of any store, whatever it keeps the record in (CONTRIBUTING, "Add a store"). What a store keeps of runs that
/// have ended is up to it: RecordingTests and their neighbours are for the one that keeps all.
@Suite("Any store of the record", .serialized)
struct RecordStoreTests {
    private static let feeds = "com.example.feeds"

    private static func run(_ milliseconds: Int64, task: Int64) -> RunStart {
        RunStart(
            id: sampleID(milliseconds), task: task, attempt: 2, submittedAt: moment(milliseconds),
            startedAt: moment(milliseconds + 1), origin: .schedule)
    }

    private static func request(_ identity: Int64, _ identifier: String, submitted: Int64) -> TaskRequest {
        var request = TaskRequest(
            identity: identity, kind: .appRefresh, terms: RequestTerms(), submitted: moment(submitted))
        (request.identifier, request.application) = (identifier, feeds)
        return request
    }

    /// All pages of a list, and how many there were.
    private func all<Element, Place>(_ page: (Place?) throws -> Page<Element, Place>) throws -> [Element] {
        var elements: [Element] = []
        var before: Place?
        repeat {
            let next = try page(before)
            elements += next.elements
            if let place = next.next, let before { try #require(place < before, "a page that goes back") }
            before = next.next
        } while before != nil
        return elements
    }

    // MARK: Turns

    @Test(
        "has its turns durable in their order, also those without a write, and never takes one back",
        arguments: StoreKind.allCases)
    func turns(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        #expect(try host.store.durableTurn == 0)
        var seen: UInt64 = 0
        for number in 1...12 as ClosedRange<Int64> {
            let line = JournalEntry(at: moment(number), kind: .opened, subject: "\(number)", text: "")
            try host.begin(number % 3 == 0 ? [] : [.journal(line)])
            let durable = try host.store.durableTurn
            #expect(durable >= seen && durable <= host.turn)
            if try host.store.durabilityDescriptor == nil { #expect(durable == host.turn) }
            // What is durable can be read.
            let kept = try host.store.reader.journal(before: nil, limit: 99).elements
            #expect(kept.count >= Int(durable - durable / 3))
            seen = durable
        }
        try host.settle()
        try host.restart()
        #expect(try host.store.reader.journal(before: nil, limit: 99).elements.count == 8)
    }

    @Test("takes nothing of a write that contradicts the record, and says so", arguments: StoreKind.allCases)
    func contradictions(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let task = try host.task(Self.feeds + ".refresh", of: Self.feeds)
        try host.write(.runBegan(Self.run(1, task: task), waits: []))
        let wrong = RecordWrite.runEnded(RunEnd(id: sampleID(9), outcome: .failed, endedAt: moment(10)), RunEvents())
        do {
            try host.write(wrong)
            #expect(try !host.store.takeRowFaults().isEmpty)
        } catch is StoreError {
            #expect(throws: StoreError.self, "a broken store takes no more, or a host continues without a record") {
                try host.begin([wrong])
                try host.settle()
            }
        }
        try host.restart()
        #expect(try host.store.unfinishedRuns().map(\.id) == [sampleID(1)])
    }

    // MARK: Names

    @Test("keeps the numbers of names, so that none is given twice after a restart", arguments: StoreKind.allCases)
    func names(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        #expect(try host.store.reader.taskRow(TaskName("a", of: "x")) == nil)
        #expect(try host.store.reader.highestNames() == NameNumbers(application: 0, task: 0, setup: 0))
        let tasks = try ["a", "b", "a"].map { try host.task($0, of: "x") }
        let other = try host.task("a", of: "Y")
        #expect(tasks[0] == tasks[2] && Set(tasks + [other]).count == 3)
        let (x, y) = (try host.application("x"), try host.application("y"))
        #expect(try x != y && host.application("x") == x)
        let setups = try ["seccomp", nil, "seccomp"].map {
            try host.setup($0, degraded: "memory")
        }
        #expect(setups[0] == setups[2] && setups[0] != setups[1])
        #expect(try host.setup("seccomp") != setups[0])
        try host.write(.application(row: x, ApplicationMemory()))
        try host.restart()
        let reader = try host.store.reader
        #expect(try host.task("a", of: "x") == tasks[0] && host.application("y") == y)
        #expect(try reader.taskRow(TaskName("b", of: "x")) == tasks[1] && reader.applicationRow("x") == x)
        #expect(try host.setup(nil, degraded: "memory") == setups[1])
        #expect(try !(tasks + [other]).contains(host.task("c", of: "x")) && host.application("z") > max(x, y))
        #expect(try reader.taskRows(named: "a") == [tasks[0], other])
        // Without such a task it is the application's name.
        #expect(try reader.taskRows(named: "Y") == [other] && reader.taskRows(named: "z").isEmpty)
        #expect(try reader.taskRows(ofApplication: "x") == [tasks[0], tasks[1]])
        #expect(try reader.taskRows(containing: "y") == [other] && reader.taskRows(containing: "B") == [tasks[1]])
        #expect(
            try reader.identifiers(after: nil, limit: 9) == ["a", "b"]
                && reader.identifiers(after: "a", limit: 9) == ["b"])
        #expect(try reader.taskIdentifier(row: tasks[1]) == "b" && reader.taskIdentifier(row: 77) == nil)
    }

    // MARK: What a dead host left

    @Test("gives the next host the runs without an outcome, oldest first", arguments: StoreKind.allCases)
    func unfinished(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let task = try host.task(Self.feeds + ".refresh", of: Self.feeds)
        let runs = (1...4).map { Self.run($0 * 10, task: task) }
        for run in runs { try host.begin([.runBegan(run, waits: [])]) }
        try host.begin([
            .runExpired(runs[1].id, at: moment(50), .thermal), .runPaused(runs[3].id, at: moment(60)),
            .runResumed(runs[3].id, at: moment(70)), .runPaused(runs[3].id, at: moment(80)),
        ])
        try host.write(.runEnded(RunEnd(id: runs[2].id, outcome: .succeeded, endedAt: moment(90)), RunEvents()))
        try host.restart()
        let left = try host.store.unfinishedRuns()
        #expect(left.map(\.id) == [runs[0], runs[1], runs[3]].map(\.id))
        for (row, run) in zip(left, [runs[0], runs[1], runs[3]]) {
            #expect(row.identifier == Self.feeds + ".refresh" && row.application == Self.feeds)
            #expect((row.attempt, row.submittedAt, row.origin) == (2, run.submittedAt, .schedule))
            #expect(row.outcome == nil && row.startedAt == run.startedAt)
            #expect(try host.store.reader.run(run.id)?.id == run.id)
        }
        #expect(left[1].expiredAt == moment(50) && left[1].reason == .thermal && left[0].expiredAt == nil)
        #expect(left[2].pauses == [RunPause(from: moment(60), to: moment(70)), RunPause(from: moment(80), to: nil)])
        try host.write(.runEnded(RunEnd(id: runs[0].id, outcome: .interrupted, endedAt: moment(100)), RunEvents()))
        #expect(try host.store.unfinishedRuns().map(\.id) == [runs[1].id, runs[3].id])
    }

    @Test("lists runs by their ids, newest first, also from one that it does not have", arguments: StoreKind.allCases)
    func runs(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let task = try host.task(Self.feeds + ".refresh", of: Self.feeds)
        for number in 1...7 as ClosedRange<Int64> {
            try host.begin([.runBegan(Self.run(number * 10, task: task), waits: [])])
        }
        try host.settle()
        let reader = try host.store.reader
        let expected = (1...7 as ClosedRange<Int64>).reversed().map { sampleID($0 * 10) }
        for size in [1, 2, 3, 7, 8] {
            let runs = try all { try reader.runs(matching: RunFilter(), before: $0, limit: size) }
            #expect(runs.map(\.id) == expected, "pages of \(size)")
        }
        for (before, first) in [(35, 30), (30, 20), (99, 70), (10, nil), (5, nil)] as [(Int64, Int64?)] {
            let page = try reader.runs(matching: RunFilter(), before: sampleID(before), limit: 1)
            #expect(page.elements.first?.id == first.map { sampleID($0) }, "before \(before)")
        }
    }

    @Test("keeps of an identity one request that waits and one that runs", arguments: StoreKind.allCases)
    func requests(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let names = ["a", "b", "c"].map { "\(Self.feeds).\($0)" }
        let rows = try names.map { try host.task($0, of: Self.feeds) }
        func request(_ place: Int, _ submitted: Int64) -> TaskRequest {
            Self.request(rows[place], names[place], submitted: submitted)
        }
        for run in [2, 5] as [Int64] { try host.begin([.runBegan(Self.run(run, task: rows[1]), waits: [])]) }
        try host.begin([.requestPut(request(0, 1)), .requestPut(request(1, 2)), .requestPut(request(2, 3))])
        // Another takes the place of the one that waits; the earlier submission is not there to be forgotten or to start.
        try host.begin([.requestPut(request(0, 4)), .requestForgotten(identity: rows[0], submitted: moment(1))])
        try host.begin([.requestRunning(identity: rows[0], submitted: moment(1), run: sampleID(1))])
        try host.begin([.requestRunning(identity: rows[1], submitted: moment(2), run: sampleID(2))])
        try host.write(.requestPut(request(1, 5)))
        var running = request(1, 2)
        running.running = sampleID(2)
        try host.restart()
        #expect(
            try host.store.reader.requests(application: nil) == [running, request(0, 4), request(1, 5), request(2, 3)])
        #expect(try host.store.reader.requests(application: "com.example.others").isEmpty)
        #expect(try host.store.interruptedRequests() == [running, request(1, 5)])
        #expect(try host.store.reader.waitingRequest(identity: rows[1]) == request(1, 5))
        #expect(try host.store.reader.waitingRequest(identity: 77) == nil)
        // The run fails, and would be tried again: then only a newer one waits. Without a newer one it waits itself.
        try host.write(.requestForgotten(identity: rows[1], submitted: moment(2)))
        try host.write(.requestRunning(identity: rows[1], submitted: moment(5), run: sampleID(5)))
        var again = request(1, 5)
        again.attempt = 2
        try host.write(.requestPut(again))
        #expect(try host.store.reader.requests(application: Self.feeds) == [request(0, 4), again, request(2, 3)])
        #expect(try host.store.interruptedRequests().isEmpty)
    }

    @Test("keeps of runs beside each other the request of the last one that began", arguments: StoreKind.allCases)
    func beside(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let name = "\(Self.feeds).a"
        let task = try host.task(name, of: Self.feeds)
        for run in [1, 2] as [Int64] {
            try host.begin([.runBegan(Self.run(run, task: task), waits: [])])
            try host.begin([.requestPut(Self.request(task, name, submitted: run))])
            try host.begin([.requestRunning(identity: task, submitted: moment(run), run: sampleID(run))])
        }
        let waiting = Self.request(task, name, submitted: 3)
        try host.write(.requestPut(waiting))
        var running = Self.request(task, name, submitted: 2)
        running.running = sampleID(2)
        try host.restart()
        #expect(try host.store.interruptedRequests() == [running, waiting])
        #expect(try host.store.unfinishedRuns().map(\.id) == [sampleID(1), sampleID(2)])
        // The first one ends: it has nothing to be forgotten.
        try host.write(.requestForgotten(identity: task, submitted: moment(1)))
        #expect(try host.store.reader.requests(application: nil) == [running, waiting])
        try host.write(.requestForgotten(identity: task, submitted: moment(2)))
        #expect(try host.store.reader.requests(application: nil) == [waiting])
    }

    // MARK: Hosts

    @Test("gives a host what it left itself, and keeps what others left", arguments: StoreKind.allCases)
    func hosts(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let name = Self.feeds + ".refresh"
        let others = [nil, HostID(high: 7, low: 1), HostID(high: .max, low: 1)]
        var ids: Set<HostID> = []
        // Each has a run in progress, a request of the same task that waits behind it, and a session of the same name.
        for (place, owner) in others.enumerated() {
            try host.restart(as: owner)
            try ids.insert(host.store.host)
            let number = Int64(place + 1)
            #expect(try host.store.unfinishedRuns().isEmpty && host.store.reader.sessions().isEmpty)
            let task = try host.task(name, of: Self.feeds)
            try host.begin([.runBegan(Self.run(number, task: task), waits: [])])
            try host.begin([.requestPut(Self.request(task, name, submitted: number))])
            try host.begin([.requestRunning(identity: task, submitted: moment(number), run: sampleID(number))])
            try host.begin([.requestPut(Self.request(task, name, submitted: number + 10))])
            try host.write(.session(TransferTests.session(number)))
        }
        #expect(ids.count == 3)
        for (place, owner) in others.enumerated() {
            try host.restart(as: owner)
            let store = try host.store
            let number = Int64(place + 1)
            #expect(ids.contains(store.host) && (owner == nil || owner == store.host))
            #expect(try store.unfinishedRuns().map(\.id) == [sampleID(number)])
            #expect(try store.interruptedRequests().map(\.submitted) == [moment(number), moment(number + 10)])
            var waiting: [Timestamp] = []
            try store.reader.forEachRequest { waiting.append($0.submitted) }
            #expect(waiting == [moment(number), moment(number + 10)])
            #expect(try store.reader.sessions() == [TransferTests.session(number)])
            // It takes up its own, and the lists have everyone's.
            let identity = try #require(try store.interruptedRequests().first).identity
            try host.begin([.requestForgotten(identity: identity, submitted: moment(number))])
            try host.write(
                .runEnded(RunEnd(id: sampleID(number), outcome: .interrupted, endedAt: moment(99)), RunEvents()))
            #expect(try store.unfinishedRuns().isEmpty && store.interruptedRequests().isEmpty)
            #expect(try store.reader.requests(application: Self.feeds).count == 5 - place)
        }
    }

    // MARK: The fleet

    @Test("keeps ends of claims until the fleet has answered", arguments: StoreKind.allCases)
    func untoldEnds(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let progress = UntoldEnd.Progress(attempt: .max, failures: 4, deferrals: .max, free: moment(7))
        let ends = [
            UntoldEnd(ClaimToken(key: sampleID(1), number: .max), run: sampleID(3), .crashed),
            UntoldEnd(ClaimToken(key: sampleID(2), number: 1), run: sampleID(4), .failed, progress: progress),
            UntoldEnd(ClaimToken(key: sampleID(2), number: 2), run: sampleID(5), .succeeded),
        ]
        try host.write(.claimEnded(ends[2]), .claimEnded(ends[0]), .claimEnded(ends[1]), .claimEnded(ends[1]))
        try host.restart()
        #expect(try host.store.untoldEnds() == ends)
        try host.write(.claimTold(ends[1].token), .claimTold(ClaimToken(key: sampleID(9), number: 1)))
        try host.restart()
        #expect(try host.store.untoldEnds() == [ends[0], ends[2]])
    }

    @Test("keeps the last time of a schedule that the fleet has", arguments: StoreKind.allCases)
    func sharedTimes(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let task = try host.task(Self.feeds + ".sort", of: Self.feeds)
        try host.begin([])
        #expect(try host.store.reader.sharedTime(task: task) == nil)
        try host.write(.timeShared(task: task, moment(1)), .timeShared(task: task, moment(2)))
        try host.restart()
        #expect(try host.store.reader.sharedTime(task: task) == moment(2))
        #expect(try host.store.reader.sharedTime(task: 77) == nil)
    }

    // MARK: The world

    @Test("keeps the state of applications, overrides, pauses and files", arguments: StoreKind.allCases)
    func states(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        let (row, task) = (
            try host.application(Self.feeds),
            try host.task(Self.feeds + ".sort", of: Self.feeds)
        )
        _ = try host.application("com.example.photos")
        var memory = ApplicationMemory()
        (memory.isForceQuit, memory.crashes, memory.usage) = (true, 4, 12.75)
        let marks: Set = [FileMark(device: 1, inode: .max, size: 0, modified: .min)]
        let pause = WorkPause(since: moment(2), until: moment(3))
        try host.begin([
            .application(row: row, ApplicationMemory()), .override(.power, "external"), .override(.battery, "54"),
            .workPaused(.host, WorkPause(since: moment(1))), .workPaused(.task("a"), WorkPause(since: moment(1))),
            .filesSeen(task: task, [FileMark(device: 1, inode: 1, size: 1, modified: 1)]),
        ])
        try host.write(
            .application(row: row, memory), .override(.power, "battery"), .workPaused(.task("a"), pause),
            .workResumed(.host), .workResumed(.application("a")), .filesSeen(task: task, marks))
        try host.restart()
        let reader = try host.store.reader
        #expect(try reader.applications() == [Self.feeds: memory, "com.example.photos": ApplicationMemory()])
        #expect(try reader.overrides() == [.power: "battery", .battery: "54"])
        #expect(try reader.pausedWork() == [.task("a"): pause])
        #expect(try reader.fileMarks(task: task) == marks && reader.fileMarks(task: 77).isEmpty)
        try host.write(.overridesCleared)
        #expect(try host.store.reader.overrides().isEmpty)
    }

    @Test(
        "lists its journal, its terminations and the device's changes newest first, page by page",
        arguments: StoreKind.allCases)
    func lists(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        for number in 0..<7 as Range<Int64> {
            let application = number % 3 == 0 ? "com.example.notes" : Self.feeds
            try host.begin([
                .journal(JournalEntry(at: moment(number), kind: .opened, subject: "\(number)", text: "line")),
                .device(DeviceLogEntry(at: moment(number), condition: .battery, value: "\(number / 2)")),
                .termination(
                    Termination(
                        application: application, at: moment(number), reason: .appWatchdog,
                        callback: .didEnterBackground,
                        took: .seconds(number), assertions: [], assertionCount: 0, wasSuspended: false)),
            ])
        }
        try host.settle()
        try host.restart()
        let reader = try host.store.reader
        for size in [1, 2, 7, 8] {
            let lines = try all { try reader.journal(before: $0, limit: size) }
            #expect(lines.map(\.subject) == ["6", "5", "4", "3", "2", "1", "0"])
            let changes = try all { try reader.deviceLog(before: $0, limit: size) }
            #expect(changes.map(\.value) == ["3", "2", "1", "0"] && changes.last?.at == moment(0))
            let ends = try all { try reader.terminations(application: nil, before: $0, limit: size) }
            #expect(ends.map(\.at) == (0..<7).reversed().map { moment($0) })
            let notes = try all { try reader.terminations(application: "com.example.notes", before: $0, limit: size) }
            #expect(notes.map(\.at) == [6, 3, 0].map { moment($0) })
        }
        #expect(try reader.lastTermination(of: Self.feeds)?.took == .seconds(5))
        #expect(try reader.lastTermination(of: "com.example.none") == nil)
        #expect(try reader.newestMoment() == moment(6))
    }

    // MARK: Transfers

    @Test(
        "keeps sessions and transfers until they are forgotten, and never gives their numbers again",
        arguments: StoreKind.allCases)
    func transfers(_ kind: StoreKind) throws {
        let host = try StoreUnderTest(kind)
        var session = TransferTests.session(3)
        var transfers = (1...3).map { TransferTests.transfer($0, session: 3, number: UInt32($0)) }
        try host.begin([.session(session)] + transfers.map { .transfer($0) })
        try host.begin([
            .transferProgress(1, TransferTests.progress), .transferState(2, .suspended), .transferHeld(3, true),
        ])
        try host.write(.transferEnded(3, TransferTests.end(8)), .transferFileTaken(3))
        try host.restart()
        session.next = 4
        transfers[0].progress = TransferTests.progress
        transfers[1].state = .suspended
        (transfers[2].isHeld, transfers[2].state, transfers[2].end, transfers[2].isFileTaken) = (
            true, .ended, TransferTests.end(8), true
        )
        #expect(try host.store.reader.sessions() == [session])
        var open: [BackgroundTransfer] = []
        try host.store.reader.forEachOpenTransfer { open.append(copy $0) }
        #expect(open == transfers)
        // The application takes note of one, and its session goes with the rest.
        try host.begin([.transferDelivered(3)])
        try host.begin([.transfersForgotten([3]), .transfersMoved(by: .seconds(1))])
        #expect(try host.store.reader.transferNumbers().transfer == 3)
        try host.write(.sessionForgotten(3))
        try host.restart()
        let reader = try host.store.reader
        #expect(try reader.sessions().isEmpty && reader.transfer(3) == nil)
        try reader.forEachOpenTransfer { Issue.record("\($0.id) is open without its session") }
        let left = try all { try reader.transfers(application: nil, isOpen: false, before: $0, limit: 1) }
        #expect(left.map(\.id) == [2, 1] && left.allSatisfy { $0.state == .delivered })
        let numbers = try reader.transferNumbers()
        #expect(numbers.session == 3 && numbers.transfer == 3)
    }
}
