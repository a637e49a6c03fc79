import Glibc
import Linux

/// The folder that holds everything of one host: the record, the lock, and each application's folders.
package struct StateFolder {
    package let path: String
    /// Locked as long as this value lives; the kernel unlocks it when the process ends, however that happens.
    private let lock: LockFile

    package static func databasePath(in folder: String) -> String { folder + "/taskhost.db" }
    package var databasePath: String { Self.databasePath(in: path) }

    /// Makes the folder (0711: workers pass through it, nobody lists it) and takes its lock.
    package init(_ folder: String) throws(HostError) {
        (path, lock) = try Self.open(folder)
    }

    private static func open(_ folder: String) throws(HostError) -> (String, LockFile) {
        let path: String
        let file: LockFile
        let isPublic: Bool
        do throws(SystemError) {
            try FileSystem.makeFolders(folder, mode: 0o755)
            path = FileSystem.realPath(folder) ?? folder
            isPublic = try FileSystem.followedFacts(of: path).mode & 0o002 != 0
        } catch {
            throw .stateUnusable(path: folder, error)
        }
        // What others put there could be taken for the host's own; and it is not the host's to close, such as /tmp.
        guard !isPublic else { throw .stateIsPublic(path: path) }
        do throws(SystemError) {
            try FileSystem.changeMode(path, 0o711)
            try FileSystem.makeFolders(path + "/applications", mode: 0o711)
            try FileSystem.changeMode(path + "/applications", 0o711)
            file = LockFile(try Descriptor.open(path + "/lock", O_RDWR | O_CREAT, mode: 0o600))
        } catch {
            throw .stateUnusable(path: folder, error)
        }
        guard file.descriptor.lockExclusively() else {
            let text = try? FileSystem.read(file.descriptor, limit: 64, naming: path)
            let pid = text.flatMap { Int32(String(decoding: $0, as: UTF8.self).prefix { $0.isNumber }) }
            throw .stateIsHeld(path: path, pid: pid)
        }
        let own = Array("\(getpid())\n".utf8)
        let number = file.descriptor.number
        guard ftruncate(number, 0) == 0, pwrite(number, own, own.count, 0) == own.count else {
            throw .stateUnusable(path: path, SystemError("write", code: errno, object: path + "/lock"))
        }
        return (path, file)
    }

    /// Holds the lock as long as it lives.
    private final class LockFile {
        let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

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
        let folder = path + "/applications/" + application
        do throws(SystemError) {
            try FileSystem.makeFolders(folder, mode: 0o700)
            var user = try FileSystem.facts(ofPath: folder).user
            if FileSystem.isRoot {
                try refuseClosedParents()
                if !users.contains(user) { user = try freeUser(in: users) }
                try FileSystem.changeOwner(folder, user: user, group: user)
            } else {
                user = 0
            }
            var made = ApplicationFolders(state: folder + "/state", cache: folder + "/cache", user: user)
            for inner in [made.state, made.cache] {
                try FileSystem.makeFolders(inner, mode: 0o700)
                if FileSystem.isRoot { try FileSystem.changeOwner(inner, user: user, group: user) }
            }
            made.user = user
            return made
        } catch let error {
            if error.call == Self.closedFolder { throw .stateUnreachable(path: path, folder: error.object) }
            throw .stateUnusable(path: folder, error)
        }
    }

    private static let closedFolder = "closed folder"

    /// Every folder on the way must let others pass.
    private func refuseClosedParents() throws(SystemError) {
        var partial = ""
        for component in path.split(separator: "/") {
            partial += "/" + component
            let facts = try FileSystem.facts(ofPath: partial)
            guard facts.mode & 0o001 != 0 else { throw SystemError(Self.closedFolder, code: EACCES, object: partial) }
        }
    }

    private func freeUser(in users: ClosedRange<UInt32>) throws(SystemError) -> UInt32 {
        let folder = path + "/applications"
        var taken = Set<UInt32>()
        for name in try FileSystem.names(in: folder) {
            taken.insert(try FileSystem.facts(ofPath: folder + "/" + name).user)
        }
        // Hosts with other state folders begin elsewhere: processes of one user share its limits (RLIMIT_NPROC), and may
        // signal each other where Landlock does not prevent it.
        let start = users.lowerBound + UInt32(GroupNaming.number(of: path) % UInt64(users.count))
        let inOrder = [start...users.upperBound, users.lowerBound...start].lazy.joined()
        guard let free = inOrder.first(where: { !taken.contains($0) }) else {
            throw SystemError("user range used up", code: ENOSPC, object: folder)
        }
        return free
    }
}
