public import Foundation

/// The curve P-384 of NIST.
public enum P384 {
    /// Signatures by ECDSA.
    public enum Signing {
        /// A key that signs.
        public struct PrivateKey: _NISTPrivateKey {
            /// The key that verifies.
            public typealias PublicKey = Signing.PublicKey
            /// Its curve.
            public static var _curve: _Curve { .p384 }
            /// The key in OpenSSL.
            public let _key: _CurveKey
            /// - Parameter _key: the key in OpenSSL.
            public init(_key: _CurveKey) { self._key = _key }
        }

        /// A key that verifies.
        public struct PublicKey: _NISTVerifyingKey {
            /// The signature's type.
            public typealias _Signature = ECDSASignature
            /// The hash function for messages.
            public typealias _Hash = SHA384
            /// Its curve.
            public static var _curve: _Curve { .p384 }
            /// The key in OpenSSL.
            public let _key: _CurveKey
            /// - Parameter _key: the key in OpenSSL.
            public init(_key: _CurveKey) { self._key = _key }
        }

        /// A signature: two numbers.
        public struct ECDSASignature: _NISTSignature {
            /// Its curve.
            public static var _curve: _Curve { .p384 }
            /// Both numbers, each as long as a coordinate of the curve.
            public let rawRepresentation: Data
            /// - Parameter _raw: both numbers, whose length was checked.
            public init(_raw: Data) { rawRepresentation = _raw }
        }
    }

    /// Agreement by ECDH.
    public enum KeyAgreement {
        /// The private half.
        public struct PrivateKey: _NISTPrivateKey {
            /// The half for others.
            public typealias PublicKey = KeyAgreement.PublicKey
            /// Its curve.
            public static var _curve: _Curve { .p384 }
            /// The key in OpenSSL.
            public let _key: _CurveKey
            /// - Parameter _key: the key in OpenSSL.
            public init(_key: _CurveKey) { self._key = _key }
        }

        /// The half for others.
        public struct PublicKey: _NISTAgreementKey {
            /// Its curve.
            public static var _curve: _Curve { .p384 }
            /// The key in OpenSSL.
            public let _key: _CurveKey
            /// - Parameter _key: the key in OpenSSL.
            public init(_key: _CurveKey) { self._key = _key }
        }
    }
}
