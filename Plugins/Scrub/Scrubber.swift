import CTaskHost
import Glibc

/// The work of one run: as much of a pass as fits.
struct Scrubber {
    /// Files a transaction: few enough that little is done twice after a crash, many enough that commits cost nothing.
    private static let batch = 128

    private let run: Run
    private let settings: Settings
    private let index: Index
    private let known: Int64
    private var pass: Pass
    private var filesOfThisRun: Int64 = 0

    private enum End {
        case finished, stopped, limit
    }

    init(_ run: Run) throws(Failure) {
        self.run = run
        settings = try Settings(run)
        index = try Index(of: settings.folder, for: run)
        known = try index.count()
        pass = try index.pass()
    }

    /// Works, saves where it is, and completes the run.
    mutating func work() throws(Failure) {
        let folder = display(settings.folder)
        if pass.isUnderWay {
            run.log(TASKHOST_LOG_INFO, "\(folder): pass \(pass.number) continues after \(display(pass.position))")
        }
        let walk = try Walk(root: settings.folder, after: pass.position)
        let rottedBefore = pass.rotted
        let end = try read(walk)
        let summary = summary
        var isSound = pass.rotted == rottedBefore
        switch end {
        case .finished:
            // What an earlier run of the same pass found counts here as well: it may have expired over it.
            isSound = pass.rotted == 0
            run.log(TASKHOST_LOG_NOTICE, "\(folder): pass \(pass.number) is done: \(summary)")
            try finish()
        case .stopped:
            let reason = taskhost_expiration_reason(run.task)
            run.log(
                TASKHOST_LOG_NOTICE, "\(folder): expired (reason \(reason)) after \(display(pass.position)): \(summary)"
            )
        case .limit:
            run.log(TASKHOST_LOG_NOTICE, "\(folder): \(filesOfThisRun) files read, the next run continues: \(summary)")
        }
        // All is committed. The database is closed after this, which takes a moment that an expired run may not have.
        run.complete(end != .stopped && isSound)
    }

    private var summary: String {
        """
        \(pass.checked) files, \(pass.bytes >> 20) MiB, \(pass.rotted) rotted, \(pass.unreadable) unreadable
        """
    }

    /// Reads files until the walk, the budget or the limit ends, and commits where it got to.
    private mutating func read(_ walk: Walk) throws(Failure) -> End {
        let reader = FileReader()
        var uncommitted = 0
        var end: End?
        try index.begin()
        while end == nil {
            if run.shouldStop {
                end = .stopped
            } else if let limit = settings.maximumFiles, filesOfThisRun >= limit {
                end = .limit
            } else if let step = walk.next() {
                if try deal(with: step, at: walk.path, reader) { uncommitted += 1 } else { end = .stopped }
            } else {
                end = .finished
            }
            if end != nil || uncommitted >= Self.batch {
                try index.save(pass)
                try index.commit()
                run.progress(pass.checked, of: max(known, pass.checked), "\(pass.bytes >> 20) MiB read")
                uncommitted = 0
                if end == nil { try index.begin() }
            }
        }
        return end ?? .stopped
    }

    /// Deals with one step of the walk; false when the run expired in the middle of it.
    private mutating func deal(with step: Walk.Step, at position: [UInt8], _ reader: FileReader) throws(Failure) -> Bool
    {
        switch step {
        case .unreadable(let code):
            try skip(position, code)
        case .file(let folder, let name):
            let partial = pass.partial
            pass.partial = nil
            let task = run
            switch reader.read(name, in: folder, resuming: partial, until: { task.shouldStop }) {
            case .stopped(let partial):
                pass.partial = partial
                return false
            case .unreadable(let code):
                try skip(position, code)
            case .changing:
                try index.keep(position, pass: pass.number)
                run.log(TASKHOST_LOG_DEBUG, "\(self.name(position)): it is being written to; left for the next pass")
            case .whole(let fingerprint, let checksum):
                pass.checked += 1
                pass.bytes &+= fingerprint.size
                if try index.judge(position, fingerprint, checksum: checksum, pass: pass.number) == .rotted {
                    pass.rotted += 1
                    run.log(
                        TASKHOST_LOG_ERROR,
                        "\(self.name(position)): rotted: other content, same size and modification time; restore it")
                }
            }
            filesOfThisRun += 1
        }
        pass.position = position
        return true
    }

    private mutating func skip(_ position: [UInt8], _ code: Int32) throws(Failure) {
        pass.unreadable += 1
        run.log(TASKHOST_LOG_WARNING, "\(name(position)): cannot be read: \(String(cString: strerror(code)))")
        try index.keep(position, pass: pass.number)
    }

    /// A file's whole path, for people.
    private func name(_ position: [UInt8]) -> String {
        display((settings.folder.count == 1 ? [] : settings.folder) + [UInt8(ascii: "/")] + position)
    }

    /// Ends the pass: forgets files that were removed, and gets ready for the next one.
    private mutating func finish() throws(Failure) {
        try index.begin()
        try index.forget(unseenBy: pass.number)
        pass = Pass(number: pass.number + 1)
        try index.save(pass)
        try index.commit()
    }
}
