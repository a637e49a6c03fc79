import CryptoKit
import Foundation
import Testing

@Suite("CryptoKit: hash functions, HMAC, HKDF")
struct CryptoHashTests {
    @Test("digests of FIPS 180 and RFC 1321")
    func known() {
        let message = Data("abc".utf8)
        #expect(
            SHA256.hash(data: message).hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            SHA384.hash(data: message).hexadecimal
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        #expect(
            SHA512.hash(data: message).hexadecimal
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
        #expect(Insecure.SHA1.hash(data: message).hexadecimal == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(Insecure.MD5.hash(data: message).hexadecimal == "900150983cd24fb0d6963f7d28e17f72")
        #expect(Insecure.MD5.hash(data: Data()).hexadecimal == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(
            SHA256().finalize().hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("parts give the digest of the whole, and a copy goes on by itself")
    func parts() {
        let million = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
        var function = SHA256()
        for start in stride(from: 0, to: million.count, by: 999) {
            function.update(data: million[start..<min(start + 999, million.count)])
        }
        let whole = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(function.finalize().hexadecimal == whole)
        #expect(function.finalize().hexadecimal == whole)
        var copy = function
        copy.update(data: Data([1]))
        #expect(copy.finalize() != function.finalize())
        #expect(function.finalize().hexadecimal == whole)
        unsafe [UInt8](million).withUnsafeBytes { #expect(unsafe SHA256.hash(bufferPointer: $0).hexadecimal == whole) }
        // Data in several pieces.
        var pieces = DispatchData.empty
        for part in ["a", "", "bc"] { Array(part.utf8).withUnsafeBytes { unsafe pieces.append($0) } }
        #expect(SHA256.hash(data: pieces) == SHA256.hash(data: Data("abc".utf8)))
    }

    @Test("a digest is a sequence, can be compared with data, and describes itself as on iOS")
    func digest() {
        let digest = SHA256.hash(data: Data("abc".utf8))
        #expect(Array(digest).count == 32 && SHA256.byteCount == 32 && SHA256Digest.byteCount == 32)
        #expect(digest == Data(digest) && digest != Data(digest.dropLast()) && digest != Data(count: 32))
        #expect(digest.description.hasPrefix("SHA256 digest: ba7816bf8f01"))
        #expect("\(Insecure.MD5.hash(data: Data()))" == "MD5 digest: d41d8cd98f00b204e9800998ecf8427e")
        #expect("\(Insecure.SHA1.hash(data: Data()))".hasPrefix("SHA1 digest: da39a3ee"))
        #expect(digest.map { String(format: "%02x", $0) }.joined() == digest.hexadecimal)
        #expect(Set([digest, SHA256.hash(data: Data("abc".utf8)), SHA256.hash(data: Data())]).count == 2)
        #expect(SHA256.blockByteCount == 64 && SHA384.blockByteCount == 128 && SHA512.blockByteCount == 128)
        #expect(SHA384.byteCount == 48 && SHA512.byteCount == 64 && Insecure.SHA1.byteCount == 20)
    }

    @Test(
        "codes of RFC 4231",
        arguments: [
            (
                String(repeating: "0b", count: 20), Data("Hi There".utf8).hexadecimal,
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Data("Jefe".utf8).hexadecimal, Data("what do ya want for nothing?".utf8).hexadecimal,
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                String(repeating: "aa", count: 131),
                Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8).hexadecimal,
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func code(key: String, message: String, expected: String) {
        let (key, message) = (SymmetricKey(data: Data(hexadecimal: key)), Data(hexadecimal: message))
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        #expect(code.hexadecimal == expected && code.byteCount == 32)
        #expect(code.description == "HMAC with SHA256: \(expected)")
        var parts = HMAC<SHA256>(key: key)
        for byte in message { parts.update(data: [byte]) }
        #expect(parts.finalize() == code && code == Data(hexadecimal: expected))
        #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key))
        #expect(HMAC<SHA256>.isValidAuthenticationCode(Data(code), authenticating: message, using: key))
        #expect(!HMAC<SHA256>.isValidAuthenticationCode(Data(code).dropLast(), authenticating: message, using: key))
        #expect(!HMAC<SHA256>.isValidAuthenticationCode(Data(), authenticating: message, using: key))
        #expect(!HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message + [0], using: key))
    }

    @Test("codes with other hash functions, and with an empty key")
    func otherCodes() {
        let (key, message) = (SymmetricKey(data: Data("Jefe".utf8)), Data("what do ya want for nothing?".utf8))
        #expect(
            HMAC<SHA512>.authenticationCode(for: message, using: key).hexadecimal
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
        #expect(
            HMAC<Insecure.MD5>.authenticationCode(for: message, using: key).hexadecimal
                == "750c783e6ab0b503eaa86e310a5db738")
        #expect(
            HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key).hexadecimal
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
        #expect(
            HMAC<SHA256>.authenticationCode(for: Data(), using: SymmetricKey(data: Data())).hexadecimal
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("keys of RFC 5869")
    func derivation() {
        let secret = SymmetricKey(data: Data(repeating: 0x0B, count: 22))
        let (salt, info) = (Data(0x00...0x0C), Data(0xF0...0xF9))
        let expected =
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        #expect(
            HKDF<SHA256>.extract(inputKeyMaterial: secret, salt: salt).hexadecimal
                == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
        #expect(
            bytes(HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, salt: salt, info: info, outputByteCount: 42))
                == expected)
        #expect(
            bytes(HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, outputByteCount: 42))
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
        #expect(
            bytes(HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, salt: salt, info: info, outputByteCount: 5))
                == String(expected.prefix(10)))
        #expect(
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: info, outputByteCount: 255 * 32).bitCount == 65280)
    }

    private func bytes(_ key: SymmetricKey) -> String { key.withUnsafeBytes { Array($0) }.hexadecimal }

    @Test("a key has the length that was asked for, and compares by its bytes")
    func symmetricKey() {
        #expect(SymmetricKey(size: .bits128).bitCount == 128 && SymmetricKey(size: .bits256).bitCount == 256)
        #expect(SymmetricKey(size: SymmetricKeySize(bitCount: 8)).bitCount == 8)
        #expect(SymmetricKey(size: .bits192) != SymmetricKey(size: .bits192))
        #expect(SymmetricKey(data: [1, 2, 3] as [UInt8]) == SymmetricKey(data: Data([1, 2, 3])))
        #expect(SymmetricKey(data: [1, 2, 3] as [UInt8]) != SymmetricKey(data: Data([1, 2])))
        #expect(SymmetricKey(data: SHA256.hash(data: Data())).bitCount == 256)
    }
}
