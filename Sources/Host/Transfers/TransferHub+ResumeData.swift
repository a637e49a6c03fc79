import Engine
import Linux
import Record
import TaskModel
import Transfers
import Workers

// Partial files of failed or cancelled downloads stay for another task, as do the data that uploads need to continue.
extension TransferHub {
    /// A failed or cancelled transfer can continue in another one, if the server allows it: its partial file stays.
    func keepForLater(
        _ end: inout TransferEnd, _ handle: TransferHandle, _ record: TransferRecord, _ session: SessionRecord,
        _ progress: TransferProgress?
    ) {
        guard let folder = try? parts(of: session.application) else { return }
        let isUsual = end.error == .cancelled && !record.wantsResumeData && end.cancelReason == nil
        let request = fresh[handle]?.request ?? stored(handle)?.request
        if let request, let progress, request.kind == .upload, !isUsual {
            end.resumeData = resumeData(of: request, progress, end.error, session.application)
        }
        // Excess data would be too much the next time as well.
        guard let request, let progress, request.kind == .download, request.method == "GET", !isUsual,
            end.error != .tooLarge, !progress.validator.isEmpty, folder.size(of: record.id) > 0
        else { return folder.remove(record.id) }
        if crowded.insert(session.application).inserted {
            keeper.afterCommit { [unowned self] in trimParts(of: session.application) }
        }
        end.resumeData =
            ResumeData(
                transfer: record.id, url: request.url, received: folder.size(of: record.id),
                validator: progress.validator
            ).bytes
    }

    /// For an upload whose server has said where it takes the rest; empty: there is none, or the file has changed.
    private func resumeData(
        of request: TransferRequest, _ progress: TransferProgress, _ error: TransferError?,
        _ application: ApplicationIndex
    ) -> [UInt8] {
        guard !progress.uploadLocation.isEmpty, error != .uploadFileChanged,
            let file = try? openReadable(request.file, of: application), let facts = try? FileSystem.facts(of: file)
        else { return [] }
        let bytes = UploadResumeData(url: request.url, location: progress.uploadLocation, file: facts).bytes
        return bytes.count > TransferLimit.resumeData ? [] : bytes
    }

    /// A new task continues with the file of an old one of its application.
    func adoptResumeData(
        _ request: TransferRequest, _ record: TransferRecord, _ attempt: inout TransferAttempt, _ folder: PartFolder
    ) throws(SystemError) {
        guard let data = ResumeData(request.resumeData), data.url == request.url, folder.contains(data.transfer),
            let old = try? keeper.reader.transfer(data.transfer), !old.transfer.state.isOpen,
            old.application == (try? keeper.reader.transfer(record.id))?.application
        else { return }
        try folder.adopt(data.transfer, as: record.id)
        if let application = sessions[record.session]?.application {
            ledgers[application]?.set(data.transfer, 0)
            ledgers[application]?.set(record.id, UInt64(clamping: folder.size(of: record.id)))
        }
        attempt.progress.validator = data.validator
        attempt.progress.received = folder.size(of: record.id)
    }

    // MARK: Room for them

    /// Parts of one application that stay for other tasks at most.
    private static let keptParts = 1024

    /// Deletes partial files that no task can use any more, and the oldest of the others until their number and size are
    /// within limits: at most the application's disk budget, less its files. Takes time for each of its partial files.
    func trimParts(of application: ApplicationIndex) {
        crowded.remove(application)
        guard let folder = folders[application], let parts = try? folder.parts() else { return }
        let budget = quotas.budget(of: application).bytes
        var (count, bytes) = (0, UInt64(0))
        for id in parts.sorted(by: >) {
            let handle = handles[id]
            // It runs or waits, or its file is about to be moved.
            if let handle, decider.transfers.state(of: handle) != .ended { continue }
            let end = (try? keeper.reader.transfer(id))?.transfer.end
            if end?.resumeData.isEmpty != false {
                if handle == nil, end?.error != nil || end == nil {
                    folder.remove(id)
                    ledgers[application]?.set(id, 0)
                }
                continue
            }
            count += 1
            let size = UInt64(clamping: folder.size(of: id))
            bytes += size
            let isTooMuch = count > Self.keptParts || bytes > budget
            if isTooMuch { folder.remove(id) }
            ledgers[application, default: PartLedger()].set(id, isTooMuch ? 0 : size, isKept: true)
        }
    }
}
