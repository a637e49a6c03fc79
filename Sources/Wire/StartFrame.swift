package import TaskModel

/// The head of a `start` frame: everything of fixed size. The payload follows, then the settings override.
package struct StartFrame: Sendable, Equatable, BitwiseCopyable {
    package var task: UInt32
    package var attempt: UInt32
    package var id: ULID
    /// End of the budget.
    package var deadline: Instant
    package var payloadLength: UInt32
    /// 0: the settings of the manifest hold.
    package var settingsLength: UInt32

    package static let headSize = FrameHeader.size + 40

    package init(
        task: UInt32, attempt: UInt32, id: ULID, deadline: Instant, payloadLength: UInt32, settingsLength: UInt32
    ) {
        self.task = task
        self.attempt = attempt
        self.id = id
        self.deadline = deadline
        self.payloadLength = payloadLength
        self.settingsLength = settingsLength
    }

    /// The length of the whole frame.
    package var frameSize: Int { Self.headSize + Int(payloadLength) + Int(settingsLength) }

    /// Writes header and head; the caller appends payload and settings after `headSize`.
    package func write(run: RunHandle, to buffer: UnsafeMutableRawBufferPointer) {
        FrameHeader(kind: .start, length: frameSize, run: run).write(to: buffer)
        buffer.storeBytes(of: task.littleEndian, toByteOffset: 16, as: UInt32.self)
        buffer.storeBytes(of: attempt.littleEndian, toByteOffset: 20, as: UInt32.self)
        buffer.storeBytes(of: id.high.littleEndian, toByteOffset: 24, as: UInt64.self)
        buffer.storeBytes(of: id.low.littleEndian, toByteOffset: 32, as: UInt64.self)
        buffer.storeBytes(of: deadline.nanoseconds.littleEndian, toByteOffset: 40, as: UInt64.self)
        buffer.storeBytes(of: payloadLength.littleEndian, toByteOffset: 48, as: UInt32.self)
        buffer.storeBytes(of: settingsLength.littleEndian, toByteOffset: 52, as: UInt32.self)
    }

    package init(reading frame: UnsafeRawBufferPointer) throws(WireError) {
        guard frame.count >= Self.headSize else { throw .truncated }
        func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: T.Type) -> T {
            T(littleEndian: frame.loadUnaligned(fromByteOffset: offset, as: type))
        }
        self.init(
            task: load(16, UInt32.self), attempt: load(20, UInt32.self),
            id: ULID(high: load(24, UInt64.self), low: load(32, UInt64.self)),
            deadline: Instant(nanoseconds: load(40, UInt64.self)), payloadLength: load(48, UInt32.self),
            settingsLength: load(52, UInt32.self))
        guard frameSize == frame.count else { throw .truncated }
    }
}
