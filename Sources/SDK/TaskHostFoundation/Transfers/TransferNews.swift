internal import CTaskHost
internal import TaskHostRuntime

/// The host's event for a transfer or its session: a copy of `taskhost_transfer_event_t`.
struct TransferNews: Sendable {
    enum Kind: Sendable {
        case progress(Counts)
        case waitsForConnectivity
        case resumed(offset: Int64, total: Int64)
        case response(Reply)
        /// An answer before the final one.
        case informational(Reply)
        case delayed
        case challenge(Question)
        /// The file of a download, or the answer to an upload.
        case file(path: String)
        case completed(Ending)
        case resumeData(Data)
        case allTold
        /// Of a later host.
        case unknown
    }
    struct Counts: Sendable {
        var received: Int64
        var expectedReceive: Int64
        var sent: Int64
        var expectedSend: Int64
    }
    struct Reply: Sendable {
        var status: Int
        var url: String
        var headers: [String: String]
    }
    struct Question: Sendable {
        var method: UInt32
        var host: String
        var port: Int
        var isSecure: Bool
        var isProxy: Bool
        var realm: String
        var failures: Int
    }
    struct Ending: Sendable {
        var error: Int?
        /// nil: only the application cancelled it.
        var cancelReason: Int?
        var sentence: String
        var reply: Reply
        var received: Int64
        var sent: Int64
        var resumeData: Data
    }

    /// `taskIdentifier`; 0: it is the session's own.
    var number: Int
    /// To be acknowledged by this; 0: not at all.
    var sequence: UInt64
    var kind: Kind

    /// An event of our own.
    init(number: Int, _ kind: Kind) {
        self.number = number
        sequence = 0
        self.kind = kind
    }

    init(_ event: taskhost_transfer_event_t) {
        number = unsafe Int(event.number)
        sequence = unsafe event.sequence
        kind =
            switch unsafe event.kind {
            case TASKHOST_TRANSFER_PROGRESS:
                unsafe .progress(
                    Counts(
                        received: event.received, expectedReceive: event.expected_receive, sent: event.sent,
                        expectedSend: event.expected_send))
            case TASKHOST_TRANSFER_WAITS_FOR_CONNECTIVITY: .waitsForConnectivity
            case TASKHOST_TRANSFER_RESUMED: unsafe .resumed(offset: event.received, total: event.expected_receive)
            case TASKHOST_TRANSFER_RESPONSE: unsafe .response(Reply(event))
            case TASKHOST_TRANSFER_INFORMATIONAL: unsafe .informational(Reply(event))
            case TASKHOST_TRANSFER_DELAYED: .delayed
            case TASKHOST_TRANSFER_CHALLENGE:
                unsafe event.challenge.map { unsafe .challenge(Question($0.pointee)) } ?? .unknown
            case TASKHOST_TRANSFER_DOWNLOADED, TASKHOST_TRANSFER_ANSWERED: unsafe .file(path: String(event.path))
            case TASKHOST_TRANSFER_COMPLETED: unsafe .completed(Ending(event))
            case TASKHOST_TRANSFER_RESUME_DATA: unsafe .resumeData(Data(event.data))
            case TASKHOST_TRANSFER_ALL_TOLD: .allTold
            default: .unknown
            }
    }
}

extension TransferNews.Reply {
    fileprivate init(_ event: taskhost_transfer_event_t) {
        unsafe self.init(status: Int(event.status), url: String(event.url), headers: [:])
        let lent = unsafe UnsafeBufferPointer(start: event.headers, count: Int(event.header_count))
        for place in lent.indices {
            let (name, value) = unsafe (String(lent[place].name), String(lent[place].value))
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
    }
}

extension TransferNews.Question {
    fileprivate init(_ challenge: taskhost_transfer_challenge_t) {
        unsafe self.init(
            method: challenge.method, host: String(challenge.host), port: Int(challenge.port),
            isSecure: challenge.is_secure != 0, isProxy: challenge.is_proxy != 0, realm: String(challenge.realm),
            failures: Int(challenge.failures))
    }
}

extension TransferNews.Ending {
    fileprivate init(_ event: taskhost_transfer_event_t) {
        unsafe self.init(
            error: event.error == 0 ? nil : Int(event.error),
            cancelReason: event.cancel_reason == TASKHOST_CANCEL_REASON_NONE ? nil : Int(event.cancel_reason),
            sentence: String(event.sentence), reply: TransferNews.Reply(event), received: event.received,
            sent: event.sent, resumeData: Data(event.data))
    }

    /// Of a task that the host does not know.
    init(error: Int, sentence: String) {
        self.init(
            error: error, cancelReason: nil, sentence: sentence,
            reply: TransferNews.Reply(status: 0, url: "", headers: [:]), received: 0, sent: 0, resumeData: Data())
    }
}

extension Data {
    init(_ bytes: taskhost_bytes_t) {
        self = unsafe bytes.bytes.map { unsafe Data(bytes: $0, count: Int(bytes.length)) } ?? Data()
    }
}
