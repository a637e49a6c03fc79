import TaskModel
import Wire

/// One request of a conversation.
struct ExchangeRequest {
    var url: TransferURL
    var method: String
    var headers: [HTTPHeader] = []
    /// The range of the upload's file that it sends; nil: it has no content.
    var content: Range<Int64>?
    /// Basic or digest; the user is empty: none.
    var user = ""
    var password = ""
}

/// What to do with the body of an answer.
enum AnswerUse {
    /// Write it to the file, after this many bytes; the rest of the file is discarded.
    case body(at: Int64)
    /// Ignore it.
    case none
}

/// What follows after an exchange.
enum NextStep {
    case request(ExchangeRequest)
    /// The answer's body is whole: it is made durable, and checked.
    case whole
    case end(TransferResult)
}

/// An attempt's requests to the server, and how it treats the answers: a download, or a kind of upload.
protocol Conversation: AnyObject {
    func begin() throws(TransferFault) -> ExchangeRequest
    /// An interim answer (1xx) has come.
    func interim(_ answer: Answer)
    /// The head of a final answer has arrived; again for the same request when libcurl has authenticated by itself.
    func answered(_ answer: Answer) throws(TransferFault) -> AnswerUse
    /// The exchange has ended as HTTP has it.
    ///
    /// - Parameter size: of the file, if its use was `body`.
    func ended(_ answer: Answer, size: Int64) -> NextStep
    /// Whether to report this as the answer; called when the use of the body is known.
    func report(of answer: Answer, at offset: Int64) -> TransferReport
    /// New facts from answers for the host.
    func takeNews() -> [TransferReport]
}
