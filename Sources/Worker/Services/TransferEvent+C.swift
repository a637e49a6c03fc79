import CTaskHost
import TaskModel
import Wire

extension TransferEventFrame {
    /// Lends the event as the application sees it.
    func withC(_ body: (UnsafePointer<taskhost_transfer_event>) -> Void) {
        var loan = Loan()
        var out = unsafe taskhost_transfer_event()
        unsafe out.struct_size = unsafe UInt32(MemoryLayout<taskhost_transfer_event>.size)
        unsafe out.abi_version = TASKHOST_ABI_VERSION
        unsafe (out.session, out.number, out.sequence) = (session, number, sequence)
        unsafe out.cancel_reason = TASKHOST_CANCEL_REASON_NONE
        unsafe (out.expected_receive, out.expected_send) = (-1, -1)
        switch event {
        case .progress(let received, let expectedReceive, let sent, let expectedSend):
            unsafe out.kind = TASKHOST_TRANSFER_PROGRESS
            unsafe (out.received, out.expected_receive) = (received, expectedReceive ?? -1)
            unsafe (out.sent, out.expected_send) = (sent, expectedSend ?? -1)
        case .waitsForConnectivity: unsafe out.kind = TASKHOST_TRANSFER_WAITS_FOR_CONNECTIVITY
        case .resumed(let offset, let total):
            unsafe out.kind = TASKHOST_TRANSFER_RESUMED
            unsafe (out.received, out.expected_receive) = (offset, total ?? -1)
        case .response(let response):
            unsafe out.kind = TASKHOST_TRANSFER_RESPONSE
            unsafe response.lend(&out, &loan)
        case .informational(let response):
            unsafe out.kind = TASKHOST_TRANSFER_INFORMATIONAL
            unsafe response.lend(&out, &loan)
        case .delayed: unsafe out.kind = TASKHOST_TRANSFER_DELAYED
        case .challenge(let challenge):
            unsafe out.kind = TASKHOST_TRANSFER_CHALLENGE
            var question = unsafe taskhost_transfer_challenge(
                method: UInt32(challenge.method.rawValue), port: UInt32(challenge.port),
                is_secure: challenge.isSecure ? 1 : 0, is_proxy: challenge.isProxy ? 1 : 0,
                failures: UInt32(challenge.failures), reserved: 0, host: loan.bytes(challenge.host),
                realm: loan.bytes(challenge.realm))
            unsafe withUnsafePointer(to: &question) {
                unsafe out.challenge = $0
                unsafe body(&out)
            }
            return
        case .downloaded(let path):
            unsafe out.kind = TASKHOST_TRANSFER_DOWNLOADED
            unsafe out.path = loan.bytes(path)
        case .answered(let path):
            unsafe out.kind = TASKHOST_TRANSFER_ANSWERED
            unsafe out.path = loan.bytes(path)
        case .completed(let end):
            unsafe out.kind = TASKHOST_TRANSFER_COMPLETED
            unsafe out.error = end.error?.rawValue ?? 0
            if let reason = end.cancelReason { unsafe out.cancel_reason = UInt32(reason.rawValue) }
            unsafe out.status = UInt32(end.status)
            unsafe (out.received, out.sent) = (end.received, end.sent)
            unsafe out.expected_receive = end.error == nil ? end.received : end.expectedReceive ?? -1
            unsafe out.expected_send = end.error == nil ? end.sent : end.expectedSend ?? -1
            unsafe (out.url, out.sentence) = unsafe (loan.bytes(end.url), loan.bytes(end.sentence))
            unsafe out.data = loan.bytes(end.resumeData)
            unsafe (out.headers, out.header_count) = unsafe (loan.headers(end.headers), UInt64(end.headers.count))
        case .resumeData(let data):
            unsafe out.kind = TASKHOST_TRANSFER_RESUME_DATA
            unsafe out.data = loan.bytes(data)
        case .allTold: unsafe out.kind = TASKHOST_TRANSFER_ALL_TOLD
        }
        unsafe body(&out)
    }
}

extension TransferResponse {
    fileprivate func lend(_ out: inout taskhost_transfer_event, _ loan: inout Loan) {
        unsafe out.status = UInt32(status)
        unsafe out.url = loan.bytes(url)
        unsafe (out.headers, out.header_count) = unsafe (loan.headers(headers), UInt64(headers.count))
    }
}

extension TransferAnswer {
    /// Reads the application's answer.
    init(reading found: UnsafePointer<taskhost_transfer_answer>) throws(MalformedTransfer) {
        let answer = unsafe readStruct(found, taskhost_transfer_answer())
        switch unsafe answer.kind {
        case TASKHOST_ANSWER_CREDENTIAL:
            guard let user = unsafe answer.user.text(most: ServiceLimits.sentence),
                let password = unsafe answer.password.text(most: TransferLimit.headers)
            else { throw MalformedTransfer("a credential is too long") }
            self = .credential(user: user, password: password)
        case TASKHOST_ANSWER_USE_DEFAULT: self = .useDefault
        case TASKHOST_ANSWER_REJECT_SPACE: self = .rejectProtectionSpace
        case TASKHOST_ANSWER_CANCEL: self = .cancel
        case TASKHOST_ANSWER_PROCEED:
            guard let request = unsafe answer.request else {
                self = .proceed(nil)
                return
            }
            self = unsafe .proceed(try TransferRequest(reading: request))
        case TASKHOST_ANSWER_UNASKED: self = .unasked
        default: throw MalformedTransfer(unsafe "an answer is of kind \(answer.kind)")
        }
    }
}
