import Engine
import Linux
import Record
import TaskModel
import Transfers
import Workers

// Partial files of failed or cancelled downloads stay for another task, as do the data that uploads need to continue.
extension TransferParts {
    /// A failed or cancelled transfer can continue in another one, if the server allows it: its partial file stays.
    ///
    /// - Parameter progress: that of its last attempt.
    func keepForLater(
        _ end: inout TransferEnd, _ transfer: OpenTransfer, of application: ApplicationIndex,
        _ progress: TransferProgress
    ) {
        guard let folder = try? folder(of: application) else { return }
        let isUsual = end.error == .cancelled && !transfer.wantsResumeData && end.cancelReason == nil
        let request = transfer.stored.request
        if request.kind == .upload, !isUsual {
            end.resumeData = resumeData(of: request, progress, end.error, application)
        }
        // Excess data would be too much the next time as well.
        guard request.kind == .download, request.method == "GET", !isUsual, end.error != .tooLarge,
            !progress.validator.isEmpty, folder.size(of: transfer.id) > 0
        else { return folder.remove(transfer.id) }
        noteKept(of: application)
        end.resumeData =
            ResumeData(
                transfer: transfer.id, url: request.url, received: folder.size(of: transfer.id),
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
        _ transfer: OpenTransfer, _ attempt: inout TransferAttempt, _ folder: PartFolder,
        of application: ApplicationIndex
    ) throws(SystemError) {
        let request = transfer.stored.request
        guard let data = ResumeData(request.resumeData), data.url == request.url, folder.contains(data.transfer),
            isOver(data.transfer, of: application)
        else { return }
        try folder.adopt(data.transfer, as: transfer.id)
        holdings[application]?.set(data.transfer, 0)
        holdings[application]?.set(transfer.id, UInt64(clamping: folder.size(of: transfer.id)))
        attempt.progress.validator = data.validator
        attempt.progress.received = folder.size(of: transfer.id)
    }

    /// Whether that transfer of the application is over: of one that is acknowledged the record alone knows.
    private func isOver(_ id: Int64, of application: ApplicationIndex) -> Bool {
        guard let old = try? keeper.reader.transfer(id), !old.state.isOpen else { return false }
        return old.application == installed.name(of: application)
    }
}
