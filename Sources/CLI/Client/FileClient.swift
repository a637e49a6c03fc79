import Control
import Host
import Record
import TaskModel

/// The record's file, asked like a host while none has it.
final class FileClient: RecordClient {
    private let file: RecordFile

    init(_ file: RecordFile) { self.file = file }

    func send(_ request: ControlRequest) -> ControlReply { file.reply(to: request) }

    func copyRecord(to copy: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64 {
        try RecordAccess.reading { () throws(StoreError) in try file.copy(to: copy.part, progress: progress) }
    }
}
