import CCurl
import TaskModel
import Wire

/// The options of an exchange for authentication, proxy and content.
extension Attempt {
    func setProxy(_ easy: UnsafeMutableRawPointer) {
        // Empty: none, regardless of the environment.
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_PROXY, order.proxy)
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_NOPROXY, "")
        _ = unsafe taskhost_curl_set_number(easy, CURLOPT_PROXYAUTH, Self.signIns)
        unsafe taskhost_curl_set_gates(
            easy, ExchangeCallbacks.open, ExchangeCallbacks.use, Unmanaged.passUnretained(self).toOpaque())
    }

    func setCredentials(_ easy: UnsafeMutableRawPointer, _ request: ExchangeRequest) {
        guard !request.user.isEmpty else { return }
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_USERNAME, request.user)
        _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_PASSWORD, request.password)
        _ = unsafe taskhost_curl_set_number(easy, CURLOPT_HTTPAUTH, Self.signIns)
    }

    /// CURLAUTH_BASIC and CURLAUTH_DIGEST: the server chooses.
    private static let signIns = 1 << 0 | 1 << 1

    /// Certificates and pins are for the host of the order's URL. Others that a redirect leads to are trusted as the system
    /// trusts them, and get no certificate.
    func setSecurity(_ easy: UnsafeMutableRawPointer, _ request: ExchangeRequest) throws(TransferFault) {
        guard request.url.isSecure, request.url.host == TransferURL(order.url)?.host else { return }
        if !order.certificate.isEmpty {
            guard
                unsafe taskhost_curl_set_blob(easy, CURLOPT_SSLCERT_BLOB, order.certificate, order.certificate.count)
                    == CURLE_OK,
                unsafe taskhost_curl_set_blob(easy, CURLOPT_SSLKEY_BLOB, order.key, order.key.count) == CURLE_OK
            else { throw TransferFault(.interrupted, .unknown, "the transfer process has no memory") }
            // Without a passphrase OpenSSL would ask libcurl for one, which reads it from no address at all (7.88).
            _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_KEYPASSWD, "")
            // A connection belongs to the key that opened it, and libcurl distinguishes connections only by the certificate,
            // which is public.
            _ = unsafe taskhost_curl_set_number(easy, CURLOPT_FRESH_CONNECT, 1)
            _ = unsafe taskhost_curl_set_number(easy, CURLOPT_FORBID_REUSE, 1)
        }
        if !order.authorities.isEmpty {
            guard
                unsafe taskhost_curl_set_blob(easy, CURLOPT_CAINFO_BLOB, order.authorities, order.authorities.count)
                    == CURLE_OK
            else { throw TransferFault(.interrupted, .unknown, "the transfer process has no memory") }
            // Instead of the system's, not in addition.
            _ = unsafe taskhost_curl_set_pointer(easy, CURLOPT_CAPATH, nil)
        }
        if !order.pins.isEmpty {
            guard let pins = Self.pins(order.pins),
                unsafe taskhost_curl_set_pointer(easy, CURLOPT_PINNEDPUBLICKEY, pins) == CURLE_OK
            else {
                throw TransferFault(
                    .failed, .serverCertificateUntrusted,
                    "a pin of the manifest is none; write sha256/ and 44 letters of base64")
            }
        }
    }

    /// `sha256/…` as libcurl writes them; nil: one of them is none.
    private static func pins(_ pins: [String]) -> String? {
        let hashes = pins.map { pin in pin.hasPrefix("sha256/") ? pin.dropFirst("sha256/".count) : "" }
        guard hashes.allSatisfy({ $0.utf8.count == 44 && !$0.contains(";") }) else { return nil }
        return hashes.map { "sha256//\($0)" }.joined(separator: ";")
    }

    func setContent(_ easy: UnsafeMutableRawPointer, _ request: ExchangeRequest) {
        guard let content = request.content else { return }
        unsafe taskhost_curl_set_content(
            easy, ExchangeCallbacks.content, ExchangeCallbacks.rewind, Unmanaged.passUnretained(self).toOpaque(),
            content.upperBound - content.lowerBound)
    }
}
