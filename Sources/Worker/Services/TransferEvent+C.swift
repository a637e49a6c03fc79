import CTaskHost
import TaskModel
import Wire

extension TransferEventFrame {
    /// Lends the event as the application sees it.
    func withC(_ body: (UnsafePointer<taskhost_transfer_event>) -> Void) {
        var loan = Loan()
        var out = taskhost_transfer_event()
        out.struct_size = UInt32(MemoryLayout<taskhost_transfer_event>.size)
        out.abi_version = TASKHOST_ABI_VERSION
        (out.session, out.number, out.sequence) = (session, number, sequence)
        out.cancel_reason = TASKHOST_CANCEL_REASON_NONE
        (out.expected_receive, out.expected_send) = (-1, -1)
        switch event {
        case .progress(let received, let expectedReceive, let sent, let expectedSend):
            out.kind = TASKHOST_TRANSFER_PROGRESS
            (out.received, out.expected_receive) = (received, expectedReceive ?? -1)
            (out.sent, out.expected_send) = (sent, expectedSend ?? -1)
        case .waitsForConnectivity: out.kind = TASKHOST_TRANSFER_WAITS_FOR_CONNECTIVITY
        case .resumed(let offset, let total):
            out.kind = TASKHOST_TRANSFER_RESUMED
            (out.received, out.expected_receive) = (offset, total ?? -1)
        case .response(let response):
            out.kind = TASKHOST_TRANSFER_RESPONSE
            out.status = UInt32(response.status)
            out.url = loan.bytes(response.url)
            (out.headers, out.header_count) = (loan.headers(response.headers), UInt64(response.headers.count))
        case .delayed: out.kind = TASKHOST_TRANSFER_DELAYED
        case .challenge(let challenge):
            out.kind = TASKHOST_TRANSFER_CHALLENGE
            var question = taskhost_transfer_challenge(
                method: UInt32(challenge.method.rawValue), port: UInt32(challenge.port),
                is_secure: challenge.isSecure ? 1 : 0, is_proxy: challenge.isProxy ? 1 : 0,
                failures: UInt32(challenge.failures), reserved: 0, host: loan.bytes(challenge.host),
                realm: loan.bytes(challenge.realm))
            withUnsafePointer(to: &question) {
                out.challenge = $0
                body(&out)
            }
            return
        case .downloaded(let path):
            out.kind = TASKHOST_TRANSFER_DOWNLOADED
            out.path = loan.bytes(path)
        case .answered(let path):
            out.kind = TASKHOST_TRANSFER_ANSWERED
            out.path = loan.bytes(path)
        case .completed(let end):
            out.kind = TASKHOST_TRANSFER_COMPLETED
            out.error = end.error?.rawValue ?? 0
            if let reason = end.cancelReason { out.cancel_reason = UInt32(reason.rawValue) }
            out.status = UInt32(end.status)
            (out.received, out.sent) = (end.received, end.sent)
            out.expected_receive = end.error == nil ? end.received : end.expectedReceive ?? -1
            out.expected_send = end.error == nil ? end.sent : end.expectedSend ?? -1
            (out.url, out.sentence) = (loan.bytes(end.url), loan.bytes(end.sentence))
            out.data = loan.bytes(end.resumeData)
            (out.headers, out.header_count) = (loan.headers(end.headers), UInt64(end.headers.count))
        case .resumeData(let data):
            out.kind = TASKHOST_TRANSFER_RESUME_DATA
            out.data = loan.bytes(data)
        case .allTold: out.kind = TASKHOST_TRANSFER_ALL_TOLD
        }
        body(&out)
    }
}

extension TransferAnswer {
    /// Reads what the application passed.
    init(reading found: UnsafePointer<taskhost_transfer_answer>) throws(TransferFault) {
        let answer = readStruct(found, taskhost_transfer_answer())
        switch answer.kind {
        case TASKHOST_ANSWER_CREDENTIAL:
            guard let user = answer.user.text(most: ServiceLimits.sentence),
                let password = answer.password.text(most: TransferLimit.headers)
            else { throw TransferFault("a credential is too long") }
            self = .credential(user: user, password: password)
        case TASKHOST_ANSWER_USE_DEFAULT: self = .useDefault
        case TASKHOST_ANSWER_REJECT_SPACE: self = .rejectProtectionSpace
        case TASKHOST_ANSWER_CANCEL: self = .cancel
        case TASKHOST_ANSWER_PROCEED:
            guard let request = answer.request else {
                self = .proceed(nil)
                return
            }
            self = .proceed(try TransferRequest(reading: request))
        default: throw TransferFault("an answer is of kind \(answer.kind)")
        }
    }
}
