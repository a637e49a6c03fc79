/// An application's request for one task of a session. It contains secrets: neither a log nor a list may show `headers`, nor
/// the user, password and query of `url`.
package struct TransferRequest: Sendable, Equatable {
    /// Absolute, `http` or `https`.
    package var url: String
    package var method: String
    package var headers: [HTTPHeader] = []
    /// Of an upload: the absolute path of the file that is sent; else empty.
    package var file = ""
    /// `taskDescription`.
    package var text = ""
    /// Not before; nil: at once.
    package var earliest: Timestamp?
    /// Without any byte for so long an attempt is given up; nil: the session's.
    package var timeout: TimeSpan?
    package var kind: TransferKind
    package var allowsExpensive = true
    package var allowsConstrained = true
    /// 0 to 1.
    package var priority: Float = 0.5
    /// The sizes that the application expects, in bytes; nil: unknown.
    package var expectedSend: Int64?
    package var expectedReceive: Int64?
    /// The digest that a download must have, 32 bytes; nil: any.
    package var sha256: [UInt8]?
    /// The result of `cancel(byProducingResumeData:)`; empty: start from the beginning.
    package var resumeData: [UInt8] = []

    package init(kind: TransferKind, url: String, method: String) {
        self.kind = kind
        self.url = url
        self.method = method
    }
}

/// Limits of an application's transfers; one that exceeds a limit is refused with a sentence. A worker's frame has 8 KiB,
/// which limits everything together.
package enum TransferLimit {
    /// Bytes of a session's identifier.
    package static let identifier = 255
    /// Bytes of a URL.
    package static let url = Limit.transferURL.most
    /// Bytes of names and values of all headers of a request.
    package static let headers = Limit.transferHeaders.most
    /// Bytes of `taskDescription`.
    package static let text = 1024
    /// Bytes of resume data.
    package static let resumeData = 2048
    /// Sessions of an application.
    package static let sessions = Limit.sessions.most
    /// Transfers of an application that are not over, or not acknowledged.
    package static let transfers = Limit.transfers.most
    /// Further ones whose refusal is recorded. Of those beyond only a process that listens is told.
    package static let refusals = 100
    /// Redirects that are followed.
    package static let redirects = Limit.redirects.most
    /// The longest delay of the next attempt by a server's `Retry-After`, in seconds: a week, the limit of a transfer.
    package static let longestRetryAfter: Int64 = 7 * 86_400
    /// Bytes of the headers of an answer that are kept.
    package static let answerHeaders = Limit.answerHeaders.most
    /// Interim answers of an attempt that the application hears of.
    package static let interimAnswers = 16
    /// Bytes of the answer to an upload that are kept.
    package static let answerBody: Int64 = 16 << 20
}
