import Foundation

/// Why an operation of CryptoKit failed.
public enum CryptoKitError: Error {
    /// The key has a length that the algorithm does not have.
    case incorrectKeySize
    /// A parameter, such as a nonce or the representation of a key, has the wrong length.
    case incorrectParameterSize
    /// The tag of the sealed data is not that of this key, nonce, text and authenticated data.
    case authenticationFailure
    /// OpenSSL could not do it.
    /// - Parameter error: OpenSSL's error code. −1: libcrypto cannot be loaded, and the journal says why. −2: the input is
    ///   not valid, such as a point that is not on the curve. −4: there is no Secure Enclave.
    case underlyingCoreCryptoError(error: Int32)
    /// The key cannot be wrapped.
    case wrapFailure
    /// The data is not a key that was wrapped with this one.
    case unwrapFailure
    /// A parameter is not valid.
    case invalidParameter
}

extension CryptoKitError: Equatable, LocalizedError {
    /// What went wrong, and what to do.
    public var errorDescription: String? {
        switch self {
        case .incorrectKeySize: "the key has a wrong length; use one of a length that the algorithm has"
        case .incorrectParameterSize: "a parameter has a wrong length; compare it with the algorithm's"
        case .authenticationFailure: "the data is not authentic; it was changed, or sealed with another key or nonce"
        case .underlyingCoreCryptoError(Libcrypto.missing): Libcrypto.fault
        case .underlyingCoreCryptoError(Libcrypto.refused):
            "the input is not valid for this algorithm; check its origin"
        case .underlyingCoreCryptoError(SecureEnclave.unimplemented):
            "there is no Secure Enclave on this machine; ask SecureEnclave.isAvailable first"
        case .underlyingCoreCryptoError(let code):
            "OpenSSL could not do it; `openssl errstr \(String(UInt32(bitPattern: code), radix: 16))` names the reason"
        case .wrapFailure: "the key cannot be wrapped; its length has to be a multiple of 8 bytes, and at least 16"
        case .unwrapFailure: "this is no key that was wrapped with the given one; use the key that wrapped it"
        case .invalidParameter: "a parameter is not valid; compare it with the algorithm's"
        }
    }
}

/// Why a DER or PEM document could not be read.
public enum CryptoKitASN1Error: Error, Equatable {
    /// A tag has a form that is not supported.
    case invalidFieldIdentifier
    /// There is another type than the one that is expected here.
    case unexpectedFieldType
    /// An object identifier is not one.
    case invalidObjectIdentifier
    /// The object is not a key or signature of this algorithm, or something follows it.
    case invalidASN1Object
    /// A number is negative, or not in the shortest form.
    case invalidASN1IntegerEncoding
    /// The document ends inside of a field.
    case truncatedASN1Field
    /// A length is not in the shortest form, or indefinite.
    case unsupportedFieldLength
    /// The text is not a PEM document of the expected kind.
    case invalidPEMDocument
}
