package import TaskModel

/// Builds one frame. Cold frames only; `start` and `completed` have writers of their own that allocate nothing.
package struct FrameWriter {
    package private(set) var bytes: [UInt8]

    package init(_ kind: FrameKind, run: RunHandle = RunHandle(index: 0, generation: 0)) {
        bytes = [UInt8](repeating: 0, count: FrameHeader.size)
        bytes.reserveCapacity(256)
        unsafe bytes.withUnsafeMutableBytes { unsafe FrameHeader(kind: kind, length: 0, run: run).write(to: $0) }
    }

    package mutating func integer<T: FixedWidthInteger>(_ value: T) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    /// A length in 32 bits, then the bytes.
    package mutating func blob(_ value: some Collection<UInt8>) {
        integer(UInt32(value.count))
        bytes.append(contentsOf: value)
    }
    package mutating func text(_ value: String) { blob(value.utf8) }
    /// At most `most` bytes of it, cut between two characters' codes.
    package mutating func text(_ value: String, most: Int) {
        guard value.utf8.count > most else { return text(value) }
        var end = value.utf8.index(value.utf8.startIndex, offsetBy: most)
        while UTF8.isContinuation(value.utf8[end]) { end = value.utf8.index(before: end) }
        blob(value.utf8[..<end])
    }
    package mutating func write<each Part: FramePart>(_ part: repeat each Part) {
        repeat (each part).write(to: &self)
    }
    /// At most eight bits in one byte, the lowest first.
    mutating func flags(_ flags: Bool...) {
        integer(flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << $1.offset : 0) })
    }

    /// The finished frame, its length filled in; nil when it is longer than a frame may be.
    package consuming func finished() -> [UInt8]? {
        guard bytes.count <= FrameHeader.maximumFrame else { return nil }
        let length = UInt32(bytes.count).littleEndian
        unsafe bytes.withUnsafeMutableBytes { unsafe $0.storeBytes(of: length, toByteOffset: 4, as: UInt32.self) }
        return bytes
    }
}
