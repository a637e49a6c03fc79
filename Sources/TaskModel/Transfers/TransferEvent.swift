/// An event of a transfer for the application (or, where it says so, of a session).
package enum TransferEvent: Sendable, Equatable {
    /// Only while its process runs, at most some ten times a second.
    case progress(received: Int64, expectedReceive: Int64?, sent: Int64, expectedSend: Int64?)
    /// `taskIsWaitingForConnectivity`.
    case waitsForConnectivity
    /// `didResumeAtOffset`.
    case resumed(offset: Int64, total: Int64?)
    case response(TransferResponse)
    /// `didReceiveInformationalResponse`: an answer before the final one. Only while its process runs.
    case informational(TransferResponse)
    /// `willBeginDelayedRequest`: to be answered.
    case delayed
    /// To be answered.
    case challenge(TransferChallenge)
    /// The file of a download is complete: acknowledged when the application's method has returned, and deleted then.
    case downloaded(path: String)
    /// The answer to an upload is there: acknowledged once the application has had it.
    case answered(path: String)
    /// It is over; acknowledged.
    case completed(TransferEnd)
    /// The answer to a cancellation with resume data; empty: there are none.
    case resumeData([UInt8])
    /// For the session: all events that the application was launched for have been delivered; acknowledged.
    case allTold
}

/// A server's answer.
package struct TransferResponse: Sendable, Equatable {
    package var status: UInt16
    package var url: String
    package var headers: [HTTPHeader]

    package init(status: UInt16, url: String, headers: [HTTPHeader]) {
        self.status = status
        self.url = url
        self.headers = headers
    }
}

/// A question for credentials, or whether to trust.
package struct TransferChallenge: Sendable, Equatable {
    /// The method of the challenge. The numbers are sent on the wire.
    package enum Method: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        case basic = 1
        case digest = 2
        case bearer = 3
        case clientCertificate = 4
        case serverTrust = 5
    }

    package var method: Method
    package var host: String
    package var port: UInt16
    package var isSecure: Bool
    package var isProxy = false
    package var realm = ""
    /// Credentials that were tried before.
    package var failures: UInt16 = 0

    package init(_ method: Method, host: String, port: UInt16, isSecure: Bool) {
        self.method = method
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }
}

/// The application's answer.
package enum TransferAnswer: Sendable, Equatable {
    /// User and password; of a bearer challenge the token is the password.
    case credential(user: String, password: String)
    /// The default handling.
    case useDefault
    case rejectProtectionSpace
    case cancel
    /// For a delayed request: continue, with this one if there is one.
    case proceed(TransferRequest?)
    /// For a delayed request: the application has no answer of its own, to this one and to others of its session.
    case unasked
}
