public import Foundation

/// Derivation of keys from a secret with HMAC (RFC 5869).
public struct HKDF<H: HashFunction>: Sendable {
    /// A key of a secret.
    /// - Parameters:
    ///   - inputKeyMaterial: the secret.
    ///   - salt: what tells uses of the same secret apart; need not be secret.
    ///   - info: what the key is for.
    ///   - outputByteCount: the length of the key: 1 to 255 times that of a digest. Any other ends the process.
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        expand(
            pseudoRandomKey: extract(inputKeyMaterial: inputKeyMaterial, salt: salt), info: info,
            outputByteCount: outputByteCount)
    }

    /// A key of a secret without salt.
    public static func deriveKey<Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: Data(), info: info, outputByteCount: outputByteCount)
    }

    /// A key of a secret, for no purpose in particular.
    public static func deriveKey<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: salt, info: Data(), outputByteCount: outputByteCount)
    }

    /// A key of a secret without salt, for no purpose in particular.
    public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: Data(), info: Data(), outputByteCount: outputByteCount)
    }

    /// The first step: a key that looks random.
    public static func extract<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt
    ) -> HashedAuthenticationCode<H> {
        // An empty key, as one of zeros, which HMAC fills up.
        var code = unsafe salt.withBytes { unsafe HMAC<H>(key: SymmetricKey(SecretBytes(copying: $0))) }
        unsafe inputKeyMaterial.withUnsafeBytes { unsafe code.update(bufferPointer: $0) }
        return code.finalize()
    }

    /// The second step: a key of any length.
    /// - Parameters:
    ///   - pseudoRandomKey: what the first step gave.
    ///   - info: what the key is for.
    ///   - outputByteCount: the length of the key: 1 to 255 times that of a digest. Any other ends the process.
    public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
        pseudoRandomKey: PRK, info: Info?, outputByteCount: Int
    ) -> SymmetricKey {
        let step = H.Digest.byteCount
        precondition(outputByteCount > 0 && outputByteCount <= 255 * step, "HKDF gives 1 to 255 digests of bytes")
        let start = HMAC<H>(key: SymmetricKey(data: pseudoRandomKey))
        return unsafe SymmetricKey(
            SecretBytes(count: outputByteCount) { buffer in
                var last: HashedAuthenticationCode<H>?
                for (index, place) in stride(from: 0, to: outputByteCount, by: step).enumerated() {
                    var code = start
                    if let last { unsafe last.withUnsafeBytes { unsafe code.update(bufferPointer: $0) } }
                    if let info { code.update(data: info) }
                    code.update(data: [UInt8(index + 1)])
                    let next = code.finalize()
                    unsafe next.withUnsafeBytes { unsafe buffer.fill(from: place, with: $0) }
                    last = next
                }
            })
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Writes as many of the bytes as there is room for.
    func fill(from place: Int, with bytes: UnsafeRawBufferPointer) {
        let count = Swift.min(bytes.count, count - place)
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: self[place...])
        unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
}
