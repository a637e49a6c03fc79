import TaskModel
import TestSupport
import Testing
import Wire

/// The bounds of the frames of background sessions.
struct SessionLimitTests {
    private static func refuses<Value>(
        _ frame: [UInt8], _ read: (inout FrameReader) throws(WireError) -> Value
    ) -> Bool {
        do {
            _ = try frame.withUnsafeBytes { bytes in
                var reader = FrameReader(body: bytes)
                return try read(&reader)
            }
            return false
        } catch { return error as? WireError == .badValue }
    }

    private static func request(_ change: (inout TransferRequest) -> Void) -> [UInt8] {
        var request = SessionSamples.plain
        change(&request)
        return CreateTransfer(session: 1, number: 1, request: request).frame() ?? []
    }

    @Test(arguments: [
        request { $0.url = String(repeating: "u", count: TransferLimit.url + 1) },
        request { $0.method = String(repeating: "M", count: 33) },
        request { $0.file = String(repeating: "f", count: TransferLimit.url + 1) },
        request { $0.priority = 1.01 }, request { $0.priority = -0.01 }, request { $0.priority = .nan },
        request { $0.sha256 = [1, 2, 3] }, request { $0.sha256 = Array(repeating: 0, count: 33) },
        request { $0.resumeData = Array(repeating: 0, count: TransferLimit.resumeData + 1) },
        CreateTransfer(session: 1, number: 0, request: SessionSamples.plain).frame() ?? [],
    ])
    func `A request with a value out of its range is refused`(_ frame: [UInt8]) {
        #expect(Self.refuses(frame) { (r) throws(WireError) in try CreateTransfer(from: &r) })
    }

    @Test func `A long text of a request is cut, and read`() throws {
        let frame = Self.request { $0.text = String(repeating: "半", count: TransferLimit.text) }
        let read = try frame.withUnsafeBytes { bytes in
            var reader = FrameReader(body: bytes)
            return try CreateTransfer(from: &reader)
        }
        #expect(read.request.text == String(repeating: "半", count: TransferLimit.text / 3))
    }

    @Test func `Sessions, changes and answers out of their range are refused`() {
        func open(_ identifier: String) -> [UInt8] {
            OpenSession(identifier: identifier, options: SessionOptions()).frame(callID: 1)
        }
        for frame in [open(""), open(String(repeating: "i", count: TransferLimit.identifier + 1))] {
            #expect(Self.refuses(frame) { (r) throws(WireError) in try OpenSession(from: &r) })
        }
        let change = ChangeTransfer(session: 1, number: 1, .resume).frame()
        for byte: UInt8 in [0, 9, 255] {
            let frame = change.replacing(FrameHeader.size + 8, with: byte)
            #expect(Self.refuses(frame) { (r) throws(WireError) in try ChangeTransfer(from: &r) })
        }
        let answer = AnswerTransfer(session: 1, number: 1, .cancel).frame() ?? []
        for byte: UInt8 in [0, 7] {
            let frame = answer.replacing(FrameHeader.size + 8, with: byte)
            #expect(Self.refuses(frame) { (r) throws(WireError) in try AnswerTransfer(from: &r) })
        }
        let command = SessionCommand(session: 1, .replay).frame()
        for byte: UInt8 in [0, 4] {
            let frame = command.replacing(FrameHeader.size + 4, with: byte)
            #expect(Self.refuses(frame) { (r) throws(WireError) in try SessionCommand(from: &r) })
        }
        let none = SessionEvents(identifier: "").frame(.sessionHandled)
        #expect(Self.refuses(none) { (r) throws(WireError) in try SessionEvents(from: &r) })
        let event = TransferEventFrame(session: 1, number: 1, sequence: 0, .delayed).frame()
        for byte: UInt8 in [0, 13] {
            let frame = event.replacing(FrameHeader.size + 16, with: byte)
            #expect(Self.refuses(frame) { (r) throws(WireError) in try TransferEventFrame(from: &r) })
        }
        let error = SessionOpened().frame(callID: 1).replacing(FrameHeader.size, with: 1)
        #expect(Self.refuses(error) { (r) throws(WireError) in try SessionOpened(from: &r) })
        var opened = SessionOpened().frame(callID: 1)
        opened[opened.count - 1] = 3
        #expect(Self.refuses(opened) { (r) throws(WireError) in try SessionOpened(from: &r) }, "no way to continue")
    }

    @Test func `No server puts an attempt off for longer than a week, whatever it says`() throws {
        var result = TransferResult(.interrupted, error: .resourceUnavailable)
        result.retryAfter = .max
        let report = try TransferReport.ended(result).frame(TransferHandle(index: 1, generation: 1)).withUnsafeBytes {
            var reader = FrameReader(body: $0)
            return try TransferReport(from: &reader, kind: .transferEnded)
        }
        result.retryAfter = TransferLimit.longestRetryAfter
        #expect(report == .ended(result))
    }

    @Test func `A frame of as many transfers as go into one fits, and so do a session and its commands`() {
        var opened = SessionOpened()
        opened.transfers = (1...UInt32(SessionOpened.batch)).map { .known($0, SessionSamples.full) }
        #expect(opened.frame(callID: 1).count <= FrameHeader.maximumFrame && !opened.frame(callID: 1).isEmpty)
        #expect(SessionSamples.opens[1].frame(callID: 1).count <= FrameHeader.longestFromWorker)
    }

    @Test func `An application is told of its transfer what it may know, and nothing of the host or of servers`() throws
    {
        var transfer = BackgroundTransfer(
            id: 7, session: 8, of: "com.example.app", "albums", number: 9, created: Timestamp(nanoseconds: 10),
            request: SessionSamples.plain, state: .asking, isFromBackground: true)
        transfer.progress.validator = "validator"
        transfer.progress.address = "192.0.2.7:443"
        transfer.progress.lastFault = "fault"
        (transfer.progress.received, transfer.progress.sent, transfer.progress.total) = (1, 2, 3)
        var told = BackgroundTransfer.known(9, SessionSamples.plain, received: 1, total: 3)
        told.progress.sent = 2
        func expectTold() throws {
            var answer = SessionOpened()
            answer.transfers = [transfer]
            let read = try answer.frame(callID: 1).withUnsafeBytes {
                var reader = FrameReader(body: $0)
                return try SessionOpened(from: &reader)
            }
            #expect(read.transfers == [told])
        }
        try expectTold()
        (transfer.isCanceling, told.isCanceling) = (true, true)
        try expectTold()
        (transfer.end, transfer.state) = (
            TransferEnd(at: Timestamp(nanoseconds: 11), order: 1, error: .cancelled), .ended
        )
        (told.isCanceling, told.state) = (false, .ended)
        try expectTold()
    }
}
