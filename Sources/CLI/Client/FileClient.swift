import Control
import Record
import Serving
import TaskModel

/// The record's file, asked like a host while none has it. It is opened for each answer, so that a host that starts meanwhile
/// waits for one of them at most; from then on that host answers.
final class FileClient: RecordClient {
    private let arguments: Arguments
    /// For the first answer.
    private var first: RecordFile?

    init(_ file: RecordFile, _ arguments: Arguments) {
        first = file
        self.arguments = arguments
    }

    func send(_ request: ControlRequest) throws(Failure) -> ControlReply {
        switch try source() {
        case .host(let client): try client.send(request)
        case .file(let file): file.reply(to: request)
        }
    }

    func copyRecord(to copy: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64 {
        switch try source() {
        case .host(let client): try client.copyRecord(to: copy, progress: progress)
        case .file(let file):
            try RecordAccess.reading { () throws(StoreError) in try file.copy(to: copy.part, progress: progress) }
        }
    }

    private func source() throws(Failure) -> RecordAccess.Source {
        if let file = first.take() { return .file(file) }
        if let source = try RecordAccess.find(arguments) { return source }
        throw .cannotCreate(
            "the record of runs is gone; \(try Places.state(arguments)); see who removed it, and ask again")
    }
}
