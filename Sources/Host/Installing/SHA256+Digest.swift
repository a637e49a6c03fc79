extension SHA256 {
    /// The digest of a whole file's content, 32 bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var state = SHA256()
        let whole = bytes.count / blockSize * blockSize
        return bytes.withUnsafeBytes { content in
            state.update(blocks: UnsafeRawBufferPointer(rebasing: content[..<whole]))
            return state.finished(tail: UnsafeRawBufferPointer(rebasing: content[whole...]))
        }
    }

    /// As a manifest spells it: 64 hexadecimal digits.
    static func text(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
