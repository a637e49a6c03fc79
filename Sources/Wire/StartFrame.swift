package import TaskModel

/// The head of a `start` frame: everything of fixed size. The payload follows, then the settings override,
/// the concrete identifier, the title, the subtitle, the place in a trace and the key of a claim, and 4 bytes for each descriptor
/// that comes along: the number that it gets in the worker.
package struct StartFrame: Sendable, Equatable, BitwiseCopyable {
    package var task: UInt32
    package var attempt: UInt32
    package var id: ULID
    /// End of the budget.
    package var deadline: Instant
    package var payloadLength: UInt32
    /// 0: the settings of the manifest hold.
    package var settingsLength: UInt32
    /// 0: the task's identifier applies. Otherwise the task's is a wildcard and this run has its own.
    package var identifierLength: UInt16
    /// Title and subtitle of a continued-processing run.
    package var titleLength: UInt16
    package var subtitleLength: UInt16
    /// Descriptors that come along: the task's secrets.
    package var secretCount: UInt8
    /// 0: no traces are made. Otherwise that of a `traceparent`.
    package var traceLength: UInt8
    /// 0: the request is the host's own. Otherwise the number of the claim of a fleet's request, whose key comes along.
    package var claimNumber: Int64

    package static let headSize = FrameHeader.size + 56
    /// Of a claimed request's key, as text.
    package static let claimKeyLength = 26

    package init(
        task: UInt32, attempt: UInt32, id: ULID, deadline: Instant, payloadLength: UInt32, settingsLength: UInt32,
        identifierLength: UInt16 = 0, titleLength: UInt16 = 0, subtitleLength: UInt16 = 0, secretCount: UInt8 = 0,
        traceLength: UInt8 = 0, claimNumber: Int64 = 0
    ) {
        self.task = task
        self.attempt = attempt
        self.id = id
        self.deadline = deadline
        self.payloadLength = payloadLength
        self.settingsLength = settingsLength
        self.identifierLength = identifierLength
        self.titleLength = titleLength
        self.subtitleLength = subtitleLength
        self.secretCount = secretCount
        self.traceLength = traceLength
        self.claimNumber = claimNumber
    }

    /// The length of the whole frame.
    package var frameSize: Int { secretsOffset + MemoryLayout<Int32>.size * Int(secretCount) }
    private var secretsOffset: Int { namesOffset + namesLength }
    /// Of the claimed request's key; 0: there is none.
    package var claimKeyLength: Int { claimNumber == 0 ? 0 : Self.claimKeyLength }
    /// Of identifier, title, subtitle, place in a trace and key.
    package var namesLength: Int {
        Int(identifierLength) + Int(titleLength) + Int(subtitleLength) + Int(traceLength) + claimKeyLength
    }
    /// Where they begin.
    package var namesOffset: Int { Self.headSize + Int(payloadLength) + Int(settingsLength) }

    /// The concrete identifier in a whole frame; empty when the task's applies.
    package func identifier(in frame: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: frame[namesOffset..<namesOffset + Int(identifierLength)])
    }

    /// Writes the numbers that its descriptors got here into a whole frame; false: it is no frame that they came with.
    package static func adopt(_ descriptors: [Int32], into frame: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = try? unsafe StartFrame(reading: UnsafeRawBufferPointer(frame)),
            unsafe frame[0] == FrameKind.start.rawValue, Int(start.secretCount) == descriptors.count
        else { return false }
        for (place, number) in descriptors.enumerated() {
            unsafe frame.storeBytes(of: number, toByteOffset: start.secretsOffset + 4 * place, as: Int32.self)
        }
        return true
    }

    /// The numbers of its descriptors in a whole frame that has adopted them.
    package func secrets(in frame: UnsafeRawBufferPointer) -> [Int32] {
        (0..<Int(secretCount)).map { place in
            unsafe frame.loadUnaligned(fromByteOffset: secretsOffset + 4 * place, as: Int32.self)
        }
    }

    /// Writes header and head; the caller appends payload, settings and names after `headSize`.
    package func write(run: RunHandle, to buffer: UnsafeMutableRawBufferPointer) {
        unsafe FrameHeader(kind: .start, length: frameSize, run: run).write(to: buffer)
        unsafe buffer.storeBytes(of: task.littleEndian, toByteOffset: 16, as: UInt32.self)
        unsafe buffer.storeBytes(of: attempt.littleEndian, toByteOffset: 20, as: UInt32.self)
        unsafe buffer.storeBytes(of: id.high.littleEndian, toByteOffset: 24, as: UInt64.self)
        unsafe buffer.storeBytes(of: id.low.littleEndian, toByteOffset: 32, as: UInt64.self)
        unsafe buffer.storeBytes(of: deadline.nanoseconds.littleEndian, toByteOffset: 40, as: UInt64.self)
        unsafe buffer.storeBytes(of: payloadLength.littleEndian, toByteOffset: 48, as: UInt32.self)
        unsafe buffer.storeBytes(of: settingsLength.littleEndian, toByteOffset: 52, as: UInt32.self)
        unsafe buffer.storeBytes(of: identifierLength.littleEndian, toByteOffset: 56, as: UInt16.self)
        unsafe buffer.storeBytes(of: titleLength.littleEndian, toByteOffset: 58, as: UInt16.self)
        unsafe buffer.storeBytes(of: subtitleLength.littleEndian, toByteOffset: 60, as: UInt16.self)
        unsafe buffer.storeBytes(of: secretCount, toByteOffset: 62, as: UInt8.self)
        unsafe buffer.storeBytes(of: traceLength, toByteOffset: 63, as: UInt8.self)
        unsafe buffer.storeBytes(of: claimNumber.littleEndian, toByteOffset: 64, as: Int64.self)
    }

    package init(reading frame: UnsafeRawBufferPointer) throws(WireError) {
        guard frame.count >= Self.headSize else { throw .truncated }
        func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: T.Type) -> T {
            unsafe T(littleEndian: frame.loadUnaligned(fromByteOffset: offset, as: type))
        }
        self.init(
            task: load(16, UInt32.self), attempt: load(20, UInt32.self),
            id: ULID(high: load(24, UInt64.self), low: load(32, UInt64.self)),
            deadline: Instant(nanoseconds: load(40, UInt64.self)), payloadLength: load(48, UInt32.self),
            settingsLength: load(52, UInt32.self), identifierLength: load(56, UInt16.self),
            titleLength: load(58, UInt16.self), subtitleLength: load(60, UInt16.self),
            secretCount: load(62, UInt8.self), traceLength: load(63, UInt8.self),
            claimNumber: load(64, Int64.self))
        guard Int(identifierLength) <= ServiceLimits.identifier, Int(titleLength) <= ServiceLimits.title,
            Int(subtitleLength) <= ServiceLimits.title, Int(traceLength) <= TraceIdentity.traceparentLength,
            claimNumber >= 0
        else { throw .badValue }
        guard frameSize == frame.count else { throw .truncated }
    }
}
