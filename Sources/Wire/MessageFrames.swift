/// The frames of a message that holds several, one behind the other, as host and transfer process write them.
package struct MessageFrames {
    /// Whole frames, of the lengths that their headers tell.
    package private(set) var frames: [UnsafeRawBufferPointer] = []

    /// - Parameter message: has to outlive the frames.
    /// - Throws: when it is no row of frames.
    package init(_ message: UnsafeRawBufferPointer) throws(WireError) {
        var rest = message[...]
        while !rest.isEmpty {
            guard rest.count >= FrameHeader.size else { throw .truncated }
            let length = UInt32(
                littleEndian: message.loadUnaligned(fromByteOffset: rest.startIndex + 4, as: UInt32.self))
            guard length >= FrameHeader.size, Int(length) <= rest.count else { throw .truncated }
            frames.append(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
    }
}
