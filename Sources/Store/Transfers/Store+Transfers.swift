import Record
import TaskModel

// Background sessions and their transfers.
extension Store {
    func putSession(_ session: borrowing StoredSession) throws(StoreError) {
        try beginWriting()
        let options = session.options
        transfers.putSession.bind(1, session.id)
        transfers.putSession.bind(2, session.application)
        transfers.putSession.bind(3, session.identifier)
        transfers.putSession.bind(4, Int64(session.next))
        transfers.putSession.bind(5, session.awaitsHandling)
        transfers.putSession.bind(6, options.isDiscretionary)
        transfers.putSession.bind(7, options.sendsLaunchEvents)
        transfers.putSession.bind(8, options.allowsExpensive)
        transfers.putSession.bind(9, options.allowsConstrained)
        transfers.putSession.bind(10, options.requestTimeout.nanoseconds)
        transfers.putSession.bind(11, options.resourceTimeout.nanoseconds)
        transfers.putSession.bind(12, Int64(options.connectionsPerHost))
        transfers.putSession.bind(13, unlessEmpty: options.proxy)
        try write(transfers.putSession)
    }

    /// Undelivered ends of its transfers count as delivered.
    func forgetSession(_ id: Int64) throws(StoreError) {
        try beginWriting()
        transfers.tellAll.bind(1, id)
        try write(transfers.tellAll)
        transfers.forgetSession.bind(1, id)
        try write(transfers.forgetSession)
    }

    /// - Throws: `broken` when the session is unknown.
    func putTransfer(_ transfer: borrowing StoredTransfer) throws(StoreError) {
        try beginWriting()
        transfers.put.bind(1, transfer.id)
        transfers.put.bind(2, transfer.session)
        transfers.put.bind(3, Int64(transfer.number))
        transfers.put.bind(4, transfer.created.nanoseconds)
        transfers.put.bind(5, Int64(transfer.state.rawValue))
        transfers.put.bind(6, false)
        transfers.put.bind(7, transfer.isFileTaken)
        transfers.put.bind(8, transfer.isFromBackground)
        transfers.put.bind(transfer.request)
        try write(transfers.put)
        guard transfers.put.changes > 0 else {
            throw abandon("record a transfer", because: "session \(transfer.session) is unknown")
        }
        transfers.number.bind(1, transfer.session)
        transfers.number.bind(2, Int64(transfer.number))
        try write(transfers.number)
        if transfer.progress != TransferProgress() { try putProgress(transfer.progress, of: transfer.id) }
        if transfer.isHeld { try holdTransfer(transfer.id, true) }
        if let end = transfer.end { try endTransfer(transfer.id, end) }
        if transfer.state == .delivered { try change(transfer.id, transfers.deliver) }
    }

    /// A delivered one is unchanged.
    func putProgress(_ progress: borrowing TransferProgress, of id: Int64) throws(StoreError) {
        try beginWriting()
        transfers.progress.bind(1, id)
        transfers.progress.bind(2, Int64(progress.attempts))
        transfers.progress.bind(3, progress.received)
        transfers.progress.bind(4, progress.sent)
        transfers.progress.bind(5, progress.durable)
        transfers.progress.bind(6, progress.total)
        transfers.progress.bind(7, unlessEmpty: progress.validator)
        transfers.progress.bind(8, unlessEmpty: progress.uploadLocation)
        transfers.progress.bind(9, unlessEmpty: progress.url)
        transfers.progress.bind(10, Int64(progress.status))
        transfers.progress.bind(11, unlessEmpty: progress.address)
        transfers.progress.bind(12, unlessEmpty: progress.lastFault)
        transfers.progress.bind(13, progress.nextTry?.nanoseconds)
        transfers.progress.bind(14, progress.source?.size)
        transfers.progress.bind(15, progress.source?.modified)
        transfers.progress.bind(16, progress.source.map { Int64(bitPattern: $0.inode) })
        try write(transfers.progress)
    }

    /// One that is over is unchanged.
    func putState(_ state: TransferState, of id: Int64) throws(StoreError) {
        try beginWriting()
        transfers.state.bind(1, id)
        transfers.state.bind(2, Int64(state.rawValue))
        try write(transfers.state)
    }

    func holdTransfer(_ id: Int64, _ isHeld: Bool) throws(StoreError) {
        try beginWriting()
        transfers.hold.bind(1, id)
        transfers.hold.bind(2, isHeld)
        try write(transfers.hold)
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
        try beginWriting()
        transfers.end.bind(1, id)
        transfers.end.bind(2, end.at.nanoseconds)
        transfers.end.bind(3, end.order)
        transfers.end.bind(4, (end.error?.rawValue).map(Int64.init))
        transfers.end.bind(5, (end.cancelReason?.rawValue).map(Int64.init))
        transfers.end.bind(6, unlessEmpty: end.sentence)
        transfers.end.bind(7, Int64(end.status))
        transfers.end.bind(8, unlessEmpty: end.url)
        transfers.end.bind(9, unlessEmpty: HeaderPacking.pack(end.headers))
        transfers.end.bind(10, end.received)
        transfers.end.bind(11, end.sent)
        transfers.end.bind(12, unlessEmpty: end.file)
        transfers.end.bind(13, unlessEmpty: end.resumeData)
        try write(transfers.end)
        guard transfers.end.changes == 1 else {
            throw abandon("record the end of a transfer", because: "transfer \(id) is unknown or is over already")
        }
    }

    func moveTransfers(by step: TimeSpan) throws(StoreError) {
        try beginWriting()
        transfers.move.bind(1, step.nanoseconds)
        try write(transfers.move)
    }

    func takeFile(of id: Int64) throws(StoreError) { try change(id, transfers.take) }

    func deliverTransfer(_ id: Int64) throws(StoreError) { try change(id, transfers.deliver) }

    func forgetTransfers(_ ids: some Sequence<Int64>) throws(StoreError) {
        for id in ids { try change(id, transfers.forget) }
    }

    private func change(_ id: Int64, _ statement: borrowing Statement) throws(StoreError) {
        try beginWriting()
        statement.bind(1, id)
        try write(statement)
    }
}
