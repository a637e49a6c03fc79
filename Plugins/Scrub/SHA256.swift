import CCrypto

/// SHA-256 over whole 64-byte blocks, and a tail at the end, by OpenSSL, which uses the processor's instructions for it.
/// A value: copy it to keep a state.
struct SHA256 {
    static let blockSize = 64

    private var context = SHA256_CTX()
    /// Bytes taken in.
    private(set) var length: UInt64 = 0

    init() { SHA256_Init(&context) }

    /// Takes in `blocks`, whose length is a multiple of 64.
    mutating func update(blocks: UnsafeRawBufferPointer) {
        precondition(blocks.count % Self.blockSize == 0, "only whole blocks come before the tail")
        SHA256_Update(&context, blocks.baseAddress, blocks.count)
        length &+= UInt64(blocks.count)
    }

    /// The checksum of all that was taken in, followed by `tail` of any length. 32 bytes.
    func finished(tail: UnsafeRawBufferPointer) -> [UInt8] {
        var last = context
        SHA256_Update(&last, tail.baseAddress, tail.count)
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            SHA256_Final(digest.baseAddress, &last)
            count = digest.count
        }
    }

    /// The state after whole blocks, to be kept and taken up again by `init(resuming:)`. 40 bytes.
    var saved: [UInt8] {
        withUnsafeBytes(of: context.h) { words in
            words.bindMemory(to: UInt32.self).flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
        } + withUnsafeBytes(of: length.littleEndian, Array.init)
    }

    /// Takes up a state that `saved` gave; nil when `saved` is not one.
    init?(resuming saved: [UInt8]) {
        guard saved.count == 40 else { return nil }
        length = saved[32...].reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
        guard length % UInt64(Self.blockSize) == 0 else { return nil }
        SHA256_Init(&context)
        withUnsafeMutableBytes(of: &context.h) { words in
            saved.withUnsafeBytes { saved in
                for offset in stride(from: 0, to: 32, by: 4) {
                    let word = saved.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    words.storeBytes(of: UInt32(bigEndian: word), toByteOffset: offset, as: UInt32.self)
                }
            }
        }
        // Its own count is in bits.
        context.Nl = UInt32(truncatingIfNeeded: length &<< 3)
        context.Nh = UInt32(truncatingIfNeeded: length &>> 29)
    }
}
