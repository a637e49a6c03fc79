internal import CCryptoKit
public import Foundation

/// The Advanced Encryption Standard.
public enum AES {
    /// Ends with an error when a key has none of the lengths of AES: 16, 24 and 32 bytes.
    static func check(_ key: SymmetricKey) throws {
        guard [128, 192, 256].contains(key.bitCount) else { throw CryptoKitError.incorrectKeySize }
    }

    /// Keys that protect other keys (RFC 3394).
    public enum KeyWrap {
        /// Wraps a key.
        /// - Parameters:
        ///   - keyToWrap: the key, of 16 bytes at least, and a multiple of 8; `CryptoKitError.wrapFailure` otherwise.
        ///   - kek: the key that protects it, of 16, 24 or 32 bytes.
        /// - Returns: 8 bytes more than the key has.
        public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data {
            try AES.check(kek)
            let length = keyToWrap.secret.count
            guard length >= 16, length % 8 == 0, length < Int(Int32.max) else { throw CryptoKitError.wrapFailure }
            var wrapped = Data(count: length + 8)
            let status = unsafe keyToWrap.withUnsafeBytes { key in
                unsafe wrapped.withUnsafeMutableBytes { unsafe pass(key, into: $0, wraps: true, kek) }
            }
            if status == Libcrypto.refused { throw CryptoKitError.wrapFailure }
            try Libcrypto.check(status)
            return wrapped
        }

        /// Unwraps a key.
        /// - Parameters:
        ///   - wrappedKey: what `wrap` returned; `CryptoKitError.unwrapFailure` when it is anything else.
        ///   - kek: the key that protects it, of 16, 24 or 32 bytes.
        public static func unwrap<WrappedKey: DataProtocol>(
            _ wrappedKey: WrappedKey, using kek: SymmetricKey
        ) throws -> SymmetricKey {
            try AES.check(kek)
            let length = wrappedKey.count
            guard length >= 24, length % 8 == 0, length < Int(Int32.max) else { throw CryptoKitError.unwrapFailure }
            return unsafe SymmetricKey(
                try SecretBytes(count: length - 8) { key in
                    let status = unsafe wrappedKey.withBytes { unsafe pass($0, into: key, wraps: false, kek) }
                    if status == Libcrypto.refused { throw CryptoKitError.unwrapFailure }
                    try Libcrypto.check(status)
                })
        }

        private static func pass(
            _ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer, wraps: Bool, _ kek: SymmetricKey
        ) -> Int32 {
            unsafe kek.withUnsafeBytes { kek in
                unsafe taskhost_crypto_wrap(
                    wraps, kek.baseAddress.unsafelyUnwrapped, kek.count, bytes.baseAddress.unsafelyUnwrapped,
                    bytes.count,
                    out.baseAddress.unsafelyUnwrapped)
            }
        }
    }
}
