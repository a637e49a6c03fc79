public import Foundation

/// The signatures of `P256`, `P384` and `P521`.
public protocol _NISTSignature: ContiguousBytes, Sendable {
    /// Its curve.
    static var _curve: _Curve { get }
    /// Both numbers, each as long as a coordinate of the curve.
    var rawRepresentation: Data { get }
    /// - Parameter _raw: both numbers, whose length was checked.
    init(_raw: Data)
}

extension _NISTSignature {
    /// - Parameter rawRepresentation: both numbers, each as long as a coordinate of the curve; throws
    ///   `incorrectParameterSize` for any other length.
    public init<Bytes: DataProtocol>(rawRepresentation: Bytes) throws {
        guard rawRepresentation.count == 2 * Self._curve.coordinate else { throw CryptoKitError.incorrectParameterSize }
        self.init(_raw: Data(rawRepresentation))
    }

    /// - Parameter derRepresentation: a sequence of both numbers; throws a `CryptoKitASN1Error` for anything else, and
    ///   `incorrectParameterSize` for a number that is longer than a coordinate of the curve.
    public init<Bytes: DataProtocol>(derRepresentation: Bytes) throws {
        var document = DERReader(derRepresentation)
        var fields = try document.nested()
        try document.end()
        let numbers = [try fields.readInteger(), try fields.readInteger()]
        try fields.end()
        let length = Self._curve.coordinate
        guard numbers.allSatisfy({ $0.count <= length }) else { throw CryptoKitError.incorrectParameterSize }
        self.init(_raw: Data(numbers.flatMap { [UInt8](repeating: 0, count: length - $0.count) + $0 }))
    }

    /// A sequence of both numbers.
    public var derRepresentation: Data {
        let length = Self._curve.coordinate
        return Data(
            DERWriter.field(
                DERReader.Tag.sequence, DERWriter.integer(rawRepresentation.prefix(length)),
                DERWriter.integer(rawRepresentation.suffix(length))))
    }

    /// Calls the closure with the bytes of both numbers.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe rawRepresentation.withUnsafeBytes(body)
    }
}

/// The public keys for signatures of `P256`, `P384` and `P521`.
public protocol _NISTVerifyingKey: _NISTPublicKey {
    /// The signature's type.
    associatedtype _Signature: _NISTSignature
    /// The hash function for messages.
    associatedtype _Hash: HashFunction
}

extension _NISTVerifyingKey {
    /// Whether a signature is that of a digest.
    public func isValidSignature<D: Digest>(_ signature: _Signature, for digest: D) -> Bool {
        unsafe signature.derRepresentation.withUnsafeBytes { signature in
            unsafe digest.withUnsafeBytes { unsafe _key.verify(signature, $0) }
        }
    }

    /// Whether a signature is that of a message, by its digest of SHA-256 (`P256`), SHA-384 (`P384`) or SHA-512 (`P521`).
    public func isValidSignature<Bytes: DataProtocol>(_ signature: _Signature, for data: Bytes) -> Bool {
        isValidSignature(signature, for: _Hash.hash(data: data))
    }
}

extension _NISTPrivateKey where PublicKey: _NISTVerifyingKey {
    /// The signature of a digest. Each is another.
    public func signature<D: Digest>(for digest: D) throws -> PublicKey._Signature {
        try PublicKey._Signature(derRepresentation: unsafe digest.withUnsafeBytes { unsafe try _key.sign($0) })
    }

    /// The signature of a message, by its digest of SHA-256 (`P256`), SHA-384 (`P384`) or SHA-512 (`P521`). Each is another.
    public func signature<Bytes: DataProtocol>(for data: Bytes) throws -> PublicKey._Signature {
        try signature(for: PublicKey._Hash.hash(data: data))
    }
}

/// The public keys for agreements of `P256`, `P384` and `P521`.
public protocol _NISTAgreementKey: _NISTPublicKey {}

extension _NISTPrivateKey where PublicKey: _NISTAgreementKey {
    /// What this key and another's public key have in common: the first coordinate of a point.
    public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
        try _key.agree(with: publicKeyShare._key)
    }
}
