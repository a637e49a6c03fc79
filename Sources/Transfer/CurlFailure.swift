import CCurl
import Glibc
import Linux
import TaskModel
import Wire

/// What an error of curl's means for a transfer.
struct CurlFailure {
    let fault: TransferFault

    /// - Parameter isCut: the answer had begun.
    init(_ code: CURLcode, _ easy: UnsafeMutableRawPointer, isCut: Bool) {
        let cause = Int32(truncatingIfNeeded: taskhost_curl_number(easy, CURLINFO_OS_ERRNO))
        var text = String(cString: curl_easy_strerror(code))
        if cause != 0 { text += " (\(SystemError.text(of: cause)))" }
        let (kind, error) = Self.meaning(of: code, cause, isCut: isCut)
        fault = TransferFault(kind, error, text)
    }

    private static func meaning(
        of code: CURLcode, _ cause: Int32, isCut: Bool
    ) -> (TransferResult.Kind, TransferError) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return (.interrupted, .cannotFindHost)
        case CURLE_COULDNT_CONNECT:
            let isOffline = [ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL].contains(cause)
            return (.interrupted, isOffline ? .notConnectedToInternet : .cannotConnectToHost)
        case CURLE_OPERATION_TIMEDOUT: return (.interrupted, .timedOut)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
            return (.interrupted, .connectionLost)
        case CURLE_OUT_OF_MEMORY, CURLE_AGAIN, CURLE_FAILED_INIT: return (.interrupted, .unknown)
        case CURLE_UNSUPPORTED_PROTOCOL: return (.failed, .unsupportedURL)
        case CURLE_URL_MALFORMAT: return (.failed, .badURL)
        case CURLE_WEIRD_SERVER_REPLY: return isCut ? (.interrupted, .connectionLost) : (.failed, .badServerResponse)
        // A cut connection looks like one that could not agree.
        case CURLE_SSL_CONNECT_ERROR:
            return cause != 0 ? (.interrupted, .connectionLost) : (.failed, .secureConnectionFailed)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return (.failed, .serverCertificateUntrusted)
        case CURLE_SSL_CERTPROBLEM: return (.failed, .clientCertificateRejected)
        default: return (.failed, .unknown)
        }
    }
}
