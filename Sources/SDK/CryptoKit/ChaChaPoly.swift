public import Foundation

/// ChaCha20 with Poly1305 (RFC 8439), with keys of 32 bytes: `CryptoKitError.incorrectKeySize` for all others.
public enum ChaChaPoly {
    /// A number that is used once with a key.
    public struct Nonce: ContiguousBytes, Sendable, Sequence {
        let bytes: Data

        /// 12 random bytes.
        public init() { bytes = SecretBytes(randomCount: 12).data }

        /// - Parameter data: 12 bytes; throws `incorrectParameterSize` for any other length.
        public init<Bytes: DataProtocol>(data: Bytes) throws {
            guard data.count == 12 else { throw CryptoKitError.incorrectParameterSize }
            bytes = Data(data)
        }

        /// Calls the closure with the bytes.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try unsafe bytes.withUnsafeBytes(body)
        }

        /// Its bytes.
        public func makeIterator() -> Array<UInt8>.Iterator { Array(bytes).makeIterator() }
    }

    /// Encrypted data with what opens it, but for the key.
    public struct SealedBox: Sendable {
        /// The nonce that was used.
        public let nonce: Nonce
        /// The encrypted data, as long as what was encrypted.
        public let ciphertext: Data
        /// 16 bytes that authenticate everything.
        public let tag: Data

        /// Nonce, encrypted data and tag in one.
        public var combined: Data { nonce.bytes + ciphertext + tag }

        /// - Parameters:
        ///   - nonce: the nonce that was used.
        ///   - ciphertext: the encrypted data.
        ///   - tag: 16 bytes; throws `incorrectParameterSize` for any other length.
        public init<Ciphertext: DataProtocol, Tag: DataProtocol>(
            nonce: Nonce, ciphertext: Ciphertext, tag: Tag
        ) throws {
            guard tag.count == Sealing.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            self.nonce = nonce
            self.ciphertext = Data(ciphertext)
            self.tag = Data(tag)
        }

        /// - Parameter combined: 12 bytes of nonce, the encrypted data and 16 bytes of tag; throws
        ///   `incorrectParameterSize` for less than these 28.
        public init<Bytes: DataProtocol>(combined: Bytes) throws {
            guard combined.count >= 12 + Sealing.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            try self.init(
                nonce: Nonce(data: combined.prefix(12)),
                ciphertext: combined.dropFirst(12).dropLast(Sealing.tagByteCount),
                tag: combined.suffix(Sealing.tagByteCount))
        }
    }

    private static func check(_ key: SymmetricKey) throws {
        guard key.bitCount == 256 else { throw CryptoKitError.incorrectKeySize }
    }

    /// Encrypts a message, and authenticates it together with data that is not encrypted.
    /// - Parameters:
    ///   - message: what is encrypted.
    ///   - key: the key.
    ///   - nonce: one that the key has not been used with; nil for a random one.
    ///   - authenticatedData: what is needed to open the box, but not in it.
    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
        authenticating authenticatedData: AuthenticatedData
    ) throws -> SealedBox {
        try check(key)
        let nonce = nonce ?? Nonce()
        let (ciphertext, tag) = try Sealing.chachaPoly.seal(
            message, key, nonce: nonce.bytes, authenticating: authenticatedData)
        return try SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag)
    }

    /// Encrypts and authenticates a message.
    /// - Parameters:
    ///   - message: what is encrypted.
    ///   - key: the key.
    ///   - nonce: one that the key has not been used with; nil for a random one.
    public static func seal<Plaintext: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
    ) throws -> SealedBox {
        try seal(message, using: key, nonce: nonce, authenticating: Data())
    }

    /// Decrypts what was encrypted with authenticated data. Throws `authenticationFailure` when anything differs.
    public static func open<AuthenticatedData: DataProtocol>(
        _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
    ) throws -> Data {
        try check(key)
        return try Sealing.chachaPoly.open(
            sealedBox.ciphertext, tag: sealedBox.tag, key, nonce: sealedBox.nonce.bytes,
            authenticating: authenticatedData)
    }

    /// Decrypts. Throws `authenticationFailure` when anything differs.
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
        try open(sealedBox, using: key, authenticating: Data())
    }
}
