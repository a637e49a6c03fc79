package import Linux
import TaskModel
package import Wire

/// The folder with everything of one host: the record, the lock, and each application's folders.
///
/// It is reached and used through descriptors, and only root and the host's user can have put anything into it: the host
/// acts only on its own files.
package final class StateFolder {
    package let path: String
    /// Held while this object lives; the kernel unlocks it when the process ends, in any way.
    private let lock: Descriptor
    /// The folder of the applications' folders.
    private let applications: Descriptor
    /// The workers without control groups.
    package let workers: WorkerLedger

    package static let databaseName = "taskhost.db"
    static let lockName = "lock"
    package static let applicationsName = "applications"

    package static func databasePath(in folder: String) -> String { folder + "/" + databaseName }
    package var databasePath: String { Self.databasePath(in: path) }

    /// How long a host has the folder.
    package enum Stay: Sendable {
        /// A daemon's, or of runs: until it is ended.
        case lasting
        /// A verb's, which answers one question.
        case passing
    }

    /// Creates the folder, if it is missing (0711: workers pass through it, others cannot list it), and takes its lock. A
    /// folder that exists keeps its mode, and must be empty or a state folder already.
    ///
    /// - Parameter say: receives a message when it waits for another host's passing stay.
    package init(_ folder: String, for stay: Stay, say: (String) -> Void = { _ in }) throws(HostError) {
        let walk: FolderWalk
        do throws(FolderFault) {
            walk = try FolderWalk(to: folder, makingMissing: 0o711)
        } catch {
            throw Self.error(error, folder)
        }
        path = walk.path
        // Not even a sticky one: files of other users there could be mistaken for the host's own.
        if walk.facts.mode & 0o002 != 0 { throw .stateIsPublic(path: path) }
        do throws(SystemError) {
            guard try Self.isUsable(walk.folder, path) else { throw Self.notOurs }
            applications = try FileSystem.makeFolder(
                at: walk.folder, Self.applicationsName, mode: 0o711, naming: path + "/" + Self.applicationsName)
            lock = try FileSystem.makeFile(
                at: walk.folder, Self.lockName, mode: 0o600, naming: path + "/" + Self.lockName)
            workers = WorkerLedger(
                try FileSystem.makeFile(
                    at: walk.folder, WorkerLedger.fileName, mode: 0o600, naming: path + "/" + WorkerLedger.fileName))
        } catch {
            throw error == Self.notOurs ? .stateIsForeign(path: path) : .stateUnusable(path: path, error)
        }
        try StateLock.take(lock, path, for: stay, say)
    }

    private static func error(_ fault: FolderFault, _ folder: String) -> HostError {
        switch fault {
        case .system(let error): .stateUnusable(path: folder, error)
        // A world-writable folder has its own sentence.
        case .writable(let path, isByAll: true) where path == FileSystem.realPath(folder): .stateIsPublic(path: path)
        case .foreign, .writable: .stateIsUntrusted(path: folder, fault)
        }
    }

    /// The holder of a folder, if this user may see it. Not for the holder itself: it would lose the lock.
    package static func holder(of folder: String) -> LockHolder {
        guard let lock = try? Descriptor.open(folder + "/" + lockName, .O_RDONLY) else { return .unknown }
        return lock.lockHolder()
    }

    /// Whether a host has the folder for long, or waits for it. Not for that host itself.
    package static func isWanted(_ folder: String) -> Bool {
        guard let lock = try? Descriptor.open(folder + "/" + lockName, .O_RDONLY) else { return false }
        return StateLock.lastingHolder(of: lock) != .nobody
    }

    /// An application's own folders, made if missing, and whose they are.
    package struct ApplicationFolders {
        package var state: String
        package var cache: String
        package var identity: WorkerIdentity
    }

    /// The owner of an application's folder is its user: found there again at every start, so that it is never given to
    /// another application as long as files of this one exist.
    ///
    /// - Parameter users: for an application whose manifest names no user of the machine.
    package func folders(
        of installed: InstalledApplication, users: ClosedRange<UInt32>
    ) throws(HostError) -> ApplicationFolders {
        let application = installed.definition.identifier
        let path = folder(of: application)
        do throws(SystemError) {
            let folder = try FileSystem.makeFolder(at: applications, application, mode: 0o700, naming: path)
            var identity = WorkerIdentity.host(named: installed.account?.name ?? "")
            if ThisProcess.isRoot {
                try refuseClosedParents()
                identity = try self.identity(of: folder, installed.account, users)
                try give(folder, to: identity, path)
            }
            for name in ["state", "cache"] {
                let inner = try FileSystem.makeFolder(at: folder, name, mode: 0o700, naming: path + "/" + name)
                if ThisProcess.isRoot { try give(inner, to: identity, path + "/" + name) }
            }
            return ApplicationFolders(state: path + "/state", cache: path + "/cache", identity: identity)
        } catch let error {
            if error.call == Self.closedFolder { throw .stateUnreachable(path: self.path, folder: error.object) }
            throw .stateUnusable(path: path, error)
        }
    }

    private func identity(
        of folder: borrowing Descriptor, _ account: Account?, _ users: ClosedRange<UInt32>
    ) throws(SystemError) -> WorkerIdentity {
        if let account {
            return .account(account.name, user: account.user, group: account.group, groups: account.groups)
        }
        let user = try FileSystem.facts(of: folder).user
        return .own(users.contains(user) ? user : try freeUser(in: users))
    }

    private func give(
        _ folder: borrowing Descriptor, to identity: WorkerIdentity, _ path: String
    ) throws(SystemError) {
        let facts = try FileSystem.facts(of: folder)
        if facts.user == identity.user && facts.group == identity.group { return }
        // Another user by a change of the manifest: root owns a folder that was just made.
        if facts.user != 0 && facts.user != identity.user {
            var handover = FolderHandover(from: facts.user, to: identity.user, group: identity.group)
            try handover.give(contentsOf: folder, naming: path)
        }
        try FileSystem.changeOwner(of: folder, user: identity.user, group: identity.group, naming: path)
    }

    /// An application's own folders, whether they are there or not.
    package func existingFolders(of application: String) -> [String] {
        let folder = folder(of: application)
        return [folder + "/state", folder + "/cache"]
    }

    /// The folder with an application's own folders.
    package func folder(of application: String) -> String { path + "/" + Self.applicationsName + "/" + application }

    private static let closedFolder = "closed folder"

    /// Every folder on the way must let others pass.
    private func refuseClosedParents() throws(SystemError) {
        if let folder = try FileSystem.closedFolder(onWayTo: path + "/.") {
            throw SystemError(Self.closedFolder, code: .EACCES, object: folder)
        }
    }

    private func freeUser(in users: ClosedRange<UInt32>) throws(SystemError) -> UInt32 {
        let folder = path + "/" + Self.applicationsName
        var taken = Set<UInt32>()
        for name in try FileSystem.names(in: applications, naming: folder) {
            guard let facts = try FileSystem.facts(at: applications, name) else { continue }
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
