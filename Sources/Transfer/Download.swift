import TaskModel
import Wire

/// A download: one request, with a range when the file has the beginning already.
final class Download: Conversation {
    private let order: TransferOrder
    /// Bytes that the server is asked to skip.
    private let offset: Int64
    /// Of the answer that the file's bytes are from.
    private let validators: Validators?
    /// The application asks for a part by itself.
    private let isOfPart: Bool
    /// The length of the whole body, from the answer.
    private var total: Int64?
    private var isPartial = false

    init(_ order: TransferOrder) {
        self.order = order
        validators = Validators(order.validator)
        isOfPart = order.headers.contains { $0.name.lowercased() == "range" }
        // Without a validator the rest might belong to another version of the file; a part of a part has no place in it.
        var offset = validators == nil || isOfPart ? 0 : order.offset
        // The file is complete, but the answer's head is unknown: its last byte is requested again.
        if offset > 0, let total = order.total, offset >= total { offset = max(0, total - 1) }
        self.offset = offset
    }

    func begin() throws(TransferFault) -> ExchangeRequest {
        guard let url = TransferURL(order.url) else {
            throw TransferFault(.failed, .badURL, "the URL cannot be read, or is not of the web")
        }
        var request = ExchangeRequest(url: url, method: order.method, headers: order.headers)
        if offset > 0, let validators {
            request.headers.removeAll { ["range", "if-range"].contains($0.name.lowercased()) }
            request.headers.append(HTTPHeader("Range", "bytes=\(offset)-"))
            request.headers.append(HTTPHeader("If-Range", validators.guarding))
        }
        return request
    }

    func interim(_ answer: Answer) {}

    func takeNews() -> [TransferReport] { [] }

    func answered(_ answer: Answer) throws(TransferFault) -> AnswerUse {
        if isTransient(answer) { return .none }
        if offset > 0 {
            switch answer.status {
            case 206:
                try checkRange(answer)
                isPartial = true
                return .body(at: offset)
            case 416:
                throw TransferFault(
                    .interrupted, .badServerResponse,
                    "the server has no bytes behind \(offset); the download begins anew", isFileUseless: true)
            default: break
            }
        }
        total = order.method == "HEAD" ? nil : answer.length
        return .body(at: 0)
    }

    /// The server cannot answer at present: the file's bytes stay for the next attempt.
    private func isTransient(_ answer: Answer) -> Bool {
        switch answer.status {
        case 429, 503: answer.retryAfter != nil || offset > 0
        case 408, 500, 502, 504: offset > 0
        default: false
        }
    }

    private func checkRange(_ answer: Answer) throws(TransferFault) {
        guard let range = answer["Content-Range"].flatMap({ ContentRange($0) }), range.range?.lowerBound == offset
        else {
            throw useless("the server answered with another part than that from byte \(offset) on")
        }
        guard validators?.areOf(answer) == true else {
            throw useless("the file on the server has changed, though it sent a part of it")
        }
        if let known = order.total, let now = range.total, known != now {
            throw useless("the file had \(known) bytes and has \(now) now, though the server sent a part of it")
        }
        // Beyond what may be written, whatever the file has.
        guard answer.length ?? 0 <= order.sizeLimit - offset else { return }
        guard let total = range.total ?? order.total else {
            throw useless("the server does not say how many bytes the file has, of which it sent a part")
        }
        self.total = total
        guard total <= order.sizeLimit else {
            throw TransferFault(
                .failed, .tooLarge,
                "the file has \(total) bytes, but only \(order.sizeLimit) may be written; raise the application's disk budget",
                isFileUseless: true)
        }
    }

    private func useless(_ sentence: String) -> TransferFault {
        TransferFault(
            .interrupted, .badServerResponse, "\(sentence); the download begins anew", isFileUseless: true)
    }

    func report(of answer: Answer, at offset: Int64) -> TransferReport {
        .answered(
            answer.kept, address: answer.address, offset: offset, total: total,
            validator: isPartial ? order.validator : isOfPart ? "" : answer.validator)
    }

    func ended(_ answer: Answer, size: Int64) -> NextStep {
        if isTransient(answer) {
            var result = TransferResult(
                .interrupted, error: .resourceUnavailable,
                sentence: "the server answered with status \(answer.status); it is asked again later")
            result.retryAfter = answer.retryAfter
            return .end(result)
        }
        if let total, size != total {
            var result = TransferResult(
                .interrupted, error: .connectionLost, sentence: "\(size) bytes of \(total) have come")
            result.isFileUseless = size > total
            return .end(result)
        }
        return .whole
    }
}
