public import Foundation

/// What the keys of `P256`, `P384` and `P521` have in common.
public protocol _NISTKey: Sendable {
    /// Its curve.
    static var _curve: _Curve { get }
    /// The key in OpenSSL.
    var _key: _CurveKey { get }
    /// - Parameter _key: the key in OpenSSL.
    init(_key: _CurveKey)
}

/// The private keys of `P256`, `P384` and `P521`.
public protocol _NISTPrivateKey: _NISTKey {
    /// The public key's type.
    associatedtype PublicKey: _NISTPublicKey
}

/// The public keys of `P256`, `P384` and `P521`.
public protocol _NISTPublicKey: _NISTKey {}

extension _NISTPrivateKey {
    /// A random key.
    /// - Parameter compactRepresentable: whether its public key has to have a compact representation.
    public init(compactRepresentable: Bool = true) {
        var key = _CurveKey.random(Self._curve)
        while compactRepresentable && !NISTPoint.isCompact(key) { key = .random(Self._curve) }
        self.init(_key: key)
    }

    /// - Parameter rawRepresentation: the key's number, as long as a coordinate of the curve; throws
    ///   `incorrectParameterSize` for any other length, and `underlyingCoreCryptoError` for one that is no key.
    public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
        self.init(_key: try _CurveKey(Self._curve, secret: .copy(rawRepresentation)))
    }

    /// - Parameter x963Representation: `04`, the coordinates of the public key, and the key's number. Throws
    ///   `incorrectParameterSize` for any other length, and `invalidParameter` when the public key is another's.
    public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
        let bytes = SecretBytes.copy(x963Representation)
        let (curve, length) = (Self._curve, Self._curve.publicByteCount)
        guard bytes.count == length + curve.coordinate else { throw CryptoKitError.incorrectParameterSize }
        let (point, secret) = unsafe bytes.withUnsafeBytes { bytes in
            unsafe (Data(bytes[..<length]), SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[length...])))
        }
        let key = try _CurveKey(curve, secret: secret)
        guard key.publicBytes == point else { throw CryptoKitError.invalidParameter }
        self.init(_key: key)
    }

    /// - Parameter derRepresentation: the key as PKCS #8 or SEC 1; throws a `CryptoKitASN1Error` for anything else.
    public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
        self.init(_key: try KeyDocuments.readPrivate(Self._curve, derRepresentation))
    }

    /// - Parameter pemRepresentation: a document `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1); throws a
    ///   `CryptoKitASN1Error` for anything else.
    public init(pemRepresentation: String) throws {
        try self.init(derRepresentation: PEM.decode(pemRepresentation, labels: ["PRIVATE KEY", "EC PRIVATE KEY"]))
    }

    /// The public key.
    public var publicKey: PublicKey { PublicKey(_key: _key.publicKey) }
    /// The key's number, as long as a coordinate of the curve.
    public var rawRepresentation: Data { _key.secretData }
    /// `04`, the coordinates of the public key, and the key's number.
    public var x963Representation: Data { _key.publicBytes + _key.secretData }
    /// The key as PKCS #8.
    public var derRepresentation: Data { KeyDocuments.write(privateKey: _key) }
    /// The key as a PEM document `PRIVATE KEY`.
    public var pemRepresentation: String { PEM.encode("PRIVATE KEY", derRepresentation) }
}

extension _NISTPublicKey {
    /// - Parameter rawRepresentation: both coordinates. Like all of these it throws `incorrectParameterSize` for any other
    ///   length, and `underlyingCoreCryptoError` for a point that is not on the curve.
    public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
        let bytes = unsafe rawRepresentation.withUnsafeBytes { unsafe Data($0) }
        self.init(_key: try NISTPoint.uncompressed(Self._curve, [4] + bytes))
    }

    /// - Parameter x963Representation: `04` and both coordinates, or a compressed representation.
    public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
        let bytes = unsafe x963Representation.withUnsafeBytes { unsafe Data($0) }
        self.init(_key: try NISTPoint.key(Self._curve, anyForm: bytes))
    }

    /// - Parameter compressedRepresentation: `02` or `03`, and the first coordinate.
    public init<Bytes: ContiguousBytes>(compressedRepresentation: Bytes) throws {
        let bytes = unsafe compressedRepresentation.withUnsafeBytes { unsafe Data($0) }
        self.init(_key: try NISTPoint.compressed(Self._curve, bytes))
    }

    /// - Parameter compactRepresentation: the first coordinate; of the two points that have it, the one with the smaller
    ///   second coordinate is meant.
    public init<Bytes: ContiguousBytes>(compactRepresentation: Bytes) throws {
        let bytes = unsafe compactRepresentation.withUnsafeBytes { unsafe Data($0) }
        self.init(_key: try NISTPoint.compact(Self._curve, bytes))
    }

    /// - Parameter derRepresentation: the key as SubjectPublicKeyInfo; throws a `CryptoKitASN1Error` for anything else.
    public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
        let point = try KeyDocuments.readPublic(Self._curve, derRepresentation)
        self.init(_key: try NISTPoint.key(Self._curve, anyForm: point))
    }

    /// - Parameter pemRepresentation: a document `PUBLIC KEY`; throws a `CryptoKitASN1Error` for anything else.
    public init(pemRepresentation: String) throws {
        try self.init(derRepresentation: PEM.decode(pemRepresentation, labels: ["PUBLIC KEY"]))
    }

    /// Both coordinates.
    public var rawRepresentation: Data { Data(_key.publicBytes.dropFirst()) }
    /// `04` and both coordinates.
    public var x963Representation: Data { _key.publicBytes }
    /// `02` or `03`, and the first coordinate.
    public var compressedRepresentation: Data { NISTPoint.compressed(_key) }
    /// The first coordinate; nil when the second one is not the smaller of the two that are possible.
    public var compactRepresentation: Data? { NISTPoint.isCompact(_key) ? NISTPoint.x(_key) : nil }
    /// The key as SubjectPublicKeyInfo.
    public var derRepresentation: Data { KeyDocuments.write(publicKey: _key) }
    /// The key as a PEM document `PUBLIC KEY`.
    public var pemRepresentation: String { PEM.encode("PUBLIC KEY", derRepresentation) }
}
