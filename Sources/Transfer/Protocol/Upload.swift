import Linux
import TaskModel
import Wire

/// An upload: the requests of its plan, and the file that they carry.
final class Upload: Conversation {
    private var plan: UploadPlan?
    private let order: TransferOrder
    private let source: OpenFile
    /// As it was when the attempt began.
    private let mark: Mark?
    private var verdict = UploadPlan.Verdict.finished
    /// Reported to the host.
    private var told: String

    /// By which a change of the file is seen.
    private struct Mark: Equatable {
        var size: Int64
        var changed: Int64

        init?(_ file: OpenFile) {
            guard let facts = FileSystem.facts(lent: file.number) else { return nil }
            size = Int64(facts.size)
            changed = facts.modified
        }
    }

    init(_ order: TransferOrder, source: OpenFile) {
        self.order = order
        self.source = source
        mark = Mark(source)
        told = TransferURL(order.uploadLocation)?.text ?? ""
        if let url = TransferURL(order.url), let mark { plan = UploadPlan(order, url: url, total: mark.size) }
    }

    func begin() throws(TransferFault) -> ExchangeRequest {
        guard let mark else { throw Self.changed("cannot be read") }
        if let total = order.total, total != mark.size {
            throw Self.changed("had \(total) bytes when it was handed over, and has \(mark.size) now")
        }
        return try request()
    }

    private func request() throws(TransferFault) -> ExchangeRequest {
        guard let next = plan?.next else { throw TransferFault(.failed, .badURL, "the URL cannot be read") }
        return ExchangeRequest(url: next.url, method: next.method, headers: next.headers, content: next.content)
    }

    func interim(_ answer: Answer) {
        guard let url = TransferURL(answer.url) else { return }
        _ = plan?.takeInterim(answer, of: url)
    }

    func answered(_ answer: Answer) throws(TransferFault) -> AnswerUse {
        guard Mark(source) == mark else { throw Self.changed("changed while it was sent") }
        guard let url = TransferURL(answer.url), let verdict = plan?.take(answer, of: url) else { return .none }
        self.verdict = verdict
        if Self.isTransient(answer) || verdict != .finished { return .none }
        return .body(at: 0)
    }

    /// The server says when to retry.
    private static func isTransient(_ answer: Answer) -> Bool {
        (answer.status == 429 || answer.status == 503) && answer.retryAfter != nil
    }

    func ended(_ answer: Answer, size: Int64) -> NextStep {
        if Self.isTransient(answer) {
            return end(.resourceUnavailable, "the server answered with status \(answer.status)", answer)
        }
        switch verdict {
        case .finished: return .whole
        case .goesOn:
            do throws(TransferFault) { return .request(try request()) } catch { return .end(error.result) }
        case .interrupted(let error, let sentence): return end(error, sentence, answer)
        case .refused(let error, let sentence):
            return .end(
                TransferResult(.failed, error: error, sentence: "\(sentence); \(answer.shownHost); see the server"))
        case .useless(let sentence):
            var result = TransferResult(
                .interrupted, error: .badServerResponse, sentence: "\(sentence); the upload begins anew")
            result.isFileUseless = true
            return .end(result)
        }
    }

    private func end(_ error: TransferError, _ sentence: String, _ answer: Answer) -> NextStep {
        var result = TransferResult(.interrupted, error: error, sentence: "\(sentence); it is asked again later")
        result.retryAfter = answer.retryAfter
        return .end(result)
    }

    func takeNews() -> [TransferReport] {
        guard let plan, plan.keptLocation != told else { return [] }
        told = plan.keptLocation
        return [.uploadCreated(location: told)]
    }

    func report(of answer: Answer, at offset: Int64) -> TransferReport {
        .answered(answer.kept, address: answer.address, offset: 0, total: answer.length, validator: "")
    }

    static func changed(_ how: String) -> TransferFault {
        TransferFault(
            .failed, .uploadFileChanged, "the upload's file \(how); leave it as it is until the upload has ended")
    }
}
