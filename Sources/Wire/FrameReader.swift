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
    /// The next parts, in the order of the types that are asked for.
    package mutating func read<each Part: FramePart>() throws(WireError) -> (repeat each Part) {
        (repeat try (each Part)(partOf: &self))
    }
    /// How many elements follow, each of at least one byte.
    mutating func elementCount() throws(WireError) -> Int {
        let count = Int(try integer(UInt32.self))
        guard unsafe count <= frame.count - offset else { throw .truncated }
        return count
    }
    /// A number of at least 0.
    mutating func size() throws(WireError) -> Int64 {
        let number: Int64 = try integer()
        guard number >= 0 else { throw .badValue }
        return number
    }
    /// The bits of one byte, the lowest first; a bit beyond `count` is refused.
    mutating func flags(_ count: Int) throws(WireError) -> [Bool] {
        let flags = try integer(UInt8.self)
        guard Int(flags) < 1 << count else { throw .badValue }
        return (0..<count).map { flags & 1 << $0 != 0 }
    }
    /// Throws unless the whole frame was read.
    package func end() throws(WireError) {
        guard unsafe offset == frame.count else { throw .badValue }
    }
}
