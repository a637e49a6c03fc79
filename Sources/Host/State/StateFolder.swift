package import Linux

/// The folder with everything of one host: the record, the lock, and each application's folders.
///
/// It is reached and used through descriptors, and only root and the host's user can have put anything into it: the host
/// acts only on its own files.
package struct StateFolder {
    package let path: String
    /// Locked while this value lives; the kernel unlocks it when the process ends, in any way.
    private let files: Files

    static let databaseName = "taskhost.db"
    static let lockName = "lock"
    static let applicationsName = "applications"

    package static func databasePath(in folder: String) -> String { folder + "/" + databaseName }
    package var databasePath: String { Self.databasePath(in: path) }

    /// Creates the folder, if it is missing (0711: workers pass through it, others cannot list it), and takes its lock. A
    /// folder that exists keeps its mode, and must be empty or a state folder already.
    package init(_ folder: String) throws(HostError) {
        (path, files) = try Self.open(folder)
    }

    private static func open(_ folder: String) throws(HostError) -> (String, Files) {
        let walk: FolderWalk
        do throws(FolderFault) {
            walk = try FolderWalk(to: folder, makingMissing: 0o711)
        } catch {
            throw Self.error(error, folder)
        }
        let path = walk.path
        // Not even a sticky one: files of other users there could be mistaken for the host's own.
        if walk.facts.mode & 0o002 != 0 { throw .stateIsPublic(path: path) }
        let files: Files
        do throws(SystemError) {
            guard try isUsable(walk.folder, path) else { throw notOurs }
            let applications = try FileSystem.makeFolder(
                at: walk.folder, applicationsName, mode: 0o711, naming: path + "/" + applicationsName)
            let lock = try FileSystem.makeFile(
                at: walk.folder, lockName, mode: 0o600, naming: path + "/" + lockName)
            let workers = try FileSystem.makeFile(
                at: walk.folder, WorkerLedger.fileName, mode: 0o600, naming: path + "/" + WorkerLedger.fileName)
            files = Files(lock: lock, applications: applications, workers: WorkerLedger(workers))
        } catch {
            throw error == notOurs ? .stateIsForeign(path: path) : .stateUnusable(path: path, error)
        }
        try take(files.lock, path)
        return (path, files)
    }

    private static func error(_ fault: FolderFault, _ folder: String) -> HostError {
        switch fault {
        case .system(let error): .stateUnusable(path: folder, error)
        // A world-writable folder has its own sentence.
        case .writable(let path, isByAll: true) where path == FileSystem.realPath(folder): .stateIsPublic(path: path)
        case .foreign, .writable: .stateIsUntrusted(path: folder, fault)
        }
    }

    private static func take(_ lock: borrowing Descriptor, _ path: String) throws(HostError) {
        let isTaken: Bool
        do throws(SystemError) {
            isTaken = try lock.lockForProcess()
            if isTaken { try sign(lock, path) }
        } catch {
            throw .stateUnusable(path: path, error)
        }
        guard isTaken else { throw .stateIsHeld(path: path, pid: holder(of: lock, path)) }
    }

    /// Overwrites the contents, then truncates: a full disk does not give a block back. Without one only the lock
    /// counts.
    private static func sign(_ lock: borrowing Descriptor, _ path: String) throws(SystemError) {
        let own = Array("\(ThisProcess.pid)\n".utf8)
        do throws(SystemError) {
            try FileSystem.write(own, to: lock, naming: path + "/" + lockName)
        } catch {
            guard error.code == .ENOSPC || error.code == .EDQUOT else { throw error }
        }
        try lock.setLength(Int64(own.count))
    }

    /// The holder of a folder, if this user may see it. Not for the holder itself: it would lose the lock.
    package static func holder(of folder: String) -> LockHolder {
        guard let lock = try? Descriptor.open(folder + "/" + lockName, .O_RDONLY) else { return .unknown }
        return lock.lockHolder()
    }

    /// The process that has the lock: the kernel's word, or else the file's.
    private static func holder(of lock: borrowing Descriptor, _ path: String) -> Int32? {
        if case .process(let pid) = lock.lockHolder() { return pid }
        let text = try? FileSystem.read(lock, limit: 64, naming: path)
        return text.flatMap { Int32(String(decoding: $0, as: UTF8.self).prefix { $0.isNumber }) }
    }

    /// Holds the lock, and the descriptor of the applications' folders, while it lives.
    private final class Files {
        let lock: Descriptor
        let applications: Descriptor
        let workers: WorkerLedger

        init(lock: consuming Descriptor, applications: consuming Descriptor, workers: WorkerLedger) {
            self.lock = lock
            self.applications = applications
            self.workers = workers
        }
    }

    /// The workers without control groups.
    var workers: WorkerLedger { files.workers }

    /// An application's own folders, made if missing, and the user they belong to (0 when the host is not root).
    package struct ApplicationFolders {
        package var state: String
        package var cache: String
        package var user: UInt32
    }

    /// The owner of an application's folder is its user: found there again at every start, so that it is never given to
    /// another application as long as files of this one exist.
    package func folders(
        of application: String, users: ClosedRange<UInt32>
    ) throws(HostError) -> ApplicationFolders {
        let path = folder(of: application)
        do throws(SystemError) {
            let folder = try FileSystem.makeFolder(at: files.applications, application, mode: 0o700, naming: path)
            var user: UInt32 = 0
            if ThisProcess.isRoot {
                try refuseClosedParents()
                user = try FileSystem.facts(of: folder).user
                if !users.contains(user) { user = try freeUser(in: users) }
                try give(folder, to: user, path)
            }
            for name in ["state", "cache"] {
                let inner = try FileSystem.makeFolder(at: folder, name, mode: 0o700, naming: path + "/" + name)
                if ThisProcess.isRoot { try give(inner, to: user, path + "/" + name) }
            }
            return ApplicationFolders(state: path + "/state", cache: path + "/cache", user: user)
        } catch let error {
            if error.call == Self.closedFolder { throw .stateUnreachable(path: self.path, folder: error.object) }
            throw .stateUnusable(path: path, error)
        }
    }

    private func give(_ folder: borrowing Descriptor, to user: UInt32, _ path: String) throws(SystemError) {
        let facts = try FileSystem.facts(of: folder)
        if facts.user == user && facts.group == user { return }
        try FileSystem.changeOwner(of: folder, user: user, group: user, naming: path)
    }

    /// An application's own folders, whether they are there or not.
    func existingFolders(of application: String) -> [String] {
        let folder = folder(of: application)
        return [folder + "/state", folder + "/cache"]
    }

    /// The folder with an application's own folders.
    func folder(of application: String) -> String { path + "/" + Self.applicationsName + "/" + application }

    private static let closedFolder = "closed folder"

    /// Every folder on the way must let others pass.
    private func refuseClosedParents() throws(SystemError) {
        var partial = ""
        for component in path.split(separator: "/") {
            partial += "/" + component
            let facts = try FileSystem.facts(ofPath: partial)
            guard facts.mode & 0o001 != 0 else { throw SystemError(Self.closedFolder, code: .EACCES, object: partial) }
        }
    }

    private func freeUser(in users: ClosedRange<UInt32>) throws(SystemError) -> UInt32 {
        let folder = path + "/" + Self.applicationsName
        var taken = Set<UInt32>()
        for name in try FileSystem.names(in: files.applications, naming: folder) {
            guard let facts = try FileSystem.facts(at: files.applications, name) else { continue }
            taken.insert(facts.user)
        }
        // Hosts with other state folders begin elsewhere: processes of one user share its limits (RLIMIT_NPROC), and may
        // signal each other where Landlock does not prevent it.
        let start = users.lowerBound + UInt32(GroupNaming.number(of: path) % UInt64(users.count))
        let inOrder = [start...users.upperBound, users.lowerBound...start].lazy.joined()
        guard let free = inOrder.first(where: { !taken.contains($0) }) else {
            throw SystemError("user range used up", code: .ENOSPC, object: folder)
        }
        return free
    }
}
