public import Foundation

/// What two parties have in common after a key agreement. Derive keys from it. Its memory is overwritten when the last copy
/// goes.
public struct SharedSecret: ContiguousBytes, CustomStringConvertible, Hashable, Sendable {
    let secret: SecretBytes

    /// Calls the closure with the bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe secret.withUnsafeBytes(body)
    }

    /// How many bytes it has; not its bytes, which iOS gives away here.
    public var description: String { "SharedSecret: \(secret.count) bytes" }

    /// Whether all bytes are equal, in a time that depends on the lengths alone.
    public static func == (a: SharedSecret, b: SharedSecret) -> Bool { ConstantTime.equal(a, b) }

    /// Whether the data has the secret's bytes.
    public static func == <Bytes: DataProtocol>(a: SharedSecret, b: Bytes) -> Bool {
        unsafe a.withUnsafeBytes { a in unsafe b.withBytes { b in unsafe ConstantTime.equal(a, b) } }
    }

    /// By its bytes.
    public func hash(into hasher: inout Hasher) { unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }

    /// A key by HKDF.
    /// - Parameters:
    ///   - hashFunction: the hash function.
    ///   - salt: what tells uses of the same secret apart; need not be secret.
    ///   - sharedInfo: what the key is for.
    ///   - outputByteCount: the length of the key: 1 to 255 times that of a digest. Any other ends the process.
    public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SI: DataProtocol>(
        using hashFunction: H.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        HKDF<H>.deriveKey(
            inputKeyMaterial: SymmetricKey(secret), salt: salt, info: sharedInfo, outputByteCount: outputByteCount)
    }

    /// A key by the derivation function of ANSI X9.63.
    /// - Parameters:
    ///   - hashFunction: the hash function.
    ///   - sharedInfo: what the key is for.
    ///   - outputByteCount: the length of the key, 1 at least and less than 2³² − 1 digests. Any other ends the process.
    public func x963DerivedSymmetricKey<H: HashFunction, SI: DataProtocol>(
        using hashFunction: H.Type, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        let step = H.Digest.byteCount
        precondition(
            outputByteCount > 0 && outputByteCount / step < Int(UInt32.max), "X9.63 gives 1 to 2³² − 1 digests of bytes"
        )
        return unsafe SymmetricKey(
            SecretBytes(count: outputByteCount) { buffer in
                for (index, place) in stride(from: 0, to: outputByteCount, by: step).enumerated() {
                    var function = H()
                    unsafe withUnsafeBytes { unsafe function.update(bufferPointer: $0) }
                    let number = UInt32(index + 1).bigEndian
                    unsafe Swift.withUnsafeBytes(of: number) { unsafe function.update(bufferPointer: $0) }
                    function.update(data: sharedInfo)
                    unsafe function.finalize().withUnsafeBytes { unsafe buffer.fill(from: place, with: $0) }
                }
            })
    }
}
