internal import CCryptoKit
import Foundation

/// Authenticated encryption by OpenSSL. The callers have checked the lengths.
struct Sealing {
    private let cipher: Int32

    static let gcm = Sealing(cipher: Int32(TASKHOST_CRYPTO_AES_GCM))
    static let chachaPoly = Sealing(cipher: Int32(TASKHOST_CRYPTO_CHACHA_POLY))
    static let tagByteCount = Int(TASKHOST_CRYPTO_TAG_LENGTH)

    /// Encrypts.
    func seal(
        _ message: some DataProtocol, _ key: SymmetricKey, nonce: Data, authenticating: some DataProtocol
    ) throws -> (ciphertext: Data, tag: Data) {
        var (ciphertext, tag) = (Data(count: message.count), Data(count: Self.tagByteCount))
        let status = unsafe withBox(key, nonce, authenticating) { box in
            unsafe message.withBytes { message in
                unsafe ciphertext.withUnsafeMutableBytes { out in
                    unsafe tag.withUnsafeMutableBytes { tag in
                        unsafe withUnsafePointer(to: box) { box in
                            unsafe taskhost_crypto_seal(
                                box, message.baseAddress, message.count, out.baseAddress,
                                tag.baseAddress.unsafelyUnwrapped)
                        }
                    }
                }
            }
        }
        try Libcrypto.check(status)
        return (ciphertext, tag)
    }

    /// Decrypts.
    func open(
        _ ciphertext: Data, tag: Data, _ key: SymmetricKey, nonce: Data, authenticating: some DataProtocol
    ) throws -> Data {
        var message = Data(count: ciphertext.count)
        let status = unsafe withBox(key, nonce, authenticating) { box in
            unsafe ciphertext.withUnsafeBytes { bytes in
                unsafe message.withUnsafeMutableBytes { out in
                    unsafe tag.withUnsafeBytes { tag in
                        unsafe withUnsafePointer(to: box) { box in
                            unsafe taskhost_crypto_open(
                                box, bytes.baseAddress, bytes.count, tag.baseAddress.unsafelyUnwrapped, out.baseAddress)
                        }
                    }
                }
            }
        }
        if status == Libcrypto.refused { throw CryptoKitError.authenticationFailure }
        try Libcrypto.check(status)
        return message
    }

    private func withBox(
        _ key: SymmetricKey, _ nonce: Data, _ authenticating: some DataProtocol,
        _ body: (taskhost_crypto_box) -> Int32
    ) -> Int32 {
        unsafe key.withUnsafeBytes { key in
            unsafe nonce.withUnsafeBytes { nonce in
                unsafe authenticating.withBytes { extra in
                    unsafe body(
                        taskhost_crypto_box(
                            cipher: cipher, key: key.baseAddress.unsafelyUnwrapped, key_length: key.count,
                            nonce: nonce.baseAddress.unsafelyUnwrapped, nonce_length: nonce.count,
                            authenticated: extra.baseAddress, authenticated_length: extra.count))
                }
            }
        }
    }
}
