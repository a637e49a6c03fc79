import CryptoKit
import Foundation
import Testing

@Suite("CryptoKit: keys as DER and PEM")
struct CryptoDocumentTests {
    private static let secret = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
    private static let point = """
        60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
        """
    /// What OpenSSL writes of the key of RFC 6979.
    private static let pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX
        Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth
        +mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ
        -----END PRIVATE KEY-----
        """
    private static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIMmvqdhFunUWa1whV2ex1pNOUMPbNuibEnuKYisSD2choAoGCCqGSM49
        AwEHoUQDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8
        maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END EC PRIVATE KEY-----
        """
    private static let spki = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----
        """

    @Test("documents of OpenSSL are read, and written the same")
    func documents() throws {
        let key = try P256.Signing.PrivateKey(pemRepresentation: Self.pkcs8)
        #expect(key.rawRepresentation.hexadecimal == Self.secret)
        #expect(key.pemRepresentation == Self.pkcs8 && key.publicKey.pemRepresentation == Self.spki)
        let other = try P256.KeyAgreement.PrivateKey(pemRepresentation: Self.sec1)
        #expect(other.rawRepresentation == key.rawRepresentation)
        let point = try P256.Signing.PublicKey(pemRepresentation: Self.spki)
        #expect(point.rawRepresentation.hexadecimal == Self.point)
        #expect(
            try P256.Signing.PublicKey(derRepresentation: Array(point.derRepresentation)).pemRepresentation == Self.spki
        )
    }

    @Test("empty lines around a document and other line ends do not matter")
    func lines() throws {
        for text in ["\n\n" + Self.pkcs8 + "\n\n", Self.pkcs8.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n"] {
            #expect(try P256.Signing.PrivateKey(pemRepresentation: text).rawRepresentation.hexadecimal == Self.secret)
        }
    }

    @Test(
        "other texts are no documents",
        arguments: [
            "", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
            pkcs8.replacingOccurrences(of: "PRIVATE", with: "PUBLIC"), "x" + pkcs8, pkcs8 + "x", spki,
            pkcs8.replacingOccurrences(of: "END PRIVATE", with: "END EC PRIVATE"),
            pkcs8.replacingOccurrences(of: "PRIVATE", with: "ENCRYPTED PRIVATE"),
            pkcs8.replacingOccurrences(of: "MIGH", with: "MI*H"), pkcs8 + "\n" + pkcs8,
        ])
    func noDocument(text: String) {
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) { try P256.Signing.PrivateKey(pemRepresentation: text) }
    }

    /// The parts of the documents.
    private static let identifier = "06072a8648ce3d0201"
    private static let curve = "06082a8648ce3d030107"
    private static let bits = "04" + point

    private static let wrong: [(String, CryptoKitASN1Error)] = [
        // Nothing, something behind it, the beginning.
        ("", .truncatedASN1Field),
        ("30250201010420\(secret)00", .invalidASN1Object),
        ("30270201010420\(secret)0500", .invalidASN1Object),
        ("30250201010420\(secret.dropLast(2))", .truncatedASN1Field),
        // Another version, another type.
        ("30250201020420\(secret)", .invalidASN1Object),
        ("30250201010320\(secret)", .unexpectedFieldType),
        // Another curve: secp256k1, also as PKCS #8; another algorithm: RSA.
        ("302e0201010420\(secret)a00706052b8104000a", .invalidASN1Object),
        ("303e0201003010\(identifier)06052b8104000a042730250201010420\(secret)", .invalidASN1Object),
        ("303b020100300d06092a864886f70d0101010500042730250201010420\(secret)", .invalidASN1Object),
        // An identifier that ends in the middle.
        ("302e0201010420\(secret)a00706052b8104008a", .invalidObjectIdentifier),
        // The public key of another private key; bits that are no bytes.
        ("306b0201010420\(String(repeating: "01", count: 32))a144034200\(bits)", .invalidASN1Object),
        ("306b0201010420\(secret)a144034201\(bits)", .invalidASN1Object),
    ]

    @Test("private keys that are not quite right are refused", arguments: wrong)
    func wrongPrivate(der: String, expected: CryptoKitASN1Error) {
        #expect(throws: expected) { try P256.Signing.PrivateKey(derRepresentation: Data(hexadecimal: der)) }
    }

    @Test("what may be left out may be missing")
    func optional() throws {
        let short = try P256.Signing.PrivateKey(derRepresentation: Data(hexadecimal: "30250201010420" + Self.secret))
        #expect(short.publicKey.rawRepresentation.hexadecimal == Self.point)
        let inner = "042730250201010420" + Self.secret
        let algorithm = "3013" + Self.identifier + Self.curve
        let bare = try P256.Signing.PrivateKey(
            derRepresentation: Data(hexadecimal: "3041020100" + algorithm + inner))
        let attributed = try P256.Signing.PrivateKey(
            derRepresentation: Data(hexadecimal: "3043020100" + algorithm + inner + "a000"))
        #expect([bare, attributed].allSatisfy { $0.rawRepresentation == short.rawRepresentation })
    }

    @Test("a private key of another length, or past the order, is none")
    func numbers() {
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PrivateKey(
                derRepresentation: Data(hexadecimal: "3024020101041f" + Self.secret.dropLast(2)))
        }
        #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: -2)) {
            try P256.Signing.PrivateKey(
                derRepresentation: Data(hexadecimal: "30250201010420" + String(repeating: "ff", count: 32)))
        }
    }

    @Test("public keys that are not quite right are refused")
    func wrongPublic() throws {
        let algorithm = "3013" + Self.identifier + Self.curve
        let compressed = try P256.Signing.PublicKey(
            derRepresentation: Data(hexadecimal: "3039" + algorithm + "032200" + "03" + Self.point.prefix(64)))
        #expect(compressed.rawRepresentation.hexadecimal == Self.point)
        for (der, expected) in [
            ("305b\(algorithm)034200\(Self.bits)0500", CryptoKitASN1Error.invalidASN1Object),
            ("30563010\(Self.identifier)06052b8104000a034200\(Self.bits)", .invalidASN1Object),
            ("3059\(algorithm)034207\(Self.bits)", .invalidASN1Object),
            ("3015\(algorithm)", .truncatedASN1Field),
        ] {
            #expect(throws: expected) { try P256.Signing.PublicKey(derRepresentation: Data(hexadecimal: der)) }
        }
        // A point that is not on the curve, and one at infinity.
        let off = Self.point.dropLast(2) + "98"
        #expect(throws: CryptoKitError.underlyingCoreCryptoError(error: -2)) {
            try P256.Signing.PublicKey(derRepresentation: Data(hexadecimal: "3059" + algorithm + "03420004" + off))
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PublicKey(derRepresentation: Data(hexadecimal: "3019" + algorithm + "03020000"))
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P384.Signing.PublicKey(pemRepresentation: Self.spki)
        }
    }

    @Test("there is no Secure Enclave, and errors say what to do")
    func enclave() {
        #expect(!SecureEnclave.isAvailable)
        let error = #expect(throws: CryptoKitError.self) { try SecureEnclave.P256.Signing.PrivateKey() }
        #expect(error?.localizedDescription.contains("no Secure Enclave") == true)
        #expect(CryptoKitError.authenticationFailure.localizedDescription.contains("not authentic"))
        #expect(CryptoKitError.underlyingCoreCryptoError(error: 0x1C800066).localizedDescription.contains("1c800066"))
    }
}
