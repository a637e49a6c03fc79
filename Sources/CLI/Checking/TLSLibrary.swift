import CCrypto
import Linux

/// OpenSSL's functions for a certificate and its key, mapped when they are asked for: nothing else of the command line needs them.
struct TLSLibrary {
    typealias Handle = UnsafeMutableRawPointer
    /// Reads PEM: from, a place to store to, a callback for the passphrase, and the passphrase.
    typealias Read = @convention(c) (Handle, Handle?, Handle?, UnsafePointer<CChar>?) -> Handle?

    let method: @convention(c) () -> Handle?
    let makeContext: @convention(c) (Handle?) -> Handle?
    let freeContext: @convention(c) (Handle) -> Void
    let makeText: @convention(c) (UnsafeRawPointer?, Int32) -> Handle?
    let freeText: @convention(c) (Handle) -> Int32
    let readCertificate: Read
    let freeCertificate: @convention(c) (Handle) -> Void
    let readKey: Read
    let freeKey: @convention(c) (Handle) -> Void
    let useCertificate: @convention(c) (Handle, Handle) -> Int32
    let useKey: @convention(c) (Handle, Handle) -> Int32
    let checkKey: @convention(c) (Handle) -> Int32
    let error: @convention(c) () -> UInt
    let reason: @convention(c) (UInt) -> UnsafePointer<CChar>?

    /// nil: the machine lacks it. It stays mapped.
    init?() {
        guard let image = try? LoadedLibrary("libssl.so.\(OPENSSL_SHLIB_VERSION)") else { return nil }
        // Those of libcrypto as well. The types are those of OpenSSL's headers.
        func find<Function>(_ name: String) -> Function? { image.function(name) }
        guard let method: @convention(c) () -> Handle? = find("TLS_client_method"),
            let makeContext: @convention(c) (Handle?) -> Handle? = find("SSL_CTX_new"),
            let freeContext: @convention(c) (Handle) -> Void = find("SSL_CTX_free"),
            let makeText: @convention(c) (UnsafeRawPointer?, Int32) -> Handle? = find("BIO_new_mem_buf"),
            let freeText: @convention(c) (Handle) -> Int32 = find("BIO_free"),
            let readCertificate: Read = find("PEM_read_bio_X509_AUX"),
            let freeCertificate: @convention(c) (Handle) -> Void = find("X509_free"),
            let readKey: Read = find("PEM_read_bio_PrivateKey"),
            let freeKey: @convention(c) (Handle) -> Void = find("EVP_PKEY_free"),
            let useCertificate: @convention(c) (Handle, Handle) -> Int32 = find("SSL_CTX_use_certificate"),
            let useKey: @convention(c) (Handle, Handle) -> Int32 = find("SSL_CTX_use_PrivateKey"),
            let checkKey: @convention(c) (Handle) -> Int32 = find("SSL_CTX_check_private_key"),
            let error: @convention(c) () -> UInt = find("ERR_get_error"),
            let reason: @convention(c) (UInt) -> UnsafePointer<CChar>? = find("ERR_reason_error_string")
        else { return nil }
        self.method = method
        self.makeContext = makeContext
        self.freeContext = freeContext
        self.makeText = makeText
        self.freeText = freeText
        self.readCertificate = readCertificate
        self.freeCertificate = freeCertificate
        self.readKey = readKey
        self.freeKey = freeKey
        self.useCertificate = useCertificate
        self.useKey = useKey
        self.checkKey = checkKey
        self.error = error
        self.reason = reason
    }
}
