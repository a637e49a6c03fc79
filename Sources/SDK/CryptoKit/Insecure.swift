internal import CCryptoKit

/// Hash functions that protect nothing any more, for formats that need them.
public enum Insecure {
    /// The digest of MD5.
    public struct MD5Digest: Digest {
        let bytes: InlineArray<16, UInt8>

        /// 16.
        public static var byteCount: Int { 16 }

        /// Calls the closure with the bytes.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try unsafe Swift.withUnsafeBytes(of: bytes, body)
        }

        /// `MD5 digest: ` and the bytes in hexadecimal digits.
        public var description: String { "MD5 digest: \(hexadecimal)" }
    }

    /// MD5.
    public struct MD5: HashFunction {
        /// Its digest.
        public typealias Digest = MD5Digest
        private var state = HashState(TASKHOST_CRYPTO_MD5)

        /// 64.
        public static var blockByteCount: Int { 64 }
        /// The length of the digest: 16.
        public static var byteCount: Int { MD5Digest.byteCount }
        /// Starts with nothing.
        public init() {}
        /// Takes in bytes.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }
        /// The digest of all bytes that came so far. More may follow.
        public func finalize() -> MD5Digest { MD5Digest(bytes: state.digest()) }
    }

    /// The digest of SHA-1.
    public struct SHA1Digest: Digest {
        let bytes: InlineArray<20, UInt8>

        /// 20.
        public static var byteCount: Int { 20 }

        /// Calls the closure with the bytes.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try unsafe Swift.withUnsafeBytes(of: bytes, body)
        }

        /// `SHA1 digest: ` and the bytes in hexadecimal digits.
        public var description: String { "SHA1 digest: \(hexadecimal)" }
    }

    /// SHA-1.
    public struct SHA1: HashFunction {
        /// Its digest.
        public typealias Digest = SHA1Digest
        private var state = HashState(TASKHOST_CRYPTO_SHA1)

        /// 64.
        public static var blockByteCount: Int { 64 }
        /// The length of the digest: 20.
        public static var byteCount: Int { SHA1Digest.byteCount }
        /// Starts with nothing.
        public init() {}
        /// Takes in bytes.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }
        /// The digest of all bytes that came so far. More may follow.
        public func finalize() -> SHA1Digest { SHA1Digest(bytes: state.digest()) }
    }
}
