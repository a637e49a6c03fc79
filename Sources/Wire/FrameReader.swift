/// Reads the body of one received frame, front to back. Every read is checked against the end.
// The frame outlives its reader, and each load is within it.
@safe package struct FrameReader {
    let frame: UnsafeRawBufferPointer
    private var offset: Int

    /// - Parameter frame: a whole message whose header was read already; must outlive the reader.
    package init(body frame: UnsafeRawBufferPointer) {
        unsafe self.frame = frame
        offset = FrameHeader.size
    }

    /// Of the whole frame, in bytes.
    package var length: Int { unsafe frame.count }

    package mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) throws(WireError)
        -> T
    {
        guard unsafe frame.count - offset >= MemoryLayout<T>.size else { throw .truncated }
        defer { offset += MemoryLayout<T>.size }
        return unsafe T(littleEndian: frame.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
    package mutating func flag() throws(WireError) -> Bool {
        let byte = try integer(UInt8.self)
        guard byte <= 1 else { throw .badValue }
        return byte == 1
    }
    /// Borrowed: valid as long as the frame's buffer.
    package mutating func bytes() throws(WireError) -> UnsafeRawBufferPointer {
        let count = Int(try integer(UInt32.self))
        guard unsafe frame.count - offset >= count else { throw .truncated }
        defer { offset += count }
        return unsafe UnsafeRawBufferPointer(rebasing: frame[offset..<offset + count])
    }
    package mutating func blob() throws(WireError) -> [UInt8] { unsafe Array(try bytes()) }
    /// Repairs text that is not UTF-8: it is for display.
    package mutating func text() throws(WireError) -> String { unsafe String(decoding: try bytes(), as: UTF8.self) }
    /// A text of at most `most` bytes, both as received and once repaired: text that is not UTF-8 becomes longer.
    package mutating func text(most: Int) throws(WireError) -> String {
        let bytes = try unsafe bytes()
        guard bytes.count <= most else { throw .badValue }
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        guard text.utf8.count <= most else { throw .badValue }
        return text
    }
    package mutating func list<Element>(
        _ read: (inout FrameReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        let count = Int(try integer(UInt32.self))
        guard unsafe count <= frame.count - offset else { throw .truncated }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
    /// Throws unless the whole frame was read.
    package func end() throws(WireError) {
        guard unsafe offset == frame.count else { throw .badValue }
    }
}
