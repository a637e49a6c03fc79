import CryptoKit
import Foundation
import Testing

@Suite("CryptoKit: curves of NIST")
struct CryptoKeyTests {
    private static let point = """
        60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
        """
    private static let secret = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"

    @Test("a signature of RFC 6979 verifies, on P-256")
    func p256() throws {
        let key = try P256.Signing.PublicKey(rawRepresentation: Data(hexadecimal: Self.point))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: Data(
                hexadecimal: """
                    efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
                    f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
                    """))
        let message = Data("sample".utf8)
        #expect(key.isValidSignature(signature, for: message))
        #expect(key.isValidSignature(signature, for: SHA256.hash(data: message)))
        #expect(!key.isValidSignature(signature, for: SHA384.hash(data: message)))
        #expect(!key.isValidSignature(signature, for: Data("sampl".utf8)))
        let other = try P256.Signing.ECDSASignature(derRepresentation: signature.derRepresentation)
        #expect(other.rawRepresentation == signature.rawRepresentation && signature.derRepresentation.count == 72)
        #expect(
            try P256.Signing.PrivateKey(rawRepresentation: Data(hexadecimal: Self.secret)).publicKey.rawRepresentation
                == key.rawRepresentation)
    }

    @Test("signatures of RFC 6979 verify, on P-384 and P-521")
    func others() throws {
        let message = Data("sample".utf8)
        let p384 = try P384.Signing.PrivateKey(
            rawRepresentation: Data(
                hexadecimal: """
                    6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d8\
                    96d5724e4c70a825f872c9ea60d2edf5
                    """))
        #expect(p384.publicKey.rawRepresentation.hexadecimal.hasPrefix("ec3a4e415b4e19a4568618029f427fa5"))
        let signature384 = try P384.Signing.ECDSASignature(
            rawRepresentation: Data(
                hexadecimal: """
                    94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46\
                    99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8
                    """))
        #expect(p384.publicKey.isValidSignature(signature384, for: message))
        let p521 = try P521.Signing.PrivateKey(
            rawRepresentation: Data(
                hexadecimal: """
                    00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75\
                    caa896eb32f1f47c70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b83538
                    """))
        let signature521 = try P521.Signing.ECDSASignature(
            rawRepresentation: Data(
                hexadecimal: """
                    00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f\
                    174e25a1ee9017b5d450606add152b534931d7d4e8455cc91f9b15bf05ec36e377fa\
                    00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af\
                    282623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a
                    """))
        #expect(p521.publicKey.isValidSignature(signature521, for: message))
        #expect(!p521.publicKey.isValidSignature(signature521, for: Data()))
        let der = signature521.derRepresentation
        #expect(der.hexadecimal.hasPrefix("308187024200c3") && der.count == 138)
        #expect(
            try P521.Signing.ECDSASignature(derRepresentation: der).rawRepresentation == signature521.rawRepresentation)
    }

    @Test("a secret of NIST's vectors, and the same one for both sides")
    func agreement() throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Data(hexadecimal: "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"))
        let other = try P256.KeyAgreement.PublicKey(
            rawRepresentation: Data(
                hexadecimal: """
                    700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287\
                    db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
                    """))
        #expect(
            try key.sharedSecretFromKeyAgreement(with: other)
                == Data(hexadecimal: "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"))
        let (a, b) = (P521.KeyAgreement.PrivateKey(), P521.KeyAgreement.PrivateKey())
        let secret = try a.sharedSecretFromKeyAgreement(with: b.publicKey)
        #expect(try secret == b.sharedSecretFromKeyAgreement(with: a.publicKey))
        #expect(secret.withUnsafeBytes { $0.count } == 66)
        let (c, d) = (P384.KeyAgreement.PrivateKey(), P384.KeyAgreement.PrivateKey())
        #expect(
            try c.sharedSecretFromKeyAgreement(with: d.publicKey) == d.sharedSecretFromKeyAgreement(with: c.publicKey))
    }

    /// Everything that a key can be written as is read again.
    private func roundTrip<Key: _NISTPrivateKey>(_ type: Key.Type, _ length: Int) throws {
        let key = Key()
        let point = key.publicKey
        #expect(key.rawRepresentation.count == length && key.x963Representation.count == 1 + 3 * length)
        #expect(
            point.rawRepresentation.count == 2 * length && point.x963Representation == [4] + point.rawRepresentation)
        #expect(point.compressedRepresentation.count == 1 + length)
        let keys = [
            try Key(rawRepresentation: key.rawRepresentation), try Key(x963Representation: key.x963Representation),
            try Key(derRepresentation: key.derRepresentation), try Key(pemRepresentation: key.pemRepresentation),
        ]
        #expect(keys.allSatisfy { $0.rawRepresentation == key.rawRepresentation })
        #expect(keys.allSatisfy { $0.publicKey.rawRepresentation == point.rawRepresentation })
        let compact = try #require(point.compactRepresentation)
        let points = [
            try Key.PublicKey(rawRepresentation: point.rawRepresentation),
            try Key.PublicKey(x963Representation: point.x963Representation),
            try Key.PublicKey(x963Representation: point.compressedRepresentation),
            try Key.PublicKey(compressedRepresentation: point.compressedRepresentation),
            try Key.PublicKey(compactRepresentation: compact),
            try Key.PublicKey(derRepresentation: point.derRepresentation),
            try Key.PublicKey(pemRepresentation: point.pemRepresentation),
        ]
        #expect(points.allSatisfy { $0.rawRepresentation == point.rawRepresentation })
        #expect(key.pemRepresentation.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(point.pemRepresentation.hasSuffix("\n-----END PUBLIC KEY-----"))
        for count in [0, 1, length - 1, length + 1] {
            let bytes = Data(repeating: 4, count: count)
            #expect(throws: CryptoKitError.incorrectParameterSize) { try Key(rawRepresentation: bytes) }
            #expect(throws: CryptoKitError.incorrectParameterSize) { try Key(x963Representation: bytes) }
            #expect(throws: CryptoKitError.incorrectParameterSize) { try Key.PublicKey(rawRepresentation: bytes) }
            #expect(throws: CryptoKitError.incorrectParameterSize) { try Key.PublicKey(x963Representation: bytes) }
            #expect(throws: CryptoKitError.incorrectParameterSize) { try Key.PublicKey(compactRepresentation: bytes) }
        }
        // No key: zero, and past the order. No points: past the field, off the curve, the point at infinity.
        for bytes in [Data(count: length), Data(repeating: 0xFF, count: length)] {
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: -2)) { try Key(rawRepresentation: bytes) }
        }
        var off = point.rawRepresentation
        off[2 * length - 1] ^= 1
        for bytes in [off, Data(count: 2 * length), Data(repeating: 0xFF, count: 2 * length)] {
            #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: -2)) {
                try Key.PublicKey(rawRepresentation: bytes)
            }
        }
        #expect(throws: CryptoKitError.invalidParameter) {
            try Key.PublicKey(x963Representation: [6] + point.rawRepresentation)
        }
        var mixed = key.x963Representation
        mixed[1...2 * length] = Key().publicKey.rawRepresentation
        #expect(throws: CryptoKitError.invalidParameter) { try Key(x963Representation: mixed) }
        #expect(Key(compactRepresentable: false).rawRepresentation.count == length)
    }

    @Test("what a key is written as is read again, and nothing else")
    func roundTrips() throws {
        try roundTrip(P256.Signing.PrivateKey.self, 32)
        try roundTrip(P384.KeyAgreement.PrivateKey.self, 48)
        try roundTrip(P521.Signing.PrivateKey.self, 66)
    }

    @Test("a public key of which only the larger coordinate fits has no compact form")
    func compact() throws {
        let point = Data(hexadecimal: Self.point)
        let key = try P256.Signing.PublicKey(rawRepresentation: point)
        // y is less than half of the field.
        #expect(key.compactRepresentation == point.prefix(32))
        let other = try P256.Signing.PublicKey(
            compressedRepresentation: [key.compressedRepresentation[0] ^ 1] + point.prefix(32))
        #expect(other.compactRepresentation == nil && other.rawRepresentation != key.rawRepresentation)
    }

    @Test("signing")
    func signing() throws {
        let (key, message) = (P256.Signing.PrivateKey(), Data("message".utf8))
        let signature = try key.signature(for: message)
        #expect(signature.rawRepresentation.count == 64)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(!P256.Signing.PrivateKey().publicKey.isValidSignature(signature, for: message))
        let long = try key.signature(for: SHA512.hash(data: message))
        #expect(key.publicKey.isValidSignature(long, for: SHA512.hash(data: message)))
        for place in [0, 31, 32, 63] {
            var raw = signature.rawRepresentation
            raw[place] ^= 1
            let other = try P256.Signing.ECDSASignature(rawRepresentation: raw)
            #expect(!key.publicKey.isValidSignature(other, for: message))
        }
        // Numbers that no signature has: 0, the order, and past the field.
        let order = Data(hexadecimal: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        for number in [Data(count: 32), order, Data(repeating: 0xFF, count: 32)] {
            for raw in [
                number + signature.rawRepresentation.suffix(32), signature.rawRepresentation.prefix(32) + number,
                number + number,
            ] {
                let other = try P256.Signing.ECDSASignature(rawRepresentation: raw)
                #expect(!key.publicKey.isValidSignature(other, for: message))
            }
        }
    }

    @Test(
        "signatures that are not DER in its only form are refused",
        arguments: [
            ("", CryptoKitASN1Error.truncatedASN1Field),
            ("30", .truncatedASN1Field),
            ("3006020101020101 00", .invalidASN1Object),
            ("3006020101", .truncatedASN1Field),
            ("3003020101", .truncatedASN1Field),
            ("3009020101020101020101", .invalidASN1Object),
            ("3106020101020101", .unexpectedFieldType),
            ("3006040101020101", .unexpectedFieldType),
            ("1f06020101020101", .invalidFieldIdentifier),
            ("308106020101020101", .unsupportedFieldLength),
            ("30820006020101020101", .unsupportedFieldLength),
            ("3080020101020101 0000", .unsupportedFieldLength),
            ("3085000000000006020101020101", .unsupportedFieldLength),
            ("3006020181020101", .invalidASN1IntegerEncoding),
            ("300702020001020101", .invalidASN1IntegerEncoding),
            ("30050200020101", .invalidASN1IntegerEncoding),
        ])
    func malformed(der: String, expected: CryptoKitASN1Error) {
        #expect(throws: expected) { try P256.Signing.ECDSASignature(derRepresentation: Data(hexadecimal: der)) }
    }

    @Test("numbers of a signature keep their length")
    func numbers() throws {
        let small = try P256.Signing.ECDSASignature(derRepresentation: Data(hexadecimal: "3006020101020100"))
        #expect(small.rawRepresentation == Data(count: 31) + [1] + Data(count: 32))
        #expect(small.derRepresentation.hexadecimal == "3006020101020100")
        let long = Data([0x30, 0x26, 0x02, 0x21]) + Data(repeating: 1, count: 33) + Data([0x02, 0x01, 0x01])
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.ECDSASignature(derRepresentation: long)
        }
        for count in [0, 63, 65] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try P256.Signing.ECDSASignature(rawRepresentation: Data(count: count))
            }
        }
    }
}
