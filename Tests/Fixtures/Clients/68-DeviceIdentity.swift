// Runs in ClientNames.
import CryptoKit
import Foundation

/// The keys of a device: one that signs, and one that others encrypt to.
struct DeviceIdentity {
    enum Failure: Error { case signature }

    let signing: Curve25519.Signing.PrivateKey
    let agreement: Curve25519.KeyAgreement.PrivateKey

    init() {
        signing = Curve25519.Signing.PrivateKey()
        agreement = Curve25519.KeyAgreement.PrivateKey()
    }

    init(stored: Data) throws {
        signing = try Curve25519.Signing.PrivateKey(rawRepresentation: stored.prefix(32))
        agreement = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: stored.suffix(32))
    }

    var stored: Data { signing.rawRepresentation + agreement.rawRepresentation }

    var fingerprint: String {
        SHA256.hash(data: signing.publicKey.rawRepresentation).prefix(8).map { String(format: "%02x", $0) }.joined(
            separator: ":")
    }

    private func key(with other: Curve25519.KeyAgreement.PublicKey) throws -> SymmetricKey {
        try agreement.sharedSecretFromKeyAgreement(with: other)
            .hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: Data(), sharedInfo: Data("chat".utf8), outputByteCount: 32)
    }

    func seal(_ text: String, to other: Curve25519.KeyAgreement.PublicKey) throws -> (box: Data, signature: Data) {
        let box = try AES.GCM.seal(Data(text.utf8), using: key(with: other)).combined!
        return (box, try signing.signature(for: box))
    }

    func open(
        _ box: Data, signature: Data, from other: Curve25519.KeyAgreement.PublicKey,
        signedBy signer: Curve25519.Signing.PublicKey
    ) throws -> String {
        guard signer.isValidSignature(signature, for: box) else { throw Failure.signature }
        return String(
            decoding: try AES.GCM.open(AES.GCM.SealedBox(combined: box), using: key(with: other)), as: UTF8.self)
    }
}

@MainActor
func tryDeviceIdentity() throws {
    let (mine, yours) = (DeviceIdentity(), DeviceIdentity())
    let (box, signature) = try mine.seal("hello", to: yours.agreement.publicKey)
    let again = try DeviceIdentity(stored: yours.stored)
    precondition(again.fingerprint == yours.fingerprint && mine.fingerprint != yours.fingerprint)
    let text = try again.open(
        box, signature: signature, from: mine.agreement.publicKey, signedBy: mine.signing.publicKey)
    precondition(text == "hello")
    do {
        _ = try again.open(
            box, signature: signature, from: mine.agreement.publicKey, signedBy: yours.signing.publicKey)
        preconditionFailure("the signature of another was taken")
    } catch DeviceIdentity.Failure.signature {}
}
