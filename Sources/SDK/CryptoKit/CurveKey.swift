internal import CCryptoKit
import Foundation

/// A curve that keys lie on, in the order of CCryptoKit.h.
public enum _Curve: Int32, Sendable {
    case x25519, ed25519, p256, p384, p521

    /// The length of a private key, and of each coordinate of a point.
    var coordinate: Int {
        switch self {
        case .x25519, .ed25519, .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// Whether public keys have two coordinates.
    var hasPoints: Bool { self != .x25519 && self != .ed25519 }
    /// The length of a public key as OpenSSL has it.
    var publicByteCount: Int { hasPoints ? 1 + 2 * coordinate : coordinate }
    /// The length of the longest signature: 64 bytes, or a sequence of two numbers.
    var signatureByteCount: Int { hasPoints ? 2 * (coordinate + 3) + 3 : 64 }
}

/// A key on a curve, in OpenSSL. The memory of a private one is overwritten when the last copy goes.
@safe public final class _CurveKey: @unchecked Sendable {  // immutable
    let curve: _Curve
    /// A point with both coordinates (`04`, x, y), or the 32 bytes of a key without.
    let publicBytes: Data
    /// The private key, if it is one.
    let secret: SecretBytes?
    private let key: OpaquePointer

    /// A private key. The length is checked.
    init(_ curve: _Curve, secret: SecretBytes) throws {
        guard secret.count == curve.coordinate else {
            throw curve.hasPoints ? CryptoKitError.incorrectParameterSize : CryptoKitError.incorrectKeySize
        }
        var bytes = Data(count: curve.publicByteCount)
        var made: taskhost_crypto_key?
        let status = unsafe secret.withUnsafeBytes { secret in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe taskhost_crypto_private_key(
                    curve.rawValue, secret.baseAddress.unsafelyUnwrapped, secret.count,
                    bytes.baseAddress.unsafelyUnwrapped, bytes.count, &made)
            }
        }
        try Libcrypto.check(status)
        self.curve = curve
        publicBytes = bytes
        self.secret = secret
        unsafe key = Libcrypto.require(made)
    }

    /// A public key of a point in any form, or of 32 bytes. The caller has checked the length.
    init(_ curve: _Curve, publicBytes given: some ContiguousBytes) throws {
        var bytes = Data(count: curve.publicByteCount)
        var made: taskhost_crypto_key?
        let status = unsafe given.withUnsafeBytes { given in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe taskhost_crypto_public_key(
                    curve.rawValue, given.baseAddress.unsafelyUnwrapped, given.count,
                    bytes.baseAddress.unsafelyUnwrapped, bytes.count, &made)
            }
        }
        try Libcrypto.check(status)
        self.curve = curve
        publicBytes = bytes
        secret = nil
        unsafe key = Libcrypto.require(made)
    }

    deinit { unsafe taskhost_crypto_key_free(key) }

    /// A random private key.
    static func random(_ curve: _Curve) -> _CurveKey {
        while true {
            // Of 521 bits the first byte has one.
            let secret = SecretBytes(randomCount: curve.coordinate, firstByte: curve == .p521 ? 1 : 0xFF)
            do {
                return try _CurveKey(curve, secret: secret)
            } catch CryptoKitError.underlyingCoreCryptoError(Libcrypto.refused) {
                continue  // 0, or past the curve's order, which hardly ever happens
            } catch {
                Libcrypto.trap(Libcrypto.fault)
            }
        }
    }

    /// The public key alone, which does not keep the private one in memory.
    var publicKey: _CurveKey { Libcrypto.require(try? _CurveKey(curve, publicBytes: publicBytes)) }

    /// The private key's bytes.
    var secretData: Data { secret?.data ?? Data() }

    /// What this private key and another's public key have in common.
    func agree(with other: _CurveKey) throws -> SharedSecret {
        try unsafe SharedSecret(
            secret: SecretBytes(count: curve.coordinate) { out in
                try unsafe Libcrypto.check(
                    taskhost_crypto_agree(key, other.key, out.baseAddress.unsafelyUnwrapped, out.count))
            })
    }

    /// Signs a message (Ed25519) or a digest.
    func sign(_ bytes: UnsafeRawBufferPointer) throws -> Data {
        var (signature, length) = (Data(count: curve.signatureByteCount), curve.signatureByteCount)
        let status = unsafe signature.withUnsafeMutableBytes { out in
            unsafe taskhost_crypto_sign(
                curve.rawValue, key, bytes.baseAddress, bytes.count, out.baseAddress.unsafelyUnwrapped, &length)
        }
        try Libcrypto.check(status)
        return signature.prefix(length)
    }

    /// Whether a signature of a message or digest is this key's.
    func verify(_ signature: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = signature.baseAddress else { return false }
        return unsafe taskhost_crypto_verify(
            curve.rawValue, key, start, signature.count, bytes.baseAddress, bytes.count)
    }
}
