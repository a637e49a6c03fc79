import Record
import TaskModel

/// How a row of `transfers` becomes a value.
enum TransferRow {
    static let columns = """
        id, session, application, session_name, number, created, state, taken, background, kind, place, method, file, \
        earliest, timeout, priority, expensive, constrained, expected_send, expected_receive, sha256, url, headers, text, \
        resume, attempts, received, sent, durable, total, validator, upload_location, last_url, status, address, fault, \
        next_try, ended, ended_order, error, cancel_reason, sentence, end_status, end_url, end_headers, end_received, \
        end_sent, end_file, end_resume, held, source_size, source_modified, source_inode
        """

    /// - Throws: `Unreadable` when a column has a value that no version with this schema writes.
    static func read(_ row: borrowing Statement) throws(Unreadable) -> RecordedTransfer {
        guard let application = row.text(2), let session = row.text(3),
            let state = try RunRow.value(row, 6, TransferState.self)
        else { throw Unreadable() }
        var transfer = StoredTransfer(
            id: row.integer(0), session: row.integer(1), number: UInt32(clamping: row.integer(4)),
            created: Timestamp(nanoseconds: row.integer(5)), request: try request(row), state: state,
            isFromBackground: row.integer(8) != 0, progress: progress(row))
        transfer.end = try end(row)
        transfer.isFileTaken = row.integer(7) != 0
        transfer.isHeld = row.integer(49) != 0
        return RecordedTransfer(application: application, session: session, transfer: transfer)
    }

    private static func request(_ row: borrowing Statement) throws(Unreadable) -> TransferRequest {
        guard let kind = try RunRow.value(row, 9, TransferKind.self), let place = row.text(10),
            let headers = unsafe row.withBytes(22, HeaderPacking.unpack)
        else { throw Unreadable() }
        var request = TransferRequest(kind: kind, url: row.text(21) ?? place, method: row.text(11) ?? "")
        request.headers = headers
        request.file = row.text(12) ?? ""
        request.text = row.text(23) ?? ""
        request.earliest = row.optionalInteger(13).map(Timestamp.init(nanoseconds:))
        request.timeout = row.optionalInteger(14).map(TimeSpan.init(nanoseconds:))
        request.priority = Float(row.real(15))
        request.allowsExpensive = row.integer(16) != 0
        request.allowsConstrained = row.integer(17) != 0
        request.expectedSend = row.optionalInteger(18)
        request.expectedReceive = row.optionalInteger(19)
        request.sha256 = unsafe row.isNull(20) ? nil : row.withBytes(20) { unsafe Array($0) }
        request.resumeData = unsafe row.withBytes(24) { unsafe Array($0) }
        return request
    }

    private static func progress(_ row: borrowing Statement) -> TransferProgress {
        var progress = TransferProgress()
        progress.attempts = UInt32(clamping: row.integer(25))
        progress.received = row.integer(26)
        progress.sent = row.integer(27)
        progress.durable = row.integer(28)
        progress.total = row.optionalInteger(29)
        progress.validator = row.text(30) ?? ""
        progress.uploadLocation = row.text(31) ?? ""
        progress.url = row.text(32) ?? ""
        progress.status = UInt16(clamping: row.integer(33))
        progress.address = row.text(34) ?? ""
        progress.lastFault = row.text(35) ?? ""
        progress.nextTry = row.optionalInteger(36).map(Timestamp.init(nanoseconds:))
        if let size = row.optionalInteger(50), let modified = row.optionalInteger(51),
            let inode = row.optionalInteger(52)
        {
            progress.source = UploadSource(size: size, modified: modified, inode: UInt64(bitPattern: inode))
        }
        return progress
    }

    private static func end(_ row: borrowing Statement) throws(Unreadable) -> TransferEnd? {
        guard let moment = row.optionalInteger(37) else { return nil }
        var end = TransferEnd(at: Timestamp(nanoseconds: moment), order: row.integer(38))
        if let number = row.optionalInteger(39) {
            guard let error = Int32(exactly: number).flatMap(TransferError.init(rawValue:)) else { throw Unreadable() }
            end.error = error
        }
        end.cancelReason = try RunRow.value(row, 40, TransferCancelReason.self)
        end.sentence = row.text(41) ?? ""
        end.status = UInt16(clamping: row.integer(42))
        end.url = row.text(43) ?? ""
        guard let headers = unsafe row.withBytes(44, HeaderPacking.unpack) else { throw Unreadable() }
        end.headers = headers
        end.received = row.integer(45)
        end.sent = row.integer(46)
        end.file = row.text(47) ?? ""
        end.resumeData = unsafe row.withBytes(48) { unsafe Array($0) }
        return end
    }
}
