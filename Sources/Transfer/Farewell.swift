import CCurl

/// Whether the server ends TLS with close_notify: a body of unknown length is whole only then (RFC 9112 9.8).
// What OpenSSL writes to lives as long as its watch.
@safe final class Farewell {
    private let seen = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    private let watched: UnsafeMutableRawPointer

    /// nil: the present exchange has no TLS, its bodies have ends of their own (HTTP/2), or libcurl has not OpenSSL.
    init?(_ easy: UnsafeMutableRawPointer) {
        unsafe seen.initialize(to: 0)
        guard unsafe taskhost_curl_number(easy, CURLINFO_HTTP_VERSION) <= CURL_HTTP_VERSION_1_1,
            let watched = unsafe taskhost_curl_watch_close(easy, seen)
        else {
            unsafe seen.deallocate()
            return nil
        }
        unsafe self.watched = watched
    }

    deinit {
        unsafe taskhost_curl_end_watch(watched)
        unsafe seen.deallocate()
    }

    var hasCome: Bool { unsafe seen.pointee != 0 }
}
