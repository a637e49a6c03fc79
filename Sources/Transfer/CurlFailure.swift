import CCurl
import Linux
import TaskModel
import Wire

/// What an error of curl's means for a transfer.
struct CurlFailure {
    let fault: TransferFault

    /// The observed facts about the exchange.
    struct Circumstances {
        /// The answer had begun.
        var isCut: Bool
        /// Of the URL.
        var host: String
        /// libcurl's text beyond its code; empty: none.
        var words: String
        /// The text has a secret of the order: its code's own is shown instead.
        var isSecret: Bool
        /// A client certificate was given.
        var hasCertificate: Bool
    }

    init(_ code: CURLcode, _ easy: UnsafeMutableRawPointer, _ seen: Circumstances) {
        let cause = unsafe Int32(truncatingIfNeeded: taskhost_curl_number(easy, CURLINFO_OS_ERRNO))
        let (kind, error) =
            Self.meaning(ofAlert: seen.words, hasCertificate: seen.hasCertificate)
            ?? Self.meaning(of: code, cause, seen)
        let advice = Self.advice(kind, error)
        fault = TransferFault(
            kind, error, "\(Self.text(of: code, cause, seen.isSecret ? "" : seen.words)); \(seen.host); \(advice)")
    }

    /// What happened, without what libcurl calls its own.
    private static func text(of code: CURLcode, _ cause: Int32, _ words: String) -> String {
        switch code {
        case CURLE_SSL_CERTPROBLEM: return "the client certificate or its key cannot be used"
        case CURLE_SSL_CACERT_BADFILE: return "the authorities that are to be trusted cannot be read"
        case CURLE_UNSUPPORTED_PROTOCOL: return "the answer is not HTTP"
        default: break
        }
        let text = unsafe words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
        // Of a connection that came about, it is an older one's.
        guard code == CURLE_COULDNT_CONNECT, cause != 0 else { return text }
        return "\(text) (\(Errno(cause)))"
    }

    private static func advice(_ kind: TransferResult.Kind, _ error: TransferError) -> String {
        switch error {
        case _ where kind == .interrupted: "it is tried again"
        case .clientCertificateRejected, .clientCertificateRequired:
            "see certificate and key in the manifest's transfers; a key has no passphrase"
        case .serverCertificateUntrusted: "see the server's certificate, and trust in the manifest's transfers"
        case .secureConnectionFailed: "see whether the server speaks TLS there"
        case .badServerResponse: "see whether the server speaks HTTP there"
        case .badURL: "correct the URL"
        default: "see taskhost transfers show"
        }
    }

    /// With TLS 1.3 a server checks the client's certificate after the handshake: libcurl has no code for its alert, only
    /// OpenSSL's text (SSL_alert_desc_string_long(3)).
    private static func meaning(
        ofAlert words: String, hasCertificate: Bool
    ) -> (TransferResult.Kind, TransferError)? {
        let words = words.lowercased()
        let alerts = [
            "certificate required", "unknown ca", "bad certificate", "certificate expired", "certificate unknown",
        ]
        guard words.contains("alert"), alerts.contains(where: { words.contains($0) }) else { return nil }
        return (.failed, hasCertificate ? .clientCertificateRejected : .clientCertificateRequired)
    }

    /// Whether the connection ended in the handshake, which has the same code as one that could not agree; the system's
    /// error may be that of another address, which was tried before. The texts of libcurl and OpenSSL are: `Recv failure:
    /// Connection reset by peer`, `SSL_connect: SSL_ERROR_SYSCALL`, `unexpected eof while reading`.
    private static func isCut(handshake words: String) -> Bool {
        ["Recv failure: ", "Send failure: ", "SSL_connect: ", "unexpected eof"].contains { words.contains($0) }
    }

    /// What kept a connection from coming about. One that was accepted and reset at once, before libcurl has looked, is an error of
    /// connect(2) as well.
    static func error(ofConnect cause: Errno) -> TransferError {
        switch cause {
        case .ENETUNREACH, .ENETDOWN, .EHOSTUNREACH, .EADDRNOTAVAIL: .notConnectedToInternet
        case .ECONNRESET: .connectionLost
        default: .cannotConnectToHost
        }
    }

    private static func meaning(
        of code: CURLcode, _ cause: Int32, _ seen: Circumstances
    ) -> (TransferResult.Kind, TransferError) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return (.interrupted, .cannotFindHost)
        case CURLE_COULDNT_CONNECT:
            return (.interrupted, error(ofConnect: Errno(cause)))
        case CURLE_OPERATION_TIMEDOUT: return (.interrupted, .timedOut)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
            return (.interrupted, .connectionLost)
        case CURLE_AGAIN, CURLE_FAILED_INIT: return (.interrupted, .unknown)
        // A line of a header that is longer than libcurl's bound ends so.
        case CURLE_OUT_OF_MEMORY: return seen.isCut ? (.interrupted, .unknown) : (.failed, .badServerResponse)
        // The scheme was checked before: this means HTTP/0.9, which is any data at all.
        case CURLE_UNSUPPORTED_PROTOCOL: return (.failed, .badServerResponse)
        case CURLE_URL_MALFORMAT: return (.failed, .badURL)
        case CURLE_WEIRD_SERVER_REPLY:
            return seen.isCut ? (.interrupted, .connectionLost) : (.failed, .badServerResponse)
        case CURLE_BAD_CONTENT_ENCODING: return (.failed, .cannotDecodeContent)
        case CURLE_SSL_CONNECT_ERROR:
            return isCut(handshake: seen.words)
                ? (.interrupted, .connectionLost) : (.failed, .secureConnectionFailed)
        case CURLE_SSL_CLIENTCERT: return (.failed, .clientCertificateRequired)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return (.failed, .serverCertificateUntrusted)
        case CURLE_SSL_CERTPROBLEM: return (.failed, .clientCertificateRejected)
        default: return (.failed, .unknown)
        }
    }
}
