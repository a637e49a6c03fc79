/// Distinguishes a file from others, and from its earlier contents: identity, size and modification time.
package struct FileMark: Hashable, Sendable, BitwiseCopyable {
    package var device: UInt64
    package var inode: UInt64
    package var size: Int64
    /// In nanoseconds since 1970.
    package var modified: Int64

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
    }

    /// Bytes that one takes in the record.
    package static let packedSize = 32

    /// Numbers of 64 bits, the least byte first, in no order of files.
    package static func pack(_ marks: Set<FileMark>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(marks.count * packedSize)
        for mark in marks {
            for number in [
                mark.device, mark.inode, UInt64(bitPattern: mark.size), UInt64(bitPattern: mark.modified),
            ] {
                for shift in stride(from: UInt64(0), to: 64, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: number >> shift))
                }
            }
        }
        return bytes
    }

    /// Reads what `pack` wrote; nil for anything else.
    package static func unpack(_ bytes: [UInt8]) -> Set<FileMark>? {
        guard bytes.count % packedSize == 0 else { return nil }
        var marks: Set<FileMark> = []
        for start in stride(from: 0, to: bytes.count, by: packedSize) {
            let numbers: [UInt64] = (0..<4).map { (place: Int) -> UInt64 in
                (0..<8).reduce(UInt64(0)) { (sum: UInt64, at: Int) -> UInt64 in
                    sum | UInt64(bytes[start + place * 8 + at]) << UInt64(at * 8)
                }
            }
            marks.insert(
                FileMark(
                    device: numbers[0], inode: numbers[1], size: Int64(bitPattern: numbers[2]),
                    modified: Int64(bitPattern: numbers[3])))
        }
        return marks
    }
}
