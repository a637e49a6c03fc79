extension StoreError: CustomStringConvertible {
    /// One sentence: what failed; where and why; what to do.
    package var description: String { "cannot \(what); \(path): \(cause); \(advice)" }

    private var cause: String {
        switch kind {
        case .missing: "no run has been recorded here"
        case .cannotOpen: words ?? message
        case .notWritable: words ?? "it can only be read"
        case .full: "the disk or a quota is full"
        case .inputOutput: "the disk failed (\(words ?? message))"
        case .newerSchema(let found, let known):
            "was written by a newer taskhost (schema \(found); this one knows \(known))"
        case .olderSchema(let found, let known):
            "was written by an older taskhost (schema \(found); this one reads \(known))"
        case .otherClock(let isVirtual):
            isVirtual ? "has the times of a virtual clock" : "has the times of the machine's clock"
        case .foreign: "is the database of another program"
        case .corrupt: message.isEmpty ? "is damaged" : "is damaged or not a database (\(message))"
        case .damagedLog(let frame):
            "its log is damaged at frame \(frame), and later ones are whole"
        case .displaced(.removed): "the file was removed or moved away while this host had it open"
        case .displaced(.replaced): "the file was replaced while this host had it open"
        case .displaced(.emptied): "the file was emptied while this host had it open"
        case .displaced(.logRemoved): "its -wal file was removed or moved away while this host had it open"
        case .displaced(.logReplaced): "its -wal file was replaced while this host had it open"
        case .displaced(.logCut): "its -wal file was cut while this host had it open"
        case .locked: "another process has it open"
        case .broken: message
        }
    }

    private var advice: String {
        switch kind {
        case .missing: "run a task first, or name the right --state folder"
        case .cannotOpen, .notWritable:
            "check the owner and mode of the file and its folder, or use another --state folder"
        case .full: "free some space and start the host again; every run that was acknowledged is safe"
        case .inputOutput: "check the disk (dmesg) and start the host again; every run that was acknowledged is safe"
        case .newerSchema: "use that version, or another --state folder"
        case .olderSchema: "start a host of this version on the folder once, which brings it forward"
        case .otherClock(let isVirtual):
            isVirtual ? "serve it with --clock virtual, or use another --state folder" : "use an empty --state folder"
        case .foreign: "use another --state folder"
        case .corrupt: "move it away together with its -wal and -shm files, or restore a backup"
        case .damagedLog:
            "restore a backup, or move its -wal file away and start again: what was recorded last is lost then"
        case .displaced(.logRemoved): "start the host again; every run that was acknowledged is safe"
        case .displaced(.logReplaced):
            "remove the -wal file, then start the host again; every run that was acknowledged is safe"
        case .displaced(.logCut):
            "start the host again; what was in the part that is missing is lost, all that was recorded before it is safe"
        case .displaced: "put it or a backup of it there, then start the host again"
        case .locked: "end that process, then try again"
        case .broken: "this is a fault of taskhost; please report it"
        }
    }

    private var words: String? { systemWords.isEmpty ? nil : systemWords }
}
