import TaskModel

/// Ids are stored as 16 bytes, highest first, so that SQLite's byte order is theirs.
extension ULID {
    static let byteCount = 16

    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Writes the 16 bytes at the start of `buffer`.
    func writeBytes(to buffer: UnsafeMutableRawBufferPointer) {
        buffer.storeBytes(of: high.bigEndian, as: UInt64.self)
        buffer.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// When it was made, in milliseconds since 1970.
    var milliseconds: UInt64 { high >> 16 }
}

extension Statement {
    /// Copies the 16 bytes of an id.
    func bind(_ index: Int32, _ id: ULID) {
        withUnsafeTemporaryAllocation(byteCount: ULID.byteCount, alignment: 8) { buffer in
            id.writeBytes(to: buffer)
            bind(index, copying: UnsafeRawBufferPointer(buffer))
        }
    }

    func id(_ column: Int32) -> ULID? { withBytes(column) { ULID(bytes: $0) } }
}
