import Glibc

/// The checksum that a manifest pins a library by.
package enum FileDigest {
    /// Bytes that are read at once.
    private static let portion = 256 << 10

    /// SHA-256 of an open file's whole content, from its start, 32 bytes. The descriptor's offset stays.
    package static func sha256(of descriptor: Int32) throws(SystemError) -> [UInt8] {
        var state = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: portion, alignment: 64)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = try fill(buffer, from: descriptor, at: offset)
            offset += count
            let whole = count / SHA256.blockSize * SHA256.blockSize
            state.update(blocks: UnsafeRawBufferPointer(rebasing: buffer[..<whole]))
            // Only the last portion is not full.
            if count < portion { return state.finished(tail: UnsafeRawBufferPointer(rebasing: buffer[whole..<count])) }
        }
    }

    /// Reads until the buffer is full or the file ends.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
    ) throws(SystemError) -> Int {
        var count = 0
        while count < buffer.count {
            let part = pread(
                descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(offset + count))
            if part < 0 && errno == EINTR { continue }
            guard part >= 0 else { throw SystemError("read", code: errno) }
            if part == 0 { break }
            count += part
        }
        return count
    }

    /// As a manifest spells it: 64 hexadecimal digits.
    package static func text(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
