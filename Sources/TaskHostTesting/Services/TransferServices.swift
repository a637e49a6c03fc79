internal import CTaskHost
internal import TaskHostRuntime
internal import TaskModel

/// The functions behind `taskhost_transfer_t`.
enum TransferServices {
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe RunServices.forever(
        taskhost_transfer_t(
            struct_size: UInt32(MemoryLayout<taskhost_transfer_t>.size), abi_version: TASKHOST_ABI_VERSION,
            open: { identifier, options, known, event, context, session, next, _, _ in
                let sendsLaunchEvents =
                    unsafe options.map { unsafe $0.pointee.flags & TASKHOST_SESSION_SENDS_LAUNCH_EVENTS != 0 } ?? true
                let listener = unsafe TransferTable.Listener(event: event, context: context)
                guard
                    let found = unsafe TransferServices.open(
                        String(cString: identifier), sendsLaunchEvents, listener)
                else { return TASKHOST_INVALID }
                unsafe (session.pointee, next.pointee) = (found.number, found.next)
                guard let known = unsafe known else { return TASKHOST_OK }
                // Those that are over are known while something of them is still to come.
                for (number, transfer) in found.transfers.sorted(by: { $0.key < $1.key }) {
                    guard !transfer.isOver || found.events.contains(where: { $0.number == number }) else { continue }
                    unsafe TransferServices.list(transfer, number) { unsafe known(context, $0) }
                }
                return TASKHOST_OK
            },
            replay: { session in
                TransferServices.change(session) { model, place in
                    model.transfers.sessions[place].isReplayed = true
                    model.effects.append(.tellSession(place))
                }
            },
            invalidate: { TransferServices.change($0) { $0.transfers.sessions[$1].listener = nil } },
            create: { session, request, number, _, _ in
                let transfer = unsafe TransferTable.Transfer(reading: request.pointee)
                var made: UInt32 = 0
                let status = TransferServices.change(session) { model, place in
                    made = model.transfers.sessions[place].next
                    model.transfers.sessions[place].next += 1
                    model.transfers.sessions[place].transfers[made] = transfer
                }
                unsafe number.pointee = made
                return status
            },
            resume: { TransferServices.change($0, $1) { $0.isResumed = true } },
            suspend: { TransferServices.change($0, $1) { $0.isResumed = false } },
            cancel: { session, number, _ in
                TransferServices.change(session) { $0.cancelTransfer(number, at: $1) }
            },
            set_priority: { session, number, priority in
                priority >= 0 && priority <= 1 ? TransferServices.change(session, number) { _ in } : TASKHOST_INVALID
            },
            set_text: { session, number, text in
                let text = unsafe String(cString: text)
                return TransferServices.change(session, number) { $0.text = text }
            },
            set_earliest: { session, number, date in
                TransferServices.change(session, number) { $0.earliest = date == .min ? nil : date }
            },
            set_expected: { session, number, _, _ in TransferServices.change(session, number) { _ in } },
            // No server of a test asks anything.
            answer: { session, _, _ in TransferServices.change(session) { _, _ in } },
            acknowledge: { session, sequence in
                TransferServices.change(session) { model, place in
                    model.transfers.sessions[place].events.removeAll { $0.sequence <= sequence }
                }
            },
            session_handled: { session in
                let session = unsafe String(cString: session)
                HostCore.current?.change { $0.handled(session) }
                return TASKHOST_OK
            },
            set_authorization: { _, _ in TASKHOST_OK }))

    /// nil: this process has it open already.
    private static func open(
        _ identifier: String, _ sendsLaunchEvents: Bool, _ listener: TransferTable.Listener
    ) -> TransferTable.Session? {
        guard let core = HostCore.current, !identifier.isEmpty else { return nil }
        return core.change { model in
            let known = model.transfers.sessions.firstIndex { $0.identifier == identifier }
            if known == nil {
                let number = UInt32(model.transfers.sessions.count) + 1
                model.transfers.sessions.append(
                    TransferTable.Session(
                        identifier: identifier, number: number, sendsLaunchEvents: sendsLaunchEvents))
            }
            let place = known ?? model.transfers.sessions.count - 1
            guard model.transfers.sessions[place].listener == nil else { return nil }
            model.transfers.sessions[place].listener = listener
            model.transfers.sessions[place].isReplayed = false
            model.transfers.sessions[place].told = 0
            model.transfers.sessions[place].sendsLaunchEvents = sendsLaunchEvents
            return model.transfers.sessions[place]
        }
    }

    /// Does something with a session that is open.
    private static func change(_ session: UInt32, _ body: (HostModel, Int) -> Void) -> Int32 {
        HostCore.current?.change { model in
            guard let place = model.transfers.place(session) else { return TASKHOST_UNKNOWN }
            body(model, place)
            return TASKHOST_OK
        } ?? TASKHOST_UNKNOWN
    }

    /// Changes a transfer; an unknown number is no error.
    private static func change(
        _ session: UInt32, _ number: UInt32, _ body: (inout TransferTable.Transfer) -> Void
    ) -> Int32 {
        change(session) { model, place in
            guard var transfer = model.transfers.sessions[place].transfers[number] else { return }
            body(&transfer)
            model.transfers.sessions[place].transfers[number] = transfer
        }
    }

    /// Lends a transfer of an earlier process.
    private static func list(
        _ transfer: TransferTable.Transfer, _ number: UInt32,
        _ body: (UnsafePointer<taskhost_known_transfer_t>) -> Void
    ) {
        var texts: [CText] = []
        func lend(_ text: String) -> taskhost_bytes_t {
            let copy = CText(text)
            texts.append(copy)
            return unsafe copy.bytes
        }
        let fields = unsafe transfer.headers.map { unsafe taskhost_header_t(name: lend($0.0), value: lend($0.1)) }
        unsafe fields.withUnsafeBufferPointer { fields in
            var request = unsafe taskhost_transfer_request_t()
            unsafe request.struct_size = unsafe UInt32(MemoryLayout<taskhost_transfer_request_t>.size)
            unsafe request.abi_version = TASKHOST_ABI_VERSION
            unsafe request.kind = transfer.isDownload ? TASKHOST_TRANSFER_DOWNLOAD : TASKHOST_TRANSFER_UPLOAD
            unsafe (request.url, request.method) = unsafe (lend(transfer.url), lend(transfer.method))
            unsafe (request.headers, request.header_count) = (fields.baseAddress, UInt64(fields.count))
            unsafe (request.file, request.text) = unsafe (lend(transfer.file), lend(transfer.text))
            unsafe request.earliest = transfer.earliest ?? .min
            unsafe (request.expected_send, request.expected_receive) = (-1, -1)
            unsafe request.priority = 0.5
            unsafe withUnsafePointer(to: &request) { request in
                var known = unsafe taskhost_known_transfer_t(
                    struct_size: UInt32(MemoryLayout<taskhost_known_transfer_t>.size),
                    abi_version: TASKHOST_ABI_VERSION, number: number, is_suspended: transfer.isResumed ? 0 : 1,
                    received: 0, sent: 0, total: -1, request: request,
                    state: transfer.isOver
                        ? TASKHOST_KNOWN_COMPLETED
                        : transfer.isResumed ? TASKHOST_KNOWN_RUNNING : TASKHOST_KNOWN_SUSPENDED, reserved: 0)
                withExtendedLifetime(texts) { unsafe body(&known) }
            }
        }
    }
}

extension TransferTable.Transfer {
    fileprivate init(reading request: taskhost_transfer_request_t) {
        let fields = unsafe UnsafeBufferPointer(start: request.headers, count: Int(request.header_count))
        let isDownload = unsafe request.kind == TASKHOST_TRANSFER_DOWNLOAD
        let method = unsafe String(request.method)
        unsafe self.init(
            isDownload: isDownload, url: String(request.url),
            method: method.isEmpty ? (isDownload ? "GET" : "POST") : method,
            headers: fields.indices.map { unsafe (String(fields[$0].name), String(fields[$0].value)) },
            file: String(request.file), text: String(request.text),
            earliest: request.earliest == .min ? nil : request.earliest)
    }
}
