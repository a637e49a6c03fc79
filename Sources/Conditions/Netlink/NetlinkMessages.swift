/// The messages of one netlink datagram, and the attributes of one message (netlink(7), rtnetlink(7)).
///
/// Lengths come from outside: what does not fit is the end. Numbers are in the machine's byte order.
enum NetlinkMessages {
    static let headerSize = 16

    struct Header {
        var type: UInt16
        var flags: UInt16
        var sequence: UInt32
        var port: UInt32
        /// Of the body, behind the header.
        var body: Range<Int>
    }

    static let done: UInt16 = 3  // NLMSG_DONE
    static let error: UInt16 = 2  // NLMSG_ERROR
    static let dumpInterrupted: UInt16 = 0x10  // NLM_F_DUMP_INTR

    /// A message to the kernel.
    static func message(_ type: UInt16, flags: UInt16, sequence: UInt32, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(UInt32(headerSize + body.count), to: &bytes)
        append(type, to: &bytes)
        append(flags, to: &bytes)
        append(sequence, to: &bytes)
        append(UInt32(0), to: &bytes)
        return bytes + body
    }

    static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Calls `body` for each message.
    static func forEach(in bytes: RawSpan, _ body: (Header) -> Void) {
        var start = 0
        while bytes.byteCount - start >= headerSize {
            let length = Int(bytes.u32(at: start))
            guard length >= headerSize, length <= bytes.byteCount - start else { return }
            body(
                Header(
                    type: bytes.u16(at: start + 4), flags: bytes.u16(at: start + 6), sequence: bytes.u32(at: start + 8),
                    port: bytes.u32(at: start + 12), body: start + headerSize..<start + length))
            start += (length + 3) & ~3
        }
    }

    /// Calls `body` with type and value's range of each attribute in `range`.
    static func forEachAttribute(in bytes: RawSpan, _ range: Range<Int>, _ body: (UInt16, Range<Int>) -> Void) {
        var start = range.lowerBound
        while range.upperBound - start >= 4 {
            let length = Int(bytes.u16(at: start))
            guard length >= 4, length <= range.upperBound - start else { return }
            // The two high bits are marks: nested, network byte order.
            body(bytes.u16(at: start + 2) & 0x3fff, start + 4..<start + length)
            start += (length + 3) & ~3
        }
    }
}

extension RawSpan {
    /// The two bytes at `offset`, which the caller has checked.
    func u16(at offset: Int) -> UInt16 { unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self) }
    func u32(at offset: Int) -> UInt32 { unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    func u8(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
