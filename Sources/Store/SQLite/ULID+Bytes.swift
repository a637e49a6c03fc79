import TaskModel

/// Ids are stored as 16 bytes, highest first, so that SQLite's byte order is theirs.
extension ULID {
    static let byteCount = 16

    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        unsafe self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    var bytes: [UInt8] { unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Array($0) } }

    /// Writes the 16 bytes at the start of `buffer`.
    func writeBytes(to buffer: UnsafeMutableRawBufferPointer) {
        unsafe buffer.storeBytes(of: high.bigEndian, as: UInt64.self)
        unsafe buffer.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
}

extension Statement {
    func id(_ column: Int32) -> ULID? { unsafe withBytes(column) { unsafe ULID(bytes: $0) } }
}
