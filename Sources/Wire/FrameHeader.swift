package import TaskModel

/// The first 16 bytes of every frame, little-endian: kind, version, 2 reserved bytes, length of the whole frame, and
/// the run it is about (or a call ID, for frames about a worker; or zero).
package struct FrameHeader: Sendable, BitwiseCopyable, Equatable {
    package static let size = 16
    package static let version: UInt8 = 1
    /// Both sides refuse a longer frame: it must fit a default socket buffer (212,992 bytes), and contains the largest
    /// payload and settings of a run, with its names.
    package static let maximumFrame = Limit.frame.most
    /// A frame of a worker is not longer than this.
    package static let longestFromWorker = 8 << 10
    /// The largest payload a run may carry.
    package static let maximumPayload = Limit.payload.most
    /// The longest settings that a run may carry in place of the manifest's, as JSON text: as long as those may be.
    package static let maximumSettings = Limit.settings.most

    package var kind: UInt8
    package var length: UInt32
    package var run: RunHandle

    package init(kind: FrameKind, length: Int, run: RunHandle) {
        self.kind = kind.rawValue
        self.length = UInt32(length)
        self.run = run
    }

    /// Reads and checks the header of one whole received message.
    package init(reading frame: UnsafeRawBufferPointer) throws(WireError) {
        guard frame.count >= Self.size else { throw .truncated }
        guard unsafe frame[1] == Self.version else { throw unsafe .unknownVersion(frame[1]) }
        kind = unsafe frame[0]
        length = unsafe UInt32(littleEndian: frame.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        guard length == frame.count else { throw .truncated }
        run = unsafe RunHandle(
            index: UInt32(littleEndian: frame.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
            generation: UInt32(littleEndian: frame.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    }

    /// Writes the 16 bytes at the beginning of `buffer`.
    package func write(to buffer: UnsafeMutableRawBufferPointer) {
        unsafe buffer[0] = kind
        unsafe buffer[1] = Self.version
        unsafe buffer.storeBytes(of: 0, toByteOffset: 2, as: UInt16.self)
        unsafe buffer.storeBytes(of: length.littleEndian, toByteOffset: 4, as: UInt32.self)
        unsafe buffer.storeBytes(of: run.index.littleEndian, toByteOffset: 8, as: UInt32.self)
        unsafe buffer.storeBytes(of: run.generation.littleEndian, toByteOffset: 12, as: UInt32.self)
    }
}

/// Why a frame was not understood. Always the other side's fault; the receiver ends the conversation.
package enum WireError: Error, Equatable, Sendable {
    case truncated
    case unknownVersion(UInt8)
    case unknownKind(UInt8)
    case badValue
}
