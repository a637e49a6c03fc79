import CLinux

/// A certificate and its key, as OpenSSL reads them.
package enum KeyPair {
    /// Why the two PEM files cannot be used together, in OpenSSL's words; nil: they can, or the machine lacks OpenSSL.
    package static func fault(certificate: [UInt8], key: [UInt8]) -> String? {
        unsafe clinux_key_fault(certificate, certificate.count, key, key.count).map { unsafe String(cString: $0) }
    }
}
