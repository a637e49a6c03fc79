/// A signed number in base 128: the lowest seven bits first, the sign in bit 0, so that small numbers take few bytes.
enum ZigZag {
    /// The size of the largest number.
    static let maximumSize = 10

    /// Writes the number and returns the number of bytes. There is room for `maximumSize` bytes.
    static func write(_ number: Int64, into buffer: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        var position = start
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        while rest >= 0x80 {
            unsafe buffer[position] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            position += 1
        }
        unsafe buffer[position] = UInt8(truncatingIfNeeded: rest)
        return position + 1 - start
    }

    /// Reads what `write` wrote and goes past it; nil for anything else.
    static func read(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int64? {
        var zigzag: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard position < bytes.count, shift < 64 else { return nil }
            let byte = unsafe bytes[position]
            zigzag |= UInt64(byte & 0x7F) << shift
            position += 1
            shift += 7
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }
}
