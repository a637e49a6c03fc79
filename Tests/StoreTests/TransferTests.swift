import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Background sessions and transfers, on disk and in the double that other tests use.
struct TransferTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    static func session(_ id: Int64 = 1, _ identifier: String = "albums") -> StoredSession {
        var options = SessionOptions()
        options.isDiscretionary = true
        options.sendsLaunchEvents = false
        options.allowsExpensive = false
        options.allowsConstrained = false
        options.requestTimeout = .seconds(7)
        options.resourceTimeout = .seconds(70)
        options.connectionsPerHost = 3
        options.proxy = "http://user:proxysecret@proxy:3128"
        return StoredSession(
            id: id, application: "com.example.photos", identifier: identifier, options: options, next: 4,
            awaitsHandling: true)
    }

    static let headers = [
        HTTPHeader("Authorization", "Bearer headersecret"), HTTPHeader("X-Empty", ""), HTTPHeader("X", "ü\u{1F}\n"),
    ]

    /// Every field says something.
    static func transfer(_ id: Int64 = 1, session: Int64 = 1, number: UInt32 = 4) -> BackgroundTransfer {
        var request = TransferRequest(
            kind: .upload, url: "https://user:urlsecret@example.com:8443/a/b?token=querysecret#part", method: "PUT")
        request.headers = headers
        request.file = "/srv/photos/\(id).jpg"
        request.text = "textsecret"
        request.earliest = moment(5)
        request.timeout = .seconds(9)
        request.priority = 0.75
        request.allowsExpensive = false
        request.allowsConstrained = false
        request.expectedSend = 10
        request.expectedReceive = 11
        request.sha256 = Array(0..<32)
        request.resumeData = Array("resumesecret".utf8)
        return BackgroundTransfer(
            id: id, session: session, of: "com.example.photos", "albums", number: number, created: moment(id),
            request: request, state: .waiting, isFromBackground: true)
    }

    static var progress: TransferProgress {
        var progress = TransferProgress()
        progress.attempts = 3
        progress.received = 100
        progress.sent = 20
        progress.durable = 64
        progress.total = 1000
        progress.validator = "\"etagsecret\""
        progress.uploadLocation = "https://example.com/upload/locationsecret"
        progress.url = "https://cdn.example.com/?signature=redirectsecret"
        progress.status = 206
        progress.address = "192.0.2.7:443"
        progress.lastFault = "the connection was lost"
        progress.nextTry = moment(900)
        progress.source = UploadSource(size: 1000, modified: 1_700_000_000_123_456_789, inode: .max)
        return progress
    }

    static func end(_ order: Int64 = 1, at milliseconds: Int64 = 1000) -> TransferEnd {
        var end = TransferEnd(at: moment(milliseconds), order: order, error: .cancelled)
        end.cancelReason = .userForceQuit
        end.sentence = "a person has quit the application"
        end.status = 200
        end.url = "https://example.com/b?key=answersecret"
        end.headers = [HTTPHeader("Set-Cookie", "cookiesecret")]
        end.received = 1000
        end.sent = 20
        end.file = "cache/b.jpg"
        end.resumeData = Array("endresumesecret".utf8)
        return end
    }

    /// A turn that a store takes, and its double as well, which is to have the same afterwards.
    private func write(_ writes: RecordWrite..., turn: UInt64 = 1, also double: MemoryStore? = nil) throws {
        var record = TurnRecord(turn: turn)
        for write in writes { record.append(write) }
        try store.write(record)
        try double?.write(record)
        if let double { try expectEqual(store.history, double) }
    }

    private func expectEqual(_ one: some RecordReader, _ other: some RecordReader) throws {
        #expect(try one.sessions() == other.sessions())
        #expect(try one.transferNumbers() == other.transferNumbers())
        let (first, second) = (
            try one.transfers(application: nil, before: nil, limit: 999),
            try other.transfers(application: nil, before: nil, limit: 999)
        )
        #expect(first.elements == second.elements)
        var (open, others) = ([BackgroundTransfer](), [BackgroundTransfer]())
        try one.forEachOpenTransfer { open.append(copy $0) }
        try other.forEachOpenTransfer { others.append(copy $0) }
        #expect(open == others)
        #expect(open == first.elements.reversed().filter { $0.state != .delivered })
    }

    @Test func `A session and its transfers come back as they were, step by step, over a restart`() throws {
        let double = MemoryStore()
        var session = Self.session()
        var transfer = Self.transfer()
        func expectKept() throws {
            let history = try History(path: folder.database)
            #expect(try history.sessions() == [session])
            #expect(try history.transfer(1) == transfer)
            #expect(try history.transfer(2) == nil)
        }
        try write(.session(session), .transfer(transfer), turn: 1, also: double)
        // The number that it has is never given again, though the session was not written.
        session.next = 5
        try expectKept()
        transfer.progress = Self.progress
        transfer.state = .running
        try write(.transferProgress(1, transfer.progress), .transferState(1, .running), turn: 2, also: double)
        try expectKept()
        transfer.created = transfer.created + .seconds(400 * 86_400)
        try write(
            .transfersMoved(by: .seconds(400 * 86_400)), .transfersMoved(by: TimeSpan(nanoseconds: .max)), turn: 19,
            also: double)
        try expectKept()
        transfer.isHeld = true
        try write(.transferHeld(1, true), turn: 20, also: double)
        try expectKept()
        transfer.isHeld = false
        transfer.request.url = "http://example.com/plain"
        transfer.request.headers = []
        transfer.request.sha256 = nil
        try write(.transferHeld(1, false), .transferRequest(1, transfer.request), turn: 21, also: double)
        try expectKept()
        transfer.end = Self.end()
        transfer.state = .ended
        try write(.transferEnded(1, Self.end()), .transferState(1, .waiting), turn: 24, also: double)
        try expectKept()
        transfer.isFileTaken = true
        session.next = 3
        session.awaitsHandling = false
        session.options = SessionOptions()
        try write(.transferFileTaken(1), .session(session), turn: 25, also: double)
        session.next = 5
        try expectKept()
        // Put again whole.
        try write(.transfer(transfer), turn: 26, also: double)
        try expectKept()
    }

    @Test func `Every error, reason, kind and state has a place in the record`() throws {
        try write(.session(Self.session()))
        var id: Int64 = 0
        func expectKept(_ transfer: BackgroundTransfer) throws {
            try write(.transfer(transfer), turn: UInt64(id + 1))
            #expect(try store.history.transfer(id) == transfer)
        }
        for error in TransferError.allCases {
            id += 1
            var transfer = Self.transfer(id, number: UInt32(id))
            transfer.end = TransferEnd(at: moment(id), order: id, error: error)
            transfer.state = .ended
            try expectKept(transfer)
        }
        for (kind, state) in zip([TransferKind.download, .upload, .download, .upload], TransferState.allCases) {
            id += 1
            var transfer = Self.transfer(id, number: UInt32(id))
            (transfer.request.kind, transfer.state) = (kind, state)
            try expectKept(transfer)
        }
        for reason in TransferCancelReason.allCases {
            id += 1
            var transfer = Self.transfer(id, number: UInt32(id))
            transfer.end = Self.end(id)
            transfer.end?.cancelReason = reason
            transfer.state = .ended
            try expectKept(transfer)
        }
    }

    @Test func `A delivered transfer keeps no secret, in the row or in the file`() throws {
        let double = MemoryStore()
        var transfer = Self.transfer()
        transfer.progress = Self.progress
        try write(.session(Self.session()), .transfer(transfer), .transferEnded(1, Self.end()), also: double)
        try write(.transferDelivered(1), .transferProgress(1, Self.progress), turn: 2, also: double)
        let kept = try #require(try store.history.transfer(1))
        #expect(kept.state == .delivered)
        #expect(kept.request.url == "https://example.com:8443/a/b")
        #expect(kept.end?.file == "cache/b.jpg" && kept.end?.error == .cancelled)
        #expect(kept.progress.address == "192.0.2.7:443")
        // Before it was delivered its application could have asked for it, so it had to be in the file.
        _ = try store.database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = String(decoding: try TemporaryFolder.bytes(of: folder.database), as: Unicode.ASCII.self)
        #expect(file.contains("proxysecret"), "the session's own, which is used on")
        for secret in ["url", "query", "header", "text", "location", "redirect", "answer", "cookie", "etag"] {
            #expect(!file.contains("\(secret)secret"), "\(secret)")
        }
        #expect(!file.contains("resumesecret"))
        #expect(try folder.status(of: "runs.db").st_mode & 0o777 == 0o600)
    }

    @Test func `Numbers are never given twice, whatever was forgotten`() throws {
        let double = MemoryStore()
        try write(
            .session(Self.session(7)), .transfer(Self.transfer(30, session: 7, number: 9)),
            .transferEnded(30, Self.end(12)), also: double)
        #expect(try store.history.transferNumbers() == TransferNumbers(session: 7, transfer: 30, order: 12))
        try write(.transferDelivered(30), .transfersForgotten([30]), .sessionForgotten(7), turn: 2, also: double)
        let numbers = try History(path: folder.database).transferNumbers()
        #expect(numbers == TransferNumbers(session: 7, transfer: 30, order: 0))
        #expect(try store.history.sessions().isEmpty)
    }

    @Test func `A session that goes takes the untold ends of its transfers along, and leaves them in the list`() throws
    {
        let double = MemoryStore()
        try write(
            .session(Self.session(1)), .session(Self.session(2, "movies")), .transfer(Self.transfer(1)),
            .transferEnded(1, Self.end()), .transfer(Self.transfer(2, session: 2)), also: double)
        try write(.sessionForgotten(1), turn: 2, also: double)
        var open: [Int64] = []
        try store.history.forEachOpenTransfer { open.append($0.id) }
        #expect(open == [2])
        #expect(try store.history.transfer(1)?.sessionName == "albums")
        // The name is free again.
        try write(.session(Self.session(3)), turn: 3, also: double)
    }

    @Test func `What one row contradicts is left out and said, and the rest of its turn is recorded`() throws {
        let before = [RecordWrite.session(Self.session()), .transfer(Self.transfer()), .transferEnded(1, Self.end())]
        let cases: [(write: RecordWrite, subject: RowFault.Subject)] = [
            (.transfer(Self.transfer(2, session: 9)), .transfer(2)), (.transferEnded(1, Self.end(2)), .transfer(1)),
            (.transferEnded(5, Self.end(2)), .transfer(5)), (.session(Self.session(2)), .session(2)),
            (.runEnded(RunEnd(id: sampleID(9), outcome: .failed, endedAt: moment(1)), RunEvents()), .run(sampleID(9))),
            (.runExpired(sampleID(9), at: moment(1), .budget), .run(sampleID(9))),
            (.runPaused(sampleID(9), at: moment(1)), .run(sampleID(9))),
            (.diagnostics(sampleID(9), ["lost"]), .run(sampleID(9))),
            (.application(row: 77, ApplicationMemory()), .other),
        ]
        for wrong in cases {
            let folder = try TemporaryFolder()
            let store = try Store(path: folder.database)
            var record = TurnRecord(turn: 1)
            for write in before { record.append(write) }
            try store.write(record)
            #expect(store.takeRowFaults().isEmpty)
            record.begin(turn: 2)
            record.append(wrong.write)
            record.append(.transferFileTaken(1))
            try store.write(record)
            let faults = store.takeRowFaults()
            #expect(faults.map(\.subject) == [wrong.subject], "\(wrong)")
            #expect(faults.first?.sentence.hasPrefix("cannot record ") == true, "\(faults)")
            #expect(store.takeRowFaults().isEmpty && store.durableTurn == 2)
            let kept = try History(path: folder.database).transfer(1)
            #expect(kept?.isFileTaken == true && kept?.end == Self.end(), "\(wrong)")
        }
    }

    @Test func `The double of the store, which is for simulations, refuses what contradicts it`() throws {
        for wrong in [
            RecordWrite.transfer(Self.transfer(2, session: 9)), .transferEnded(1, Self.end(2)),
            .transferEnded(5, Self.end(2)), .session(Self.session(2)),
        ] {
            let double = MemoryStore()
            var record = TurnRecord(turn: 1)
            record.append(.session(Self.session()))
            record.append(.transfer(Self.transfer()))
            record.append(.transferEnded(1, Self.end()))
            try double.write(record)
            record.begin(turn: 2)
            record.append(wrong)
            #expect(throws: StoreError.self, "\(wrong)") { try double.write(record) }
        }
    }

    @Test(arguments: ["kind = 99", "headers = x'05'", "error = 1, ended = 5", "state = 0"])
    func `A row that makes no sense is passed over at the start, and the others are read`(damage: String) throws {
        try write(
            .session(Self.session(1)), .transfer(Self.transfer(1)), .transfer(Self.transfer(2, number: 5)),
            .transfer(Self.transfer(3, number: 6)))
        try store.database.execute("UPDATE transfers SET \(damage) WHERE id = 2")
        var open: [Int64] = []
        try store.reader.forEachOpenTransfer { open.append($0.id) }
        #expect(open == [1, 3])
        let faults = store.takeRowFaults()
        #expect(faults.map(\.subject) == [.transfer(2)] && store.takeRowFaults().isEmpty, "\(faults)")
        #expect(faults.first?.sentence == "cannot read transfers: row 2 of transfers makes no sense")
    }

    @Test(arguments: ["9223372036854775807", "'text'", "1e300", "4611686018427387904"])
    func `A damaged order of one end leaves room for those that follow`(order: String) throws {
        try write(
            .session(Self.session(1)), .transfer(Self.transfer(1)), .transferEnded(1, Self.end(12)),
            .transfer(Self.transfer(2, number: 5)), .transferEnded(2, Self.end(13)))
        try store.database.execute("UPDATE transfers SET ended_order = \(order) WHERE id = 2")
        #expect(try store.reader.transferNumbers().order == 12)
    }

    @Test func `Those of one application are read in pages, newest first`() throws {
        var others = Self.session(2)
        others.application = "com.example.other"
        try write(.session(Self.session()), .session(others))
        for number in 1...30 as ClosedRange<Int64> {
            try write(
                .transfer(Self.transfer(number, session: number % 3 == 0 ? 1 : 2, number: UInt32(number))),
                turn: UInt64(number + 1))
        }
        for (application, expected) in [
            (nil, Array((1...30).reversed())), ("com.example.photos", stride(from: 30, to: 0, by: -3).map { $0 }),
            ("com.example.none", []),
        ] as [(String?, [Int64])] {
            var ids: [Int64] = []
            var before: Int64?
            repeat {
                let page = try store.history.transfers(
                    application: application, isOpen: false, before: before, limit: 4)
                #expect(page.elements.count <= 4)
                ids += page.elements.map(\.id)
                before = page.next
            } while before != nil
            #expect(ids == expected)
        }
        for id in 4...30 as ClosedRange<Int64> { try write(.transferDelivered(id), turn: UInt64(id + 50)) }
        for (application, expected) in [(nil, [3, 2, 1]), ("com.example.photos", [3])] as [(String?, [Int64])] {
            let open = try store.history.transfers(application: application, isOpen: true, before: nil, limit: 99)
            #expect(open.elements.map(\.id) == expected && open.next == nil)
        }
        let page = try SQLite(URL(filePath: folder.database)).column(
            "EXPLAIN QUERY PLAN \(History.pageQuery("id", true))", 3
        ).joined()
        #expect(page.contains("USING COVERING INDEX transfers_told") && !page.contains("TEMP B-TREE"), "\(page)")
        let plan = try SQLite(URL(filePath: folder.database)).column(
            "EXPLAIN QUERY PLAN \(History.openTransfersQuery)", 3
        ).joined()
        #expect(plan.contains("USING INDEX transfers_told"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }

    @Test func `Delivered transfers are forgotten by age and count, others never`() throws {
        try write(.session(Self.session()))
        for number in 1...20 as ClosedRange<Int64> {
            try write(
                .transfer(Self.transfer(number, number: UInt32(number))),
                .transferEnded(number, Self.end(number, at: number)), turn: UInt64(number + 1))
        }
        func left() throws -> [Int64] {
            try store.history.transfers(application: nil, before: nil, limit: 99).elements.map(\.id).reversed()
        }
        #expect(try store.prune(endedBefore: moment(1000), keepingNewest: 0) == 0)
        for number in 2...20 as ClosedRange<Int64> { try write(.transferDelivered(number), turn: UInt64(number + 30)) }
        #expect(try store.prune(endedBefore: moment(5), keepingNewest: 100) == 3)
        #expect(try left() == [1] + (5...20))
        #expect(try store.prune(endedBefore: moment(0), keepingNewest: 10) == 6)
        #expect(try left() == [1] + (11...20))
        #expect(try store.prune(endedBefore: moment(1000), keepingNewest: 100, limit: 4) == 4)
        #expect(try store.prune(beyond: ByteCount(bytes: 1)))
        #expect(try left() == [1])
        #expect(try !store.prune(beyond: ByteCount(bytes: 1)))
    }

    @Test func `A row that no version writes is said to be damaged`() throws {
        try write(.session(Self.session()), .transfer(Self.transfer()), .transferEnded(1, Self.end()))
        for damage in [
            "state = 99", "state = 5, kind = 0", "kind = 1, error = 7", "error = NULL, cancel_reason = 9",
            "cancel_reason = NULL, headers = x'05'", "headers = NULL, end_headers = x'0100'",
        ] {
            try store.database.execute("UPDATE transfers SET \(damage)")
            let error = #expect(throws: StoreError.self, "\(damage)") { try store.history.transfer(1) }
            #expect(error?.kind == .corrupt)
        }
    }

    /// Processor time, against that of as many runs that begin and end: seen as 3 to 4 times.
    @Test func `A thousand transfers are put, ended and delivered in the time of a few thousand runs`() throws {
        try write(.session(Self.session()))
        func cost(_ round: Int64, _ append: (Int64, inout TurnRecord) -> Void) throws -> Double {
            let start = processorTime
            for turn in 0..<10 as Range<Int64> {
                var record = TurnRecord(turn: UInt64(2 + round * 10 + turn))
                for number in 1...100 as ClosedRange<Int64> { append(round * 1000 + turn * 100 + number, &record) }
                try store.write(record)
            }
            return processorTime - start
        }
        let task = try store.taskRow(identifier: "com.example.photos.job", application: "com.example.photos")
        let runs = try cost(0) { number, record in
            record.append(
                .runBegan(
                    RunStart(id: sampleID(number), task: task, attempt: 1, submittedAt: moment(number)), waits: []))
            record.append(
                .runEnded(
                    RunEnd(id: sampleID(number), outcome: .succeeded, endedAt: moment(number + 1)), RunEvents()))
        }
        let transfers = try cost(1) { number, record in
            record.append(.transfer(Self.transfer(number, number: UInt32(number))))
            record.append(.transferEnded(number, Self.end(number)))
            record.append(.transferDelivered(number))
        }
        #expect(transfers < runs * 12, "\(transfers / 1e6) ms against \(runs / 1e6) ms")
    }
}
