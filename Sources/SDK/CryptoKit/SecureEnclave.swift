public import Foundation

/// The processor of Apple's devices that keeps keys to itself. There is none here: code that asks before it uses it takes its
/// other way, and keys cannot be made.
public enum SecureEnclave {
    /// False.
    public static var isAvailable: Bool { false }

    /// The curve P-256, on which the processor's keys lie.
    public enum P256 {
        /// Signatures by ECDSA.
        public enum Signing {
            /// A key that signs. There is none.
            public struct PrivateKey: Sendable {
                private let key: Never

                /// Throws `underlyingCoreCryptoError`.
                /// - Parameter compactRepresentable: not used.
                public init(compactRepresentable: Bool = true) throws { throw SecureEnclave.absent }
                /// Throws `underlyingCoreCryptoError`.
                /// - Parameter dataRepresentation: not used.
                public init(dataRepresentation: Data) throws { throw SecureEnclave.absent }

                /// The key that verifies.
                public var publicKey: CryptoKit.P256.Signing.PublicKey { switch key {} }
                /// What the key can be made from again.
                public var dataRepresentation: Data { switch key {} }
                /// The signature of a message.
                public func signature<Bytes: DataProtocol>(
                    for data: Bytes
                ) throws -> CryptoKit.P256.Signing.ECDSASignature { switch key {} }
                /// The signature of a digest.
                public func signature<D: Digest>(for digest: D) throws -> CryptoKit.P256.Signing.ECDSASignature {
                    switch key {}
                }
            }
        }

        /// Agreement by ECDH.
        public enum KeyAgreement {
            /// The private half. There is none.
            public struct PrivateKey: Sendable {
                private let key: Never

                /// Throws `underlyingCoreCryptoError`.
                /// - Parameter compactRepresentable: not used.
                public init(compactRepresentable: Bool = true) throws { throw SecureEnclave.absent }
                /// Throws `underlyingCoreCryptoError`.
                /// - Parameter dataRepresentation: not used.
                public init(dataRepresentation: Data) throws { throw SecureEnclave.absent }

                /// The half for others.
                public var publicKey: CryptoKit.P256.KeyAgreement.PublicKey { switch key {} }
                /// What the key can be made from again.
                public var dataRepresentation: Data { switch key {} }
                /// What this key and another's public key have in common.
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: CryptoKit.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret { switch key {} }
            }
        }
    }

    /// The number of an operation that does not exist, `errSecUnimplemented`.
    static let unimplemented: Int32 = -4
    private static var absent: CryptoKitError { .underlyingCoreCryptoError(error: unimplemented) }
}
