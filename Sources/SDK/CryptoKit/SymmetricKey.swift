public import Foundation

/// The length of a symmetric key.
public struct SymmetricKeySize: Sendable {
    /// In bits.
    public let bitCount: Int

    /// 128 bits.
    public static var bits128: SymmetricKeySize { SymmetricKeySize(bitCount: 128) }
    /// 192 bits.
    public static var bits192: SymmetricKeySize { SymmetricKeySize(bitCount: 192) }
    /// 256 bits.
    public static var bits256: SymmetricKeySize { SymmetricKeySize(bitCount: 256) }

    /// - Parameter bitCount: the length in bits: a multiple of 8, more than 0. Any other ends the process.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount % 8 == 0, "a key has whole bytes, one at least")
        self.bitCount = bitCount
    }
}

/// A symmetric key. Its memory is overwritten when the last copy goes.
public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    let secret: SecretBytes

    init(_ secret: SecretBytes) { self.secret = secret }

    /// A random key.
    public init(size: SymmetricKeySize) { secret = SecretBytes(randomCount: size.bitCount / 8) }

    /// The key of these bytes, which stay as they are.
    public init<Bytes: ContiguousBytes>(data: Bytes) { secret = .copy(data) }

    /// Its length in bits.
    public var bitCount: Int { secret.count * 8 }

    /// Calls the closure with the bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe secret.withUnsafeBytes(body)
    }

    /// Whether all bytes are equal, in a time that depends on the lengths alone.
    public static func == (a: SymmetricKey, b: SymmetricKey) -> Bool { ConstantTime.equal(a, b) }
}
