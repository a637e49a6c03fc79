package import Control
import Linux
package import Record
import Setting
import Store
package import TaskModel

/// The record's file, for verbs that read the past while no host holds it: nothing is started, cleared or changed. Thread: the
/// one that made it.
package final class RecordFile {
    private let reader: any RecordReader
    private let answers = LongAnswers()
    private let router = Router(version: Release.version)
    private let past: PastAPI

    /// Opens the record of a state folder.
    ///
    /// - Parameter patience: how long another process's lock is waited for.
    package init(inState folder: String, patience: TimeSpan) throws(StoreError) {
        let reader = try History(path: StateFolder.databasePath(in: folder), patience: patience)
        self.reader = reader
        // Nothing runs: what has no outcome was interrupted, when its host was killed, as the next host will write down.
        past = PastAPI({ reader }, answers, now: { Clock.moment().time }) {
            { run in
                var run = run
                run.outcome = run.outcome ?? .interrupted
                return run
            }
        }
        past.addRoutes(to: router)
    }

    /// The reply of the control API to a question about the past.
    package func reply(to request: ControlRequest) -> ControlReply {
        var reply: ControlReply?
        router.handle(request) { reply = $0 }
        while answers.goOn() {}
        guard let reply else { preconditionFailure("a question about the past is answered at once") }
        return reply
    }

    /// Copies the whole record to a file.
    ///
    /// - Parameter progress: bytes so far, and all.
    /// - Returns: bytes.
    package func copy(to path: String, progress: (Int64, Int64) -> Void) throws(StoreError) -> Int64 {
        let copy = try reader.copy(to: path)
        // A mebibyte at a time.
        while try !copy.copy(pages: 256) { progress(copy.copied, copy.size) }
        return copy.size
    }

    /// Makes one file of a whole copy, and checks that it is sound.
    package static func seal(_ path: String) throws(StoreError) { try RecordCopy.seal(path) }
}
