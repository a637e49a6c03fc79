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

        Copies the record of runs in its present state, with or without a daemon: one SQLite database in one file,
        checked, synced, and readable by its owner alone (0600). A daemon keeps running meanwhile. FILE belongs to the
        user who runs this verb, and appears under its name when it is complete. Only the daemon's own user and root may
        use this verb with a daemon. To restore the copy, stop the daemon and put it in place of taskhost.db in the
        state folder, without the files taskhost.db-wal and taskhost.db-shm.

        exit status: 0 FILE is complete · 69 the daemon cannot be reached · 73 FILE exists or cannot be written
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
        terminal.print(
            ["file": .string(path), "bytes": .integer(size)], or: "\(path): \(ByteCount(bytes: UInt64(size)))",
            for: arguments)
        return ExitStatus.success
    }
}
