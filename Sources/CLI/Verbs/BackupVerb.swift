import Control
import JSON
import Linux
import Record
import TaskModel

/// `taskhost backup FILE`
enum BackupVerb: Verb {
    static let name = "backup"
    static let summary = "copy the record of runs to a file"
    static let help = """
        usage: taskhost backup FILE

        Copies the record of runs as it is now, whether a host serves or not: a whole SQLite database in one file, checked,
        synced, and readable by its owner alone (0600). A host keeps serving meanwhile. FILE belongs to who asks; it appears under
        its name when it is whole. Only the host's own user and root may ask a host. To go back to it, stop the host and put
        it in the place of taskhost.db in the state folder, without the files taskhost.db-wal and taskhost.db-shm.

        exit status: 0 FILE is there · 69 the host cannot be asked · 73 FILE exists, or it cannot be written
        """
    static let options: [Option] = [.flag("--force", "replace FILE if it exists"), .state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.count == 1, !arguments.words[0].isEmpty else {
            throw .usage("one file is needed; taskhost backup; write taskhost backup FILE")
        }
        let path = arguments.words[0]
        let record = try RecordAccess.open(arguments)
        let file = try BackupFile(path, replaces: arguments.has("--force"))
        let size = try record.copy(to: file) { done, all in
            terminal.status("copied \(ByteCount(bytes: UInt64(done))) of \(ByteCount(bytes: UInt64(all)))")
        }
        terminal.clearStatus()
        try file.finish()
        if arguments.isJSON {
            terminal.print(.object(["file": .string(path), "bytes": .integer(size)]))
        } else {
            terminal.print("\(path): \(ByteCount(bytes: UInt64(size)))")
        }
        return ExitStatus.success
    }
}
