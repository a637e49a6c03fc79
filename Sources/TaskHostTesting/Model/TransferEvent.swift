internal import CTaskHost

/// One event of a background session, as `taskhost_transfer_event_t` has it.
struct TransferEvent {
    enum Kind {
        /// - Parameters:
        ///   - toReceive: nil: it is not known.
        ///   - toSend: likewise.
        case progress(received: Int64, toReceive: Int64?, sent: Int64, toSend: Int64?)
        case response(TransferAnswer, url: String)
        case downloaded(path: String)
        case answered(path: String)
        /// - Parameters:
        ///   - error: 0: none.
        ///   - cancelReason: nil: only the application cancelled it.
        case completed(error: Int32, cancelReason: UInt32?, TransferAnswer?, url: String, isDownload: Bool)
        case allTold
    }

    var session: UInt32
    /// Of the transfer; 0: it is the session's.
    var number: UInt32
    /// To acknowledge; 0: not at all.
    var sequence: UInt64
    var kind: Kind

    /// Tells it the process.
    func tell(_ listener: TransferTable.Listener) {
        var event = unsafe taskhost_transfer_event_t()
        unsafe event.struct_size = unsafe UInt32(MemoryLayout<taskhost_transfer_event_t>.size)
        unsafe event.abi_version = TASKHOST_ABI_VERSION
        unsafe (event.session, event.number, event.sequence) = (session, number, sequence)
        unsafe event.cancel_reason = TASKHOST_CANCEL_REASON_NONE
        unsafe (event.expected_receive, event.expected_send) = (-1, -1)
        var texts: [CText] = []
        func lend(_ text: String) -> taskhost_bytes_t {
            let copy = CText(text)
            texts.append(copy)
            return unsafe copy.bytes
        }
        var answer: TransferAnswer?
        switch kind {
        case .progress(let received, let toReceive, let sent, let toSend):
            unsafe event.kind = TASKHOST_TRANSFER_PROGRESS
            unsafe (event.received, event.expected_receive) = (received, toReceive ?? -1)
            unsafe (event.sent, event.expected_send) = (sent, toSend ?? -1)
        case .response(let given, let url):
            unsafe event.kind = TASKHOST_TRANSFER_RESPONSE
            unsafe event.url = unsafe lend(url)
            answer = given
        case .downloaded(let path):
            unsafe event.kind = TASKHOST_TRANSFER_DOWNLOADED
            unsafe event.path = unsafe lend(path)
        case .answered(let path):
            unsafe event.kind = TASKHOST_TRANSFER_ANSWERED
            unsafe event.path = unsafe lend(path)
        case .completed(let error, let cancelReason, let given, let url, let isDownload):
            unsafe event.kind = TASKHOST_TRANSFER_COMPLETED
            unsafe event.error = error
            if let cancelReason { unsafe event.cancel_reason = cancelReason }
            unsafe event.url = unsafe lend(url)
            unsafe event.sentence = unsafe lend(error == 0 ? "" : "a test let it fail")
            if isDownload, let given { unsafe (event.received, event.expected_receive) = (given.size, given.size) }
            answer = given
        case .allTold: unsafe event.kind = TASKHOST_TRANSFER_ALL_TOLD
        }
        unsafe event.status = answer?.status ?? 0
        let fields = unsafe (answer?.headers ?? []).map {
            unsafe taskhost_header_t(name: lend($0.0), value: lend($0.1))
        }
        unsafe fields.withUnsafeBufferPointer { fields in
            unsafe (event.headers, event.header_count) = (fields.baseAddress, UInt64(fields.count))
            withExtendedLifetime(texts) { unsafe listener.event(listener.context, &event) }
        }
    }
}
