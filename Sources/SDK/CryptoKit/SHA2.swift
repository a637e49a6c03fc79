internal import CCryptoKit

/// SHA-256.
public struct SHA256: HashFunction {
    /// Its digest.
    public typealias Digest = SHA256Digest
    private var state = HashState(TASKHOST_CRYPTO_SHA256)

    /// 64.
    public static var blockByteCount: Int { 64 }
    /// The length of the digest: 32.
    public static var byteCount: Int { SHA256Digest.byteCount }
    /// Starts with nothing.
    public init() {}
    /// Takes in bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }
    /// The digest of all bytes that came so far. More may follow.
    public func finalize() -> SHA256Digest { SHA256Digest(bytes: state.digest()) }
}

/// SHA-384.
public struct SHA384: HashFunction {
    /// Its digest.
    public typealias Digest = SHA384Digest
    private var state = HashState(TASKHOST_CRYPTO_SHA384)

    /// 128.
    public static var blockByteCount: Int { 128 }
    /// The length of the digest: 48.
    public static var byteCount: Int { SHA384Digest.byteCount }
    /// Starts with nothing.
    public init() {}
    /// Takes in bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }
    /// The digest of all bytes that came so far. More may follow.
    public func finalize() -> SHA384Digest { SHA384Digest(bytes: state.digest()) }
}

/// SHA-512.
public struct SHA512: HashFunction {
    /// Its digest.
    public typealias Digest = SHA512Digest
    private var state = HashState(TASKHOST_CRYPTO_SHA512)

    /// 128.
    public static var blockByteCount: Int { 128 }
    /// The length of the digest: 64.
    public static var byteCount: Int { SHA512Digest.byteCount }
    /// Starts with nothing.
    public init() {}
    /// Takes in bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }
    /// The digest of all bytes that came so far. More may follow.
    public func finalize() -> SHA512Digest { SHA512Digest(bytes: state.digest()) }
}
