import TaskModel
import Testing
import Wire

/// The bounds of the frames of the scheduling services.
struct ServiceLimitTests {
    /// What a host takes from a worker with one message.
    private static let longestFromWorker = 8 << 10

    private static func decode<Value>(
        _ bytes: [UInt8], _ read: (inout FrameReader) throws(WireError) -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { frame in
            _ = try FrameHeader(reading: frame)
            var reader = FrameReader(body: frame)
            return try read(&reader)
        }
    }

    @Test func `The longest frames of a worker fit what a host takes from it`() {
        #expect(ServiceSamples.requests[3].frame(callID: 1).count <= Self.longestFromWorker)
        #expect(
            SentenceReport(sentence: String(repeating: "s", count: 9999)).frame(.misuse).count <= Self.longestFromWorker
        )
        #expect(ServiceSamples.assertions[1].frame().count <= Self.longestFromWorker)
    }

    @Test func `A list of many pending requests is split, and every frame fits`() throws {
        let requests = Array(repeating: ServiceSamples.requests[3], count: 2 * ServiceLimits.pending + 1)
        let frames = PendingList.frames(of: requests, callID: 9)
        let lists = try frames.map { try Self.decode($0) { (r) throws(WireError) in try PendingList(from: &r) } }
        #expect(lists.map(\.requests.count) == [ServiceLimits.pending, ServiceLimits.pending, 1])
        #expect(lists.map(\.more) == [true, true, false])
        #expect(frames.allSatisfy { $0.count <= FrameHeader.maximumFrame })
        #expect(PendingList.frames(of: [], callID: 9).count == 1)
    }

    @Test(arguments: [("a", 256), ("é", 128), ("半", 85), ("🦊", 64)])
    func `A long text is cut between characters`(_ letter: String, _ kept: Int) throws {
        for shift in 0..<4 {
            let text = String(repeating: "x", count: shift) + String(repeating: letter, count: 300)
            let frame = TitleReport(title: text, subtitle: "").frame(run: Samples.run)
            let read = try Self.decode(frame) { (r) throws(WireError) in try TitleReport(from: &r) }
            #expect(text.hasPrefix(read.title))
            #expect(!read.title.unicodeScalars.contains("\u{FFFD}"))
            if shift == 0 { #expect(read.title.count == kept) }
        }
    }

    /// A frame of an otherwise sound request with one field replaced.
    private static func request(
        identifier: Int = 3, kind: UInt8 = 1, flags: UInt8 = 0, title: Int = 0, subtitle: Int = 0
    ) -> [UInt8] {
        Samples.frame(.submitRequest) { frame in
            frame.text(String(repeating: "i", count: identifier))
            frame.integer(kind)
            frame.integer(flags)
            frame.integer(Int64(0))
            frame.integer(UInt32(0))
            frame.text(String(repeating: "t", count: title))
            frame.text(String(repeating: "s", count: subtitle))
        }
    }

    @Test(arguments: [
        request(identifier: 256), request(kind: 0), request(kind: 5), request(kind: 6), request(kind: 7),
        request(flags: 16), request(flags: 255),
        request(title: 257), request(subtitle: 257),
    ])
    func `A request with a value out of its range is refused`(_ frame: [UInt8]) {
        #expect(throws: WireError.badValue) {
            _ = try Self.decode(frame) { (r) throws(WireError) in try TaskRequest(from: &r) }
        }
    }

    @Test func `A request at its limits is read`() throws {
        let frame = Self.request(identifier: 255, kind: 4, flags: 15, title: 256, subtitle: 256)
        let request = try Self.decode(frame) { (r) throws(WireError) in try TaskRequest(from: &r) }
        #expect(request.terms.earliestBeginDate == Timestamp(nanoseconds: 0))
        #expect(request.terms.origin == .application)
    }

    @Test func `Answers and reports out of their range are refused`() {
        let long = String(repeating: "s", count: ServiceLimits.sentence + 1)
        let frames: [([UInt8], @Sendable (inout FrameReader) throws(WireError) -> Void)] = [
            (
                Samples.frame(.submitted) {
                    $0.integer(UInt32(5))
                    $0.text("")
                }, { (r) throws(WireError) in _ = try SubmissionReply(from: &r) }
            ),
            (
                Samples.frame(.submitted) {
                    $0.integer(UInt32(1))
                    $0.text(long)
                }, { (r) throws(WireError) in _ = try SubmissionReply(from: &r) }
            ),
            (
                Samples.frame(.notification) { $0.text(long) },
                { (r) throws(WireError) in _ = try SentenceReport(from: &r) }
            ),
            (Samples.frame(.misuse) { $0.text(long) }, { (r) throws(WireError) in _ = try SentenceReport(from: &r) }),
            (
                Samples.frame(.assertionBegan) {
                    $0.integer(UInt64(1))
                    $0.text(String(repeating: "n", count: OpenAssertion.maximumName + 1))
                    $0.integer(UInt32(0))
                }, { (r) throws(WireError) in _ = try AssertionBegan(from: &r) }
            ),
            (
                AssertionBegan(id: 0, name: "").frame(),
                { (r) throws(WireError) in _ = try AssertionBegan(from: &r) }
            ),
            (
                AssertionBegan(
                    id: 1, name: "",
                    frames: Array(repeating: CodePlace(module: "", offset: 0), count: OpenAssertion.maximumFrames + 1)
                ).frame(),
                { (r) throws(WireError) in _ = try AssertionBegan(from: &r) }
            ),
            (AssertionEnded(id: 0).frame(), { (r) throws(WireError) in _ = try AssertionEnded(from: &r) }),
            (
                Samples.frame(.fetchInterval) { $0.integer(Int64(-2)) },
                { (r) throws(WireError) in _ = try FetchInterval(from: &r) }
            ),
            (
                Samples.frame(.fetchInterval) { $0.integer(FetchInterval.most + 1) },
                { (r) throws(WireError) in _ = try FetchInterval(from: &r) }
            ),
            (
                Samples.frame(.stateChanged) {
                    $0.integer(UInt8(3))
                    $0.integer(UInt8(2))
                    $0.integer(UInt64(0))
                    $0.integer(Int64(-1))
                    $0.integer(UInt32(0))
                    $0.integer(UInt8(0))
                }, { (r) throws(WireError) in _ = try ApplicationStatus(from: &r) }
            ),
            (
                Samples.frame(.cancelRequests) { $0.text(String(repeating: "i", count: 256)) },
                { (r) throws(WireError) in _ = try CancelFrame(from: &r) }
            ),
            (
                Samples.frame(.stateChanged) {
                    $0.integer(UInt8(5))
                    $0.integer(UInt8(0))
                    $0.integer(UInt64(0))
                }, { (r) throws(WireError) in _ = try ApplicationStatus(from: &r) }
            ),
            (
                Samples.frame(.stateChanged) {
                    $0.integer(UInt8(0))
                    $0.integer(UInt8(3))
                    $0.integer(UInt64(0))
                }, { (r) throws(WireError) in _ = try ApplicationStatus(from: &r) }
            ),
        ]
        for (frame, read) in frames {
            #expect(throws: WireError.badValue) { try Self.decode(frame, read) }
        }
    }

    @Test(arguments: [(256, 0, 0, 0), (0, 257, 0, 0), (0, 0, 257, 0), (0, 0, 0, 56)])
    func `A start with names beyond their limits is refused`(
        _ identifier: Int, _ title: Int, _ subtitle: Int, _ trace: Int
    ) {
        let start = StartFrame(
            task: 0, attempt: 1, id: ULID(high: 0, low: 0), deadline: .distantFuture, payloadLength: 0,
            settingsLength: 0, identifierLength: UInt16(identifier), titleLength: UInt16(title),
            subtitleLength: UInt16(subtitle), traceLength: UInt8(trace))
        let bytes = Samples.bytes(of: start, rest: Array(repeating: 0x61, count: start.namesLength))
        #expect(throws: WireError.badValue) { try bytes.withUnsafeBytes { _ = try StartFrame(reading: $0) } }
    }

    @Test func `A run with the largest payload, settings and names fits a frame`() {
        let start = StartFrame(
            task: 0, attempt: 1, id: ULID(high: 0, low: 0), deadline: .distantFuture,
            payloadLength: UInt32(FrameHeader.maximumPayload), settingsLength: UInt32(FrameHeader.maximumSettings),
            identifierLength: 255,
            titleLength: 256, subtitleLength: 256, traceLength: 55)
        #expect(start.frameSize <= FrameHeader.maximumFrame)
    }

    @Test func `A callID travels in the place of a run`() throws {
        let bytes = PendingList.question(callID: 0x0102_0304)
        let header = try bytes.withUnsafeBytes { try FrameHeader(reading: $0) }
        #expect(header.run.callID == 0x0102_0304)
        #expect(header.kind == FrameKind.pendingRequests.rawValue)
    }
}
