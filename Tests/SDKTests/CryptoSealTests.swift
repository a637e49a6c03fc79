import CryptoKit
import Foundation
import Testing

@Suite("CryptoKit: authenticated encryption")
struct CryptoSealTests {
    /// Test case 4 and 16 of the specification of GCM.
    private static let text = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
        b16aedf5aa0de657ba637b39
        """
    private static let extra = Data(hexadecimal: "feedfacedeadbeeffeedfacedeadbeefabaddad2")

    @Test(
        "boxes of the specification of GCM",
        arguments: [
            (
                "feffe9928665731c6d6a8f9467308308",
                """
                42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05\
                1ba30b396a0aac973d58e091
                """,
                "5bc94fbc3221a5db94fae95ae7121a47"
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
                """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
                c5f61e6393ba7a0abcc9f662
                """,
                "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
        ])
    func known(key: String, ciphertext: String, tag: String) throws {
        let key = SymmetricKey(data: Data(hexadecimal: key))
        let nonce = try AES.GCM.Nonce(data: Data(hexadecimal: "cafebabefacedbaddecaf888"))
        let message = Data(hexadecimal: Self.text)
        let box = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: Self.extra)
        #expect(box.ciphertext.hexadecimal == ciphertext && box.tag.hexadecimal == tag)
        #expect(box.combined == Data(nonce) + box.ciphertext + box.tag)
        #expect(try AES.GCM.open(box, using: key, authenticating: Self.extra) == message)
    }

    @Test("the box of RFC 8439")
    func chachaPoly() throws {
        let message = Data(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8)
        let key = SymmetricKey(data: Data(0x80...0x9F))
        let extra = Data(hexadecimal: "50515253c0c1c2c3c4c5c6c7")
        let nonce = try ChaChaPoly.Nonce(data: Data(hexadecimal: "070000004041424344454647"))
        let box = try ChaChaPoly.seal(message, using: key, nonce: nonce, authenticating: extra)
        #expect(
            box.ciphertext.hexadecimal.hasPrefix("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"))
        #expect(box.ciphertext.hexadecimal.hasSuffix("3ff4def08e4b7a9de576d26586cec64b6116"))
        #expect(box.tag.hexadecimal == "1ae10b594f09e26a7e902ecbd0600691")
        #expect(
            try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: box.combined), using: key, authenticating: extra)
                == message)
        #expect(throws: CryptoKitError.authenticationFailure) { try ChaChaPoly.open(box, using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try ChaChaPoly.seal(message, using: SymmetricKey(size: .bits128))
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.Nonce(data: Data(count: 13)) }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.SealedBox(combined: Data(count: 27)) }
        let empty = try ChaChaPoly.seal(Data(), using: key)
        #expect(empty.combined.count == 28 && Array(empty.nonce).count == 12)
        #expect(try ChaChaPoly.open(empty, using: key).isEmpty)
    }

    @Test("what differs by one bit, or is shorter, is not opened")
    func changed() throws {
        let key = SymmetricKey(size: .bits192)
        let combined = try #require(try AES.GCM.seal(Data("text".utf8), using: key).combined)
        #expect(combined.count == 12 + 4 + 16)
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key) == Data("text".utf8))
        for place in combined.indices {
            var other = combined
            other[place] ^= 1
            let box = try AES.GCM.SealedBox(combined: other)
            #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
        }
        let shorter = try AES.GCM.SealedBox(combined: combined.dropLast())
        #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(shorter, using: key) }
        let box = try AES.GCM.SealedBox(combined: combined.dropFirst(0))
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(box, using: SymmetricKey(size: .bits192))
        }
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(box, using: key, authenticating: Data([1]))
        }
    }

    @Test("lengths are checked")
    func lengths() throws {
        let key = SymmetricKey(size: .bits128)
        let box = try AES.GCM.seal([UInt8](), using: key)
        #expect(box.ciphertext.isEmpty && box.combined?.count == 28)
        #expect(try AES.GCM.open(box, using: key).isEmpty)
        for bits in [8, 120, 136, 512] {
            let wrong = SymmetricKey(size: SymmetricKeySize(bitCount: bits))
            #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(Data(), using: wrong) }
            #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.open(box, using: wrong) }
        }
        for count in [0, 11, 129] {
            #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: Data(count: count)) }
        }
        for count in [0, 12, 15, 17] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(), ciphertext: Data(), tag: Data(count: count))
            }
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.SealedBox(combined: Data(count: 27)) }
        let long = try AES.GCM.seal(Data("x".utf8), using: key, nonce: AES.GCM.Nonce(data: Data(count: 128)))
        #expect(try long.combined == nil && AES.GCM.open(long, using: key) == Data("x".utf8))
    }

    @Test("a slice of data, and data in pieces, give the same box")
    func pieces() throws {
        let (key, nonce) = (SymmetricKey(size: .bits256), AES.GCM.Nonce())
        let whole = Data(0...99)
        var pieces = DispatchData.empty
        for part in [Array(whole[..<40]), Array(whole[40...])] { part.withUnsafeBytes { unsafe pieces.append($0) } }
        let box = try AES.GCM.seal(whole, using: key, nonce: nonce, authenticating: whole)
        #expect(try AES.GCM.seal(pieces, using: key, nonce: nonce, authenticating: pieces).combined == box.combined)
        let combined = try #require(box.combined)
        let slice = (Data([1, 2, 3]) + combined + [4])[3...].dropLast()
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: slice), using: key, authenticating: pieces) == whole)
    }

    @Test("wrapped keys of RFC 3394")
    func wrap() throws {
        let kek = SymmetricKey(data: Data(0...0x0F))
        let key = SymmetricKey(data: Data(hexadecimal: "00112233445566778899aabbccddeeff"))
        let wrapped = try AES.KeyWrap.wrap(key, using: kek)
        #expect(wrapped.hexadecimal == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5")
        #expect(try AES.KeyWrap.unwrap(wrapped, using: kek) == key)
        #expect(throws: CryptoKitError.unwrapFailure) {
            try AES.KeyWrap.unwrap(wrapped, using: SymmetricKey(size: .bits128))
        }
        #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(wrapped.dropLast(), using: kek) }
        #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(wrapped.dropLast(8), using: kek) }
        #expect(throws: CryptoKitError.wrapFailure) {
            try AES.KeyWrap.wrap(SymmetricKey(size: SymmetricKeySize(bitCount: 136)), using: kek)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try AES.KeyWrap.wrap(key, using: SymmetricKey(size: SymmetricKeySize(bitCount: 64)))
        }
    }
}
