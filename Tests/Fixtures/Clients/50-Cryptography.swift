import CryptoKit
import Foundation

/// The digest of a file of any size, as since iOS 13.
enum Checksum {
    static func sha256(of url: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        var hasher = SHA256()
        while let part = try handle.read(upToCount: 1 << 16), !part.isEmpty { hasher.update(data: part) }
        return hasher.finalize().map { String(format: "%02hhx", $0) }.joined()
    }

    static func md5(_ text: String) -> String {
        Insecure.MD5.hash(data: text.data(using: .utf8)!).compactMap { String(format: "%02x", $0) }.joined()
    }

    static func isUnchanged(_ data: Data, _ known: SHA256.Digest) -> Bool { SHA256.hash(data: data) == known }
}

/// What code keeps keys behind, so that types of CryptoKit adopt it.
protocol KeyConvertible: CustomStringConvertible {
    init<D>(rawRepresentation data: D) throws where D: ContiguousBytes
    var rawRepresentation: Data { get }
}

extension KeyConvertible {
    /// Never the key itself.
    public var description: String { rawRepresentation.withUnsafeBytes { "a key of \($0.count) bytes" } }
}

extension Curve25519.KeyAgreement.PrivateKey: KeyConvertible {}
extension Curve25519.Signing.PrivateKey: KeyConvertible {}
extension P256.Signing.PrivateKey: KeyConvertible {}
extension P384.Signing.PrivateKey: KeyConvertible {}

extension SymmetricKey: KeyConvertible {
    init<D>(rawRepresentation data: D) throws where D: ContiguousBytes { self.init(data: data) }
    var rawRepresentation: Data { withUnsafeBytes { Data(Array($0)) } }
}

/// A cache whose files are sealed.
final class SealedCache {
    private let folder: URL
    private let key: SymmetricKey

    init(folder: URL, password: String, salt: Data) {
        self.folder = folder
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: SHA256.hash(data: Data(password.utf8))), salt: salt,
            info: Data("cache".utf8), outputByteCount: 32)
    }

    private func place(of name: String) -> URL {
        let digest = SHA256.hash(data: Data(name.utf8))
        return folder.appendingPathComponent(digest.prefix(8).map { String($0, radix: 16) }.joined())
    }

    func store<Value: Encodable>(_ value: Value, as name: String) throws {
        let box = try AES.GCM.seal(JSONEncoder().encode(value), using: key, authenticating: Data(name.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        try combined.write(to: place(of: name), options: .atomic)
    }

    func value<Value: Decodable>(_ type: Value.Type, of name: String) -> Value? {
        do {
            let box = try AES.GCM.SealedBox(combined: Data(contentsOf: place(of: name)))
            return try JSONDecoder().decode(type, from: AES.GCM.open(box, using: key, authenticating: Data(name.utf8)))
        } catch CryptoKitError.authenticationFailure {
            print("not ours")
        } catch let error as CryptoKitError {
            print(error)
        } catch {}
        return nil
    }
}

/// Requests that a server can check.
struct RequestSigner {
    let key: SymmetricKey
    let identity = P256.Signing.PrivateKey()

    func signed(_ request: URLRequest) throws -> URLRequest {
        var request = request
        let body = request.httpBody ?? Data()
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        request.setValue(Data(code).base64EncodedString(), forHTTPHeaderField: "X-Code")
        let signature = try identity.signature(for: body)
        request.setValue(signature.derRepresentation.base64EncodedString(), forHTTPHeaderField: "X-Signature")
        request.setValue(identity.publicKey.pemRepresentation, forHTTPHeaderField: "X-Key")
        return request
    }

    func isValid(_ response: Data, code: Data, signature: Data, by pem: String) throws -> Bool {
        guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: response, using: key) else { return false }
        let key = try P256.Signing.PublicKey(pemRepresentation: pem)
        let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
        return key.isValidSignature(signature, for: response)
    }
}

/// Two parties that agree on a key.
func exchange(with other: Curve25519.KeyAgreement.PublicKey, text: String) throws -> (Data, Data) {
    let mine = Curve25519.KeyAgreement.PrivateKey()
    let secret = try mine.sharedSecretFromKeyAgreement(with: other)
    let key = secret.hkdfDerivedSymmetricKey(
        using: SHA512.self, salt: "salt".data(using: .utf8)!, sharedInfo: Data(), outputByteCount: 32)
    let box = try ChaChaPoly.seal(text.data(using: .utf8)!, using: key, nonce: ChaChaPoly.Nonce())
    return (mine.publicKey.rawRepresentation, box.combined)
}

/// The number that an authenticator shows.
func oneTimePassword(secret: Data, time: Date) -> String {
    var counter = UInt64(time.timeIntervalSince1970 / 30).bigEndian
    let message = withUnsafeBytes(of: &counter) { Data($0) }
    let code = HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret))
    let bytes = Array(code)
    let start = Int(bytes[bytes.count - 1] & 0x0F)
    let number = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    return String(format: "%06u", number % 1_000_000)
}

/// A nonce for a sign-in, and what the server is told of it.
func hashed(_ nonce: String) -> String {
    SHA256.hash(data: Data(nonce.utf8)).compactMap { String(format: "%02x", $0) }.joined()
}

func makeKey() throws -> Data {
    if SecureEnclave.isAvailable { return try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation }
    return P256.Signing.PrivateKey().rawRepresentation
}
