import TaskModel
import Testing
import Wire

/// Every frame says at the other end what was written.
struct RoundTripTests {
    @Test(arguments: Samples.all)
    func `A frame reads back as it was written`(_ sample: Sample) throws {
        try #require(sample.bytes.count >= FrameHeader.size)
        #expect(try sample.bytes.withUnsafeBytes { try sample.reads($0) })
    }

    @Test(arguments: Samples.all)
    func `A frame is read from any address`(_ sample: Sample) throws {
        for shift in 1..<8 {
            let moved = [UInt8](repeating: 0, count: shift) + sample.bytes
            #expect(try moved.withUnsafeBytes { try sample.reads(UnsafeRawBufferPointer(rebasing: $0[shift...])) })
        }
    }

    @Test(arguments: Samples.all)
    func `The header has the version and the whole length`(_ sample: Sample) throws {
        let header = try sample.bytes.withUnsafeBytes { try FrameHeader(reading: $0) }
        #expect(header.length == sample.bytes.count)
        #expect(FrameKind(rawValue: header.kind) != nil)
        #expect(sample.bytes[1] == FrameHeader.version)
    }

    @Test func `A header is sixteen bytes in little-endian order`() throws {
        var bytes = [UInt8](repeating: 0xAA, count: FrameHeader.size)
        let header = FrameHeader(
            kind: .completed, length: 16, run: RunHandle(index: 0x0102_0304, generation: 0x0506_0708))
        bytes.withUnsafeMutableBytes { header.write(to: $0) }
        #expect(bytes == [34, 1, 0, 0, 16, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5])
        #expect(try bytes.withUnsafeBytes { try FrameHeader(reading: $0) } == header)
    }

    @Test func `A completion is thirty-two bytes`() {
        let bytes = Samples.bytes(of: Completion(success: true, result: .unsigned(0x0102), automatic: false))
        #expect(
            bytes == [
                34, 1, 0, 0, 32, 0, 0, 0, 4, 3, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 1, 2, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0,
                0,
                0,
            ])
    }

    @Test func `A deferral is a completion of the kind two with its nanoseconds`() throws {
        let bytes = Samples.bytes(of: Completion(try #require(Deferral(.seconds(1)))))
        #expect(
            bytes == [
                34, 1, 0, 0, 32, 0, 0, 0, 4, 3, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xCA, 0x9A,
                0x3B,
                0, 0, 0, 0,
            ])
    }

    @Test(
        arguments: [(Double.nan, nil), (0, nil), (-1, nil), (0.999, nil), (604_800.001, nil), (.infinity, nil)]
            + [(1, 1_000), (1.5, 1_500), (604_800, 604_800_000)] as [(Double, Int64?)])
    func `A deferral is for one second to seven days`(_ seconds: Double, _ milliseconds: Int64?) {
        #expect(Deferral(seconds: seconds)?.pause == milliseconds.map(TimeSpan.milliseconds))
    }

    @Test func `A result that is not a number survives`() throws {
        let bytes = Samples.bytes(of: Completion(success: false, result: .real(.nan)))
        let completion = try bytes.withUnsafeBytes { try Completion(reading: $0) }
        guard case .real(let value) = completion.result else {
            Issue.record("the result is \(completion.result as Any)")
            return
        }
        #expect(value.isNaN)
    }

    @Test func `The numbers of the kinds are those of version one`() {
        let numbers: [FrameKind: UInt8] = [
            .task: 1, .start: 2, .expire: 3, .stateChanged: 4, .terminate: 5, .expireAssertions: 6,
            .submitted: 7, .pendingList: 8, .hosts: 9, .deadline: 10, .census: 11, .sessionOpened: 12,
            .transferEvent: 13, .sessionEvents: 14, .network: 15, .ready: 32, .refused: 33,
            .completed: 34, .unreported: 35, .progress: 36, .log: 37, .diagnostic: 38,
            .declined: 39, .confined: 40, .submitRequest: 41, .cancelRequests: 42, .pendingRequests: 43, .misuse: 44,
            .title: 45, .notification: 47, .crashing: 48, .counted: 49, .returned: 50, .assertionBegan: 51,
            .assertionEnded: 52, .fetchInterval: 53, .openSession: 54, .createTransfer: 55, .changeTransfer: 56,
            .answerTransfer: 57, .acknowledgeTransfer: 58, .sessionCommand: 59, .setAuthorization: 60,
            .sessionHandled: 61, .denied: 62, .watchNetwork: 63, .launch: 64, .preload: 65, .writable: 66,
            .launched: 96, .launchFailed: 97, .exited: 98,
            .transferOrder: 128, .stopTransfer: 129, .transferRate: 130, .observeTransfer: 131,
            .transferAnswered: 160, .transferProgress: 161, .transferDurable: 162, .uploadCreated: 163,
            .transferEnded: 164, .transferRefused: 165, .transferWhole: 166, .transferInformed: 167,
        ]
        let known = (UInt8.min...UInt8.max).compactMap { FrameKind(rawValue: $0) }
        #expect(known.count == numbers.count)
        for (kind, number) in numbers { #expect(kind.rawValue == number) }
    }

    @Test func `Every diagnostic has its own number and sentence`() {
        #expect(Set(DiagnosticCode.allCases.map(\.rawValue)).count == DiagnosticCode.allCases.count)
        #expect(Set(DiagnosticCode.allCases.map(\.sentence)).count == DiagnosticCode.allCases.count)
    }

    @Test(arguments: [0, 1])
    func `A frame may be as long as the limit and not longer`(_ excess: Int) {
        var frame = FrameWriter(.log)
        let length = FrameHeader.maximumFrame - FrameHeader.size - 4 + excess
        frame.blob(Array(repeating: 0, count: length))
        #expect((frame.finished() == nil) == (excess > 0))
    }

    @Test func `A run with the largest payload and settings as long as a manifest's fits a frame`() {
        let frame = StartFrame(
            task: 0, attempt: 1, id: ULID(high: 0, low: 0), deadline: .distantFuture,
            payloadLength: UInt32(FrameHeader.maximumPayload), settingsLength: UInt32(FrameHeader.maximumSettings))
        #expect(frame.frameSize <= FrameHeader.maximumFrame)
    }

    @Test func `Text that is not UTF-8 is repaired`() throws {
        let bytes = Samples.frame(.declined) { $0.blob([0x61, 0xFF, 0x62]) }
        let text = try bytes.withUnsafeBytes { frame in
            var reader = FrameReader(body: frame)
            return try reader.text()
        }
        #expect(text == "a\u{FFFD}b")
    }
}
