import TaskModel
import Wire

/// One request, as a conversation wants it made.
struct ExchangeRequest {
    var url: TransferURL
    var method: String
    var headers: [HTTPHeader] = []
    /// Bytes of the upload's file that it carries; nil: it has no content.
    var content: Range<Int64>?
    /// Basic or digest; the user is empty: none.
    var user = ""
    var password = ""
}

/// What becomes of the body of an answer.
enum AnswerUse {
    /// It is written to the file, behind so many bytes of it; what stood there is gone.
    case body(at: Int64)
    /// Nobody wants it.
    case none
}

/// What follows after an exchange.
enum NextStep {
    case request(ExchangeRequest)
    /// The answer's body is whole: it is made durable, and checked.
    case whole
    case end(TransferResult)
}

/// What an attempt says to the server, and makes of the answers: a download, or a kind of upload.
protocol Conversation: AnyObject {
    func begin() throws(TransferFault) -> ExchangeRequest
    /// An interim answer (1xx) has come.
    func interim(_ answer: Answer)
    /// The head of a final answer has come; once more for the same request when libcurl has signed in by itself.
    func answered(_ answer: Answer) throws(TransferFault) -> AnswerUse
    /// The exchange has ended as HTTP has it.
    ///
    /// - Parameter size: of the file, if its use was `body`.
    func ended(_ answer: Answer, size: Int64) -> NextStep
    /// What has come is to be reported as the answer; asked once the use of a body is known.
    func report(of answer: Answer, at offset: Int64) -> TransferReport
    /// What the host does not know yet of what was answered.
    func takeNews() -> [TransferReport]
}
