import Record
import TaskModel

/// Columns of `transfers`, in the order of `TransferRow.columns`; their names in SQL have underscores.
enum TransferColumn: Int32, RowColumn {
    case id, session, application, sessionName, number, created, state, taken, background, kind, place
    case method, file, earliest, timeout, priority, expensive, constrained, expectedSend, expectedReceive
    case sha256, url, headers, text, resume, attempts, received, sent, durable, total, validator
    case uploadLocation, lastUrl, status, address, fault, nextTry, ended, endedOrder, error, cancelReason
    case sentence, endStatus, endUrl, endHeaders, endReceived, endSent, endFile, endResume, held, sourceSize
    case sourceModified, sourceInode
}

/// How a row of `transfers` becomes a value.
enum TransferRow {
    private typealias C = TransferColumn

    static let columns = TransferColumn.list

    /// - Throws: `Unreadable` when a column has a value that no version with this schema writes.
    static func read(_ row: borrowing Statement) throws(Unreadable) -> BackgroundTransfer {
        guard let application = row.text(C.application), let sessionName = row.text(C.sessionName),
            let state = try RunRow.value(row, C.state, TransferState.self)
        else { throw Unreadable() }
        var transfer = BackgroundTransfer(
            id: row.integer(C.id), session: row.integer(C.session), of: application, sessionName,
            number: UInt32(clamping: row.integer(C.number)),
            created: Timestamp(nanoseconds: row.integer(C.created)), request: try request(row), state: state,
            isFromBackground: row.integer(C.background) != 0, progress: progress(row), end: try end(row),
            isFileTaken: row.integer(C.taken) != 0)
        transfer.isHeld = row.integer(C.held) != 0
        return transfer
    }

    private static func request(_ row: borrowing Statement) throws(Unreadable) -> TransferRequest {
        guard let kind = try RunRow.value(row, C.kind, TransferKind.self), let place = row.text(C.place),
            let headers = unsafe row.withBytes(C.headers, HeaderPacking.unpack)
        else { throw Unreadable() }
        var request = TransferRequest(kind: kind, url: row.text(C.url) ?? place, method: row.text(C.method) ?? "")
        request.headers = headers
        request.file = row.text(C.file) ?? ""
        request.text = row.text(C.text) ?? ""
        request.earliest = row.optionalInteger(C.earliest).map(Timestamp.init(nanoseconds:))
        request.timeout = row.optionalInteger(C.timeout).map(TimeSpan.init(nanoseconds:))
        request.priority = Float(row.real(C.priority))
        request.allowsExpensive = row.integer(C.expensive) != 0
        request.allowsConstrained = row.integer(C.constrained) != 0
        request.expectedSend = row.optionalInteger(C.expectedSend)
        request.expectedReceive = row.optionalInteger(C.expectedReceive)
        request.sha256 = unsafe row.isNull(C.sha256) ? nil : row.withBytes(C.sha256) { unsafe Array($0) }
        request.resumeData = unsafe row.withBytes(C.resume) { unsafe Array($0) }
        return request
    }

    private static func progress(_ row: borrowing Statement) -> TransferProgress {
        var progress = TransferProgress()
        progress.attempts = UInt32(clamping: row.integer(C.attempts))
        progress.received = row.integer(C.received)
        progress.sent = row.integer(C.sent)
        progress.durable = row.integer(C.durable)
        progress.total = row.optionalInteger(C.total)
        progress.validator = row.text(C.validator) ?? ""
        progress.uploadLocation = row.text(C.uploadLocation) ?? ""
        progress.url = row.text(C.lastUrl) ?? ""
        progress.status = UInt16(clamping: row.integer(C.status))
        progress.address = row.text(C.address) ?? ""
        progress.lastFault = row.text(C.fault) ?? ""
        progress.nextTry = row.optionalInteger(C.nextTry).map(Timestamp.init(nanoseconds:))
        if let size = row.optionalInteger(C.sourceSize), let modified = row.optionalInteger(C.sourceModified),
            let inode = row.optionalInteger(C.sourceInode)
        {
            progress.source = UploadSource(size: size, modified: modified, inode: UInt64(bitPattern: inode))
        }
        return progress
    }

    private static func end(_ row: borrowing Statement) throws(Unreadable) -> TransferEnd? {
        guard let moment = row.optionalInteger(C.ended) else { return nil }
        var end = TransferEnd(at: Timestamp(nanoseconds: moment), order: row.integer(C.endedOrder))
        if let number = row.optionalInteger(C.error) {
            guard let error = Int32(exactly: number).flatMap(TransferError.init(rawValue:)) else { throw Unreadable() }
            end.error = error
        }
        end.cancelReason = try RunRow.value(row, C.cancelReason, TransferCancelReason.self)
        end.sentence = row.text(C.sentence) ?? ""
        end.status = UInt16(clamping: row.integer(C.endStatus))
        end.url = row.text(C.endUrl) ?? ""
        guard let headers = unsafe row.withBytes(C.endHeaders, HeaderPacking.unpack) else { throw Unreadable() }
        end.headers = headers
        end.received = row.integer(C.endReceived)
        end.sent = row.integer(C.endSent)
        end.file = row.text(C.endFile) ?? ""
        end.resumeData = unsafe row.withBytes(C.endResume) { unsafe Array($0) }
        return end
    }
}
