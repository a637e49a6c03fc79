import Linux

/// A file that grows under another name and gets its own when it is complete; it is deleted if that does not happen.
final class BackupFile {
    /// Its temporary path, next to its own.
    let part: String
    private let path: String
    private let replaces: Bool
    private var isFinished = false

    /// - Parameter replaces: a file that is there may be replaced; else it is refused.
    init(_ path: String, replaces: Bool) throws(Failure) {
        self.path = path
        self.replaces = replaces
        part = "\(path).\(ThisProcess.pid).part"
        if !replaces, (try? FileSystem.facts(ofPath: path)) != nil { throw exists }
    }

    deinit {
        guard !isFinished else { return }
        for name in [part, part + "-wal", part + "-shm", part + "-journal"] { try? FileSystem.remove(name) }
    }

    private var exists: Failure {
        .cannotCreate("the file exists; \(path); name another, or replace it with --force")
    }

    /// The place that grows, for writing.
    func open() throws(Failure) -> Descriptor {
        try asFailure { () throws(SystemError) in
            try Descriptor.open(part, [.O_CREAT, .O_EXCL, .O_NOFOLLOW, .O_WRONLY], mode: 0o600)
        }
    }

    /// Checks the copy, syncs it and gives it its name.
    func finish() throws(Failure) {
        try RecordAccess.seal(part)
        let folder =
            path.contains("/")
            ? path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") : "."
        try asFailure { () throws(SystemError) in
            try Descriptor.open(part, .O_RDONLY).sync()
            // Linked, not renamed: a file that has come in between stays.
            if replaces {
                try FileSystem.rename(part, to: path)
            } else {
                try giveName()
            }
            isFinished = true
            try Descriptor.open(folder.isEmpty ? "/" : folder, [.O_RDONLY, .O_DIRECTORY]).sync()
        }
    }

    private func giveName() throws(SystemError) {
        do throws(SystemError) {
            try FileSystem.link(part, as: path)
            try? FileSystem.remove(part)
        } catch {
            // A file system without hard links.
            guard error.code == .EPERM || error.code == .EOPNOTSUPP, (try? FileSystem.facts(ofPath: path)) == nil
            else { throw error }
            try FileSystem.rename(part, to: path)
        }
    }

    func asFailure<R: ~Copyable>(_ work: () throws(SystemError) -> R) throws(Failure) -> R {
        do throws(SystemError) {
            return try work()
        } catch {
            if error.code == .EEXIST { throw exists }
            throw .cannotCreate("the copy cannot be written; \(path): \(error); mend that, or name another file")
        }
    }
}
