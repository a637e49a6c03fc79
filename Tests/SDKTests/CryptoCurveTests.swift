import CryptoKit
import Foundation
import Testing

@Suite("CryptoKit: Curve25519")
struct CryptoCurveTests {
    @Test("the agreement of RFC 7748")
    func agreement() throws {
        let alice = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: Data(hexadecimal: "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
        let bob = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: Data(hexadecimal: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        #expect(alice.rawRepresentation.hexadecimal.hasPrefix("77076d0a") && alice.rawRepresentation.count == 32)
        #expect(
            alice.publicKey.rawRepresentation.hexadecimal
                == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        let secret = try alice.sharedSecretFromKeyAgreement(with: bob.publicKey)
        #expect(try secret == bob.sharedSecretFromKeyAgreement(with: alice.publicKey))
        #expect(secret == Data(hexadecimal: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
        #expect(secret.description == "SharedSecret: 32 bytes")
        let raw = unsafe secret.withUnsafeBytes { unsafe SymmetricKey(data: Data($0)) }
        let salt = Data("salt".utf8)
        #expect(
            secret.hkdfDerivedSymmetricKey(using: SHA256.self, salt: salt, sharedInfo: Data([1]), outputByteCount: 32)
                == HKDF<SHA256>.deriveKey(inputKeyMaterial: raw, salt: salt, info: Data([1]), outputByteCount: 32))
        // By its definition: digests of the secret, a counter and the shared data.
        let blocks = [1, 2].map { number in
            var function = SHA256()
            unsafe secret.withUnsafeBytes { unsafe function.update(bufferPointer: $0) }
            function.update(data: Data([0, 0, 0, UInt8(number), 9]))
            return Data(function.finalize())
        }
        #expect(
            secret.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: Data([9]), outputByteCount: 40)
                == SymmetricKey(data: (blocks[0] + blocks[1]).prefix(40)))
    }

    @Test(
        "points of small order give no secret",
        arguments: [
            String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31),
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(point: String) throws {
        let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(hexadecimal: point))
        let error = #expect(throws: CryptoKitError.self) {
            try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: other)
        }
        guard case .underlyingCoreCryptoError = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test(
        "signatures of RFC 8032",
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
                d25bf5f0595bbe24655141438e7a100b
                """
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
                387b2eaeb4302aeeb00d291612bb0c00
                """
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659\
                4a7c15e9716ed28dc027beceea1ec40a
                """
            ),
        ])
    func signatures(secret: String, point: String, message: String, expected: String) throws {
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(hexadecimal: secret))
        let message = Data(hexadecimal: message)
        let signature = try key.signature(for: message)
        #expect(key.publicKey.rawRepresentation.hexadecimal == point && key.rawRepresentation.hexadecimal == secret)
        #expect(signature.hexadecimal == expected)
        let verifying = try Curve25519.Signing.PublicKey(rawRepresentation: Data(hexadecimal: point))
        #expect(verifying.isValidSignature(signature, for: message))
        #expect(!verifying.isValidSignature(signature, for: message + [0]))
        #expect(!verifying.isValidSignature(signature.dropLast(), for: message))
        #expect(!verifying.isValidSignature(signature + [0], for: message))
        #expect(!verifying.isValidSignature(Data(), for: message))
        for place in [0, 31, 32, 63] {
            var other = signature
            other[place] ^= 1
            #expect(!verifying.isValidSignature(other, for: message))
        }
        // The same signature with its number past the group's order, which others could make of it.
        let order = Data(hexadecimal: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var (number, carry) = ([UInt8](), 0)
        for (a, b) in zip(signature[32...], order) {
            carry += Int(a) + Int(b)
            number.append(UInt8(carry & 0xFF))
            carry >>= 8
        }
        #expect(!verifying.isValidSignature(signature[..<32] + number, for: message))
        #expect(!Curve25519.Signing.PrivateKey().publicKey.isValidSignature(signature, for: message))
    }

    @Test("keys of another length than 32 bytes are refused", arguments: [0, 31, 33, 65])
    func lengths(count: Int) {
        let bytes = Data(count: count)
        #expect(throws: CryptoKitError.incorrectKeySize) { try Curve25519.Signing.PrivateKey(rawRepresentation: bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try Curve25519.Signing.PublicKey(rawRepresentation: bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
        }
    }

    @Test("32 bytes that are no point verify nothing")
    func noPoint() throws {
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: Data([2] + [UInt8](repeating: 0, count: 31)))
        #expect(!key.isValidSignature(Data(count: 64), for: Data("text".utf8)))
    }
}
