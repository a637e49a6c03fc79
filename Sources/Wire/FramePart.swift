package import TaskModel

/// A value in the body of a frame. Numbers are little-endian, of their own width; texts, bytes and lists begin with their
/// count in 32 bits.
package protocol FramePart {
    func write(to frame: inout FrameWriter)
    /// - Throws: when the frame ends too early, or when what it has is no such value.
    init(partOf frame: inout FrameReader) throws(WireError)
}

extension FixedWidthInteger where Self: BitwiseCopyable {
    package func write(to frame: inout FrameWriter) { frame.integer(self) }
    package init(partOf frame: inout FrameReader) throws(WireError) { self = try frame.integer() }
}

extension UInt8: FramePart {}
extension UInt16: FramePart {}
extension UInt32: FramePart {}
extension UInt64: FramePart {}
extension Int32: FramePart {}
extension Int64: FramePart {}

extension Bool: FramePart {
    package func write(to frame: inout FrameWriter) { frame.integer(UInt8(self ? 1 : 0)) }
    package init(partOf frame: inout FrameReader) throws(WireError) {
        let byte = try frame.integer(UInt8.self)
        guard byte <= 1 else { throw .badValue }
        self = byte == 1
    }
}

extension Double: FramePart {
    package func write(to frame: inout FrameWriter) { frame.integer(bitPattern) }
    package init(partOf frame: inout FrameReader) throws(WireError) { self.init(bitPattern: try frame.integer()) }
}

/// A count that may be unknown: a negative number is none.
extension Int64?: FramePart {
    package func write(to frame: inout FrameWriter) { frame.integer(self ?? -1) }
    package init(partOf frame: inout FrameReader) throws(WireError) {
        let number: Int64 = try frame.integer()
        self = number < 0 ? nil : number
    }
}

/// Text for display: what is not UTF-8 is repaired.
extension String: FramePart {
    package func write(to frame: inout FrameWriter) { frame.blob(utf8) }
    package init(partOf frame: inout FrameReader) throws(WireError) { self = try frame.text() }
}

extension Array: FramePart where Element: FramePart {
    package func write(to frame: inout FrameWriter) {
        frame.integer(UInt32(count))
        for element in self { element.write(to: &frame) }
    }
    package init(partOf frame: inout FrameReader) throws(WireError) {
        // An element has a byte at least.
        let count = try frame.elementCount()
        self.init()
        reserveCapacity(count)
        for _ in 0..<count { append(try frame.read()) }
    }
}

extension FramePart where Self: RawRepresentable, RawValue: FramePart {
    package func write(to frame: inout FrameWriter) { rawValue.write(to: &frame) }
    package init(partOf frame: inout FrameReader) throws(WireError) {
        guard let value = Self(rawValue: try frame.read()) else { throw .badValue }
        self = value
    }
}

extension ApplicationState: FramePart {}
extension NetworkAccess: FramePart {}
extension BackgroundRefreshStatus: FramePart {}
extension BackgroundTransfer.Standing: FramePart {}
extension Callback: FramePart {}
extension Comparison: FramePart {}
extension SessionCommand.Command: FramePart {}
extension TaskKind: FramePart {}
extension TransferChallenge.Method: FramePart {}
extension TransferKind: FramePart {}
extension TransferOrder.Upload: FramePart {}
extension TransferResult.Kind: FramePart {}
extension ValueType: FramePart {}
extension WorkerCount.Changes: FramePart {}

extension Instant: FramePart {
    package func write(to frame: inout FrameWriter) { frame.integer(nanoseconds) }
    package init(partOf frame: inout FrameReader) throws(WireError) { self.init(nanoseconds: try frame.integer()) }
}

/// A span of at least 0.
extension TimeSpan: FramePart {
    package func write(to frame: inout FrameWriter) { frame.integer(nanoseconds) }
    package init(partOf frame: inout FrameReader) throws(WireError) { self.init(nanoseconds: try frame.size()) }
}
