import Record
import TaskModel

// Background sessions and their transfers.
extension Store {
    func putSession(_ session: borrowing StoredSession) throws(StoreError) {
        let options = session.options
        try put(
            transfers.putSession, session.id, session.application, session.identifier, session.next,
            session.awaitsHandling, options.isDiscretionary, options.sendsLaunchEvents, options.allowsExpensive,
            options.allowsConstrained, options.requestTimeout, options.resourceTimeout, options.connectionsPerHost,
            options.proxy.unlessEmpty)
    }

    /// Undelivered ends of its transfers count as delivered.
    func forgetSession(_ id: Int64) throws(StoreError) {
        try put(transfers.tellAll, id)
        try put(transfers.forgetSession, id)
    }

    /// - Throws: `broken` when the session is unknown.
    func putTransfer(_ transfer: borrowing BackgroundTransfer) throws(StoreError) {
        try beginWriting()
        transfers.put.bind(
            values: transfer.id, transfer.session, transfer.number, transfer.created, transfer.state.rawValue, false,
            transfer.isFileTaken, transfer.isFromBackground)
        transfers.put.bind(transfer.request)
        try write(transfers.put)
        guard transfers.put.changes > 0 else {
            throw contradiction("record a transfer", because: "session \(transfer.session) is unknown")
        }
        try put(transfers.number, transfer.session, transfer.number)
        if transfer.progress != TransferProgress() { try putProgress(transfer.progress, of: transfer.id) }
        if transfer.isHeld { try holdTransfer(transfer.id, true) }
        if let end = transfer.end { try endTransfer(transfer.id, end) }
        if transfer.state == .delivered { try put(transfers.deliver, transfer.id) }
    }

    /// A delivered one is unchanged.
    func putProgress(_ progress: borrowing TransferProgress, of id: Int64) throws(StoreError) {
        try put(
            transfers.progress, id, progress.attempts, progress.received, progress.sent, progress.durable,
            progress.total, progress.validator.unlessEmpty, progress.uploadLocation.unlessEmpty,
            progress.url.unlessEmpty, progress.status, progress.address.unlessEmpty, progress.lastFault.unlessEmpty,
            progress.nextTry, progress.source?.size, progress.source?.modified,
            progress.source.map { Int64(bitPattern: $0.inode) })
    }

    /// One that is over is unchanged.
    func putState(_ state: TransferState, of id: Int64) throws(StoreError) {
        try put(transfers.state, id, state.rawValue)
    }

    func holdTransfer(_ id: Int64, _ isHeld: Bool) throws(StoreError) {
        try put(transfers.hold, id, isHeld)
    }

    /// A delivered one is unchanged.
    func putRequest(_ request: borrowing TransferRequest, of id: Int64) throws(StoreError) {
        try beginWriting()
        transfers.request.bind(1, id)
        transfers.request.bind(request)
        try write(transfers.request)
    }

    /// - Throws: `broken` when the transfer is unknown or is over already.
    func endTransfer(_ id: Int64, _ end: borrowing TransferEnd) throws(StoreError) {
        try put(
            transfers.end, id, end.at, end.order, end.error?.rawValue, end.cancelReason?.rawValue,
            end.sentence.unlessEmpty, end.status, end.url.unlessEmpty, HeaderPacking.pack(end.headers).unlessEmpty,
            end.received, end.sent, end.file.unlessEmpty, end.resumeData.unlessEmpty)
        guard transfers.end.changes == 1 else {
            throw contradiction(
                "record the end of a transfer", because: "transfer \(id) is unknown or is over already")
        }
    }

    func moveTransfers(by step: TimeSpan) throws(StoreError) {
        try put(transfers.move, step)
    }

    func takeFile(of id: Int64) throws(StoreError) { try put(transfers.take, id) }

    func deliverTransfer(_ id: Int64) throws(StoreError) { try put(transfers.deliver, id) }

    func forgetTransfers(_ ids: some Sequence<Int64>) throws(StoreError) {
        for id in ids { try put(transfers.forget, id) }
    }
}
