import Foundation

/// Keys on the curves of NIST as DER: a private key as PKCS #8 (RFC 5958) around SEC 1 (RFC 5915), or SEC 1 alone; a public
/// key as SubjectPublicKeyInfo (RFC 5480).
enum KeyDocuments {
    private typealias Tag = DERReader.Tag
    /// 1.2.840.10045.2.1
    private static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    /// What names the curve.
    private static func name(_ curve: _Curve) -> [UInt8] {
        switch curve {
        case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
        default: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        }
    }

    private static func algorithm(_ curve: _Curve) -> [UInt8] {
        DERWriter.field(
            Tag.sequence, DERWriter.field(Tag.identifier, ellipticCurve), DERWriter.field(Tag.identifier, name(curve)))
    }

    static func write(privateKey key: _CurveKey) -> Data {
        let inner = DERWriter.field(
            Tag.sequence, DERWriter.integer([1]), DERWriter.field(Tag.octetString, Array(key.secretData)),
            DERWriter.field(Tag.second, DERWriter.bits(key.publicBytes)))
        return Data(
            DERWriter.field(
                Tag.sequence, DERWriter.integer([]), algorithm(key.curve), DERWriter.field(Tag.octetString, inner)))
    }

    static func write(publicKey key: _CurveKey) -> Data {
        Data(DERWriter.field(Tag.sequence, algorithm(key.curve), DERWriter.bits(key.publicBytes)))
    }

    static func readPrivate(_ curve: _Curve, _ der: some Sequence<UInt8>) throws -> _CurveKey {
        var document = DERReader(der)
        var fields = try document.nested()
        try document.end()
        let version = try fields.readInteger()
        if version == [1], fields.next == Tag.octetString { return try readSEC1(curve, version: version, &fields) }
        // Version 1 has the public key behind the attributes as well.
        guard version.isEmpty || version == [1] else { throw CryptoKitASN1Error.invalidASN1Object }
        try readAlgorithm(curve, &fields)
        var inner = DERReader(try fields.read(Tag.octetString))
        var content = try inner.nested()
        try inner.end()
        if fields.next == Tag.first { _ = try fields.read(Tag.first) }
        if version == [1], fields.next == 0x81 { _ = try fields.read(0x81) }
        try fields.end()
        return try readSEC1(curve, version: content.readInteger(), &content)
    }

    static func readPublic(_ curve: _Curve, _ der: some Sequence<UInt8>) throws -> Data {
        var document = DERReader(der)
        var fields = try document.nested()
        try document.end()
        try readAlgorithm(curve, &fields)
        let point = try fields.readBits()
        try fields.end()
        return Data(point)
    }

    private static func readAlgorithm(_ curve: _Curve, _ fields: inout DERReader) throws {
        var algorithm = try fields.nested()
        guard try algorithm.readIdentifier() == ellipticCurve, try algorithm.readIdentifier() == name(curve) else {
            throw CryptoKitASN1Error.invalidASN1Object
        }
        try algorithm.end()
    }

    /// What follows the version. A public key that is there has to be the private one's.
    private static func readSEC1(
        _ curve: _Curve, version: ArraySlice<UInt8>, _ fields: inout DERReader
    ) throws -> _CurveKey {
        guard version == [1] else { throw CryptoKitASN1Error.invalidASN1Object }
        let secret = try fields.read(Tag.octetString)
        if fields.next == Tag.first {
            var parameters = try fields.nested(Tag.first)
            guard try parameters.readIdentifier() == name(curve) else { throw CryptoKitASN1Error.invalidASN1Object }
            try parameters.end()
        }
        let key = try _CurveKey(curve, secret: .copy(Array(secret)))
        if fields.next == Tag.second {
            var tagged = try fields.nested(Tag.second)
            let point = Data(try tagged.readBits())
            try tagged.end()
            guard try NISTPoint.key(curve, anyForm: point).publicBytes == key.publicBytes else {
                throw CryptoKitASN1Error.invalidASN1Object
            }
        }
        try fields.end()
        return key
    }
}

extension DERReader {
    /// The next field: the bytes of an object identifier.
    fileprivate mutating func readIdentifier() throws -> [UInt8] {
        let bytes = try read(Tag.identifier)
        guard let last = bytes.last, last & 0x80 == 0 else { throw CryptoKitASN1Error.invalidObjectIdentifier }
        return Array(bytes)
    }
}
