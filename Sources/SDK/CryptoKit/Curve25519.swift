public import Foundation

/// Curve25519: agreement by X25519 (RFC 7748), signatures by Ed25519 (RFC 8032).
public enum Curve25519 {
    /// Signatures by Ed25519.
    public enum Signing {
        /// A key that signs.
        public struct PrivateKey: Sendable {
            private let key: _CurveKey

            /// A random key.
            public init() { key = .random(.ed25519) }

            /// - Parameter rawRepresentation: 32 bytes; throws `incorrectKeySize` for any other length.
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                key = try _CurveKey(.ed25519, secret: .copy(rawRepresentation))
            }

            /// The key's 32 bytes.
            public var rawRepresentation: Data { key.secretData }

            /// The key that verifies.
            public var publicKey: PublicKey { PublicKey(key: key.publicKey) }

            /// The signature of a message: 64 bytes, always the same for the same message. On iOS each is another.
            public func signature<Bytes: DataProtocol>(for data: Bytes) throws -> Data {
                try unsafe data.withBytes { unsafe try key.sign($0) }
            }
        }

        /// A key that verifies.
        public struct PublicKey: Sendable {
            fileprivate let key: _CurveKey

            fileprivate init(key: _CurveKey) { self.key = key }

            /// - Parameter rawRepresentation: 32 bytes; throws `incorrectKeySize` for any other length.
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                key = try Curve25519.publicKey(.ed25519, rawRepresentation)
            }

            /// The key's 32 bytes.
            public var rawRepresentation: Data { key.publicBytes }

            /// Whether a signature is that of a message.
            public func isValidSignature<Signature: DataProtocol, Bytes: DataProtocol>(
                _ signature: Signature, for data: Bytes
            ) -> Bool {
                guard signature.count == 64 else { return false }
                return unsafe signature.withBytes { signature in
                    unsafe data.withBytes { unsafe key.verify(signature, $0) }
                }
            }
        }
    }

    /// Agreement by X25519.
    public enum KeyAgreement {
        /// The private half.
        public struct PrivateKey: Sendable {
            private let key: _CurveKey

            /// A random key.
            public init() { key = .random(.x25519) }

            /// - Parameter rawRepresentation: 32 bytes; throws `incorrectKeySize` for any other length.
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                key = try _CurveKey(.x25519, secret: .copy(rawRepresentation))
            }

            /// The key's 32 bytes.
            public var rawRepresentation: Data { key.secretData }

            /// The half for others.
            public var publicKey: PublicKey { PublicKey(key: key.publicKey) }

            /// What this key and another's public key have in common. Throws `underlyingCoreCryptoError` when that would be
            /// zero, which a public key of small order forces.
            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                try key.agree(with: publicKeyShare.key)
            }
        }

        /// The half for others.
        public struct PublicKey: Sendable {
            fileprivate let key: _CurveKey

            fileprivate init(key: _CurveKey) { self.key = key }

            /// - Parameter rawRepresentation: 32 bytes; throws `incorrectKeySize` for any other length.
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                key = try Curve25519.publicKey(.x25519, rawRepresentation)
            }

            /// The key's 32 bytes.
            public var rawRepresentation: Data { key.publicBytes }
        }
    }

    private static func publicKey(_ curve: _Curve, _ bytes: some ContiguousBytes) throws -> _CurveKey {
        guard unsafe bytes.withUnsafeBytes({ $0.count }) == curve.coordinate else {
            throw CryptoKitError.incorrectKeySize
        }
        return try _CurveKey(curve, publicBytes: bytes)
    }
}
