package import Record
import Store
package import TaskModel

/// The record's file, for verbs that read the past while no host holds it: nothing is started, cleared or changed.
package enum RecordFile {
    /// The record of a state folder.
    ///
    /// - Parameter patience: how long another process's lock is waited for.
    package static func open(inState folder: String, patience: TimeSpan) throws(StoreError) -> any RecordReader {
        try History(path: StateFolder.databasePath(in: folder), patience: patience)
    }

    /// Makes one file of a whole copy, and checks that it is sound.
    package static func seal(_ path: String) throws(StoreError) { try RecordCopy.seal(path) }
}
