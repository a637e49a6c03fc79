package import TaskModel

/// The head of a `start` frame: everything of fixed size. The payload follows, then the settings override,
/// the concrete identifier, the title and the subtitle.
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

    package static let headSize = FrameHeader.size + 48

    package init(
        task: UInt32, attempt: UInt32, id: ULID, deadline: Instant, payloadLength: UInt32, settingsLength: UInt32,
        identifierLength: UInt16 = 0, titleLength: UInt16 = 0, subtitleLength: UInt16 = 0
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
    }

    /// The length of the whole frame.
    package var frameSize: Int { namesOffset + Int(identifierLength) + Int(titleLength) + Int(subtitleLength) }
    /// Where identifier, title and subtitle begin.
    package var namesOffset: Int { Self.headSize + Int(payloadLength) + Int(settingsLength) }

    /// The concrete identifier in a whole frame; empty when the task's applies.
    package func identifier(in frame: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: frame[namesOffset..<namesOffset + Int(identifierLength)])
    }

    /// Writes header and head; the caller appends payload, settings, identifier, title and subtitle after `headSize`.
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
        unsafe buffer.storeBytes(of: 0, toByteOffset: 62, as: UInt16.self)
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
            titleLength: load(58, UInt16.self), subtitleLength: load(60, UInt16.self))
        guard Int(identifierLength) <= ServiceLimits.identifier, Int(titleLength) <= ServiceLimits.title,
            Int(subtitleLength) <= ServiceLimits.title
        else { throw .badValue }
        guard frameSize == frame.count else { throw .truncated }
    }
}
