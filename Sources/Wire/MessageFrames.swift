/// The frames of a message with several, one after another, as host and transfer process write them.
// Its frames are parts of the message, which the caller keeps.
@safe package struct MessageFrames {
    /// Whole frames, with the lengths of their headers.
    package private(set) var frames: [UnsafeRawBufferPointer] = unsafe []

    /// - Parameter message: must outlive the frames.
    /// - Throws: when it is not a sequence of frames.
    package init(_ message: UnsafeRawBufferPointer) throws(WireError) {
        var rest = unsafe message[...]
        while unsafe !rest.isEmpty {
            guard unsafe rest.count >= FrameHeader.size else { throw .truncated }
            let length = unsafe UInt32(
                littleEndian: message.loadUnaligned(fromByteOffset: rest.startIndex + 4, as: UInt32.self))
            guard length >= FrameHeader.size, unsafe Int(length) <= rest.count else { throw .truncated }
            unsafe frames.append(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length))))
            unsafe rest = rest.dropFirst(Int(length))
        }
    }

    /// Hands each frame of a message to `body`, whose reader is good within it alone.
    package static func read(
        _ message: ArraySlice<UInt8>, _ body: (FrameHeader, inout FrameReader) throws(WireError) -> Void
    ) throws(WireError) {
        try unsafe message.span.bytes.withUnsafeBytes { message throws(WireError) in
            let frames = try unsafe MessageFrames(message).frames
            for place in unsafe frames.indices {
                let frame = unsafe frames[place]
                var reader = unsafe FrameReader(body: frame)
                try body(try unsafe FrameHeader(reading: frame), &reader)
            }
        }
    }
}
