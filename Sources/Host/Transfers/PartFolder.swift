import Linux
import Wire

/// The host's own folder of an application's unfinished files, `<application>/transfers`: no worker reaches it. A finished file
/// goes from here into the application's cache in one step.
final class PartFolder {
    private let folder: Descriptor
    private let cache: Descriptor
    private let path: String
    private let cachePath: String
    private let identity: WorkerIdentity

    static let name = "transfers"

    /// Opens it, or makes it.
    ///
    /// - Parameters:
    ///   - application: the folder with the application's own folders.
    ///   - cache: the application's cache.
    ///   - identity: the owner of finished files.
    init(in application: String, cache: String, identity: WorkerIdentity) throws(SystemError) {
        path = application + "/" + Self.name
        cachePath = cache
        self.identity = identity
        let parent = try Descriptor.open(application, [.O_PATH, .O_DIRECTORY, .O_NOFOLLOW])
        let made = try FileSystem.makeFolder(at: parent, Self.name, mode: 0o700, naming: path)
        folder = try FileSystem.open(at: made, ".", [.O_RDONLY, .O_DIRECTORY], naming: path)
        let last = cache.split(separator: "/").last.map(String.init) ?? ""
        let found = try FileSystem.openFolder(at: parent, last, naming: cache)
        // Membership of a project is asked of an open folder, not of a place.
        self.cache = try FileSystem.open(at: found, ".", [.O_RDONLY, .O_DIRECTORY], naming: cache)
        joinProject()
    }

    /// Where the file system counts the application's files, it counts unfinished ones from their first byte.
    private func joinProject() {
        guard let project = (try? ProjectQuotas.membership(of: cache.number))?.project, project != 0,
            (try? ProjectQuotas.membership(of: folder.number))?.project != project
        else { return }
        try? ProjectQuotas.set(.init(project: project, isInherited: true), of: folder.number)
    }

    /// After a power loss only bytes that were reported durable are certain: files of an earlier boot are cut to them, once.
    ///
    /// - Parameter durable: how much of the transfer's file is on disk; nil: all of it, or the transfer is unknown.
    func settleBoot(_ boot: String, durable: (Int64) -> Int64?) throws(SystemError) {
        let mark = try FileSystem.makeFile(at: folder, Self.bootName, mode: 0o600, naming: path + "/" + Self.bootName)
        // A mark that cannot be read is none.
        let before = (try? FileSystem.read(mark, limit: 64, naming: path)) ?? []
        guard before != Array(boot.utf8) else { return }
        for name in try FileSystem.names(in: folder, naming: path) {
            guard name.hasSuffix(".part"), let id = Int64(name.dropLast(5)), let known = durable(id),
                size(of: id) > known
            else { continue }
            try named(path + "/" + name) { () throws(SystemError) in try open(id).setLength(known) }
        }
        try named(path) { () throws(SystemError) in
            try mark.setLength(0)
            try mark.rewind()
        }
        try FileSystem.write(Array(boot.utf8), to: mark, naming: path + "/" + Self.bootName)
        try named(path) { () throws(SystemError) in try mark.sync() }
    }

    /// Adds the path of the call to its error.
    private func named(_ path: String, _ call: () throws(SystemError) -> Void) throws(SystemError) {
        do throws(SystemError) {
            try call()
        } catch {
            throw SystemError(error.call, code: error.code, object: path)
        }
    }

    private static let bootName = "boot"

    private static func name(of id: Int64) -> String { "\(id).part" }

    /// The names of finished files in the cache: no other file has such a name.
    static func finishedName(_ id: Int64) -> String { "taskhost-\(id).download" }

    /// Where the finished file will be.
    func finishedPath(_ id: Int64) -> String { cachePath + "/" + Self.finishedName(id) }

    /// Opens the unfinished file; a missing one is made.
    func open(_ id: Int64) throws(SystemError) -> Descriptor {
        try FileSystem.makeFile(at: folder, Self.name(of: id), mode: 0o600, naming: path + "/" + Self.name(of: id))
    }

    /// A duplicate of the folder's descriptor, for making its entries durable.
    func duplicate() throws(SystemError) -> Descriptor { try folder.duplicate() }

    /// Bytes of the unfinished file; 0: there is none.
    func size(of id: Int64) -> Int64 {
        guard let facts = try? FileSystem.facts(at: folder, Self.name(of: id)), facts.isFile else { return 0 }
        return Int64(clamping: facts.size)
    }

    /// The transfers that have an unfinished file here.
    func parts() throws(SystemError) -> [Int64] {
        try FileSystem.names(in: folder, naming: path).compactMap { name in
            name.hasSuffix(".part") ? Int64(name.dropLast(5)) : nil
        }
    }

    func contains(_ id: Int64) -> Bool { ((try? FileSystem.facts(at: folder, Self.name(of: id))) ?? nil) != nil }

    func remove(_ id: Int64) { try? FileSystem.remove(at: folder, Self.name(of: id)) }

    /// Continues with the file of another transfer.
    func adopt(_ other: Int64, as id: Int64) throws(SystemError) {
        try named(path + "/" + Self.name(of: other)) { () throws(SystemError) in
            try FileSystem.rename(at: folder, Self.name(of: other), to: Self.name(of: id), in: folder)
        }
    }

    /// Gives the file to the application's user, to whose quota it counts.
    ///
    /// - Throws: EDQUOT where that is more than it may have.
    func give(_ id: Int64) throws(SystemError) {
        guard identity.kind != .host else { return }
        let name = Self.name(of: id)
        try named(path + "/" + name) { () throws(SystemError) in
            try FileSystem.changeOwner(at: folder, name, user: identity.user, group: identity.group)
        }
        // Without projects, the cache has none.
        guard let project = (try? ProjectQuotas.membership(of: cache.number))?.project, project != 0 else { return }
        let file = try FileSystem.open(at: folder, name, [.O_RDWR, .O_NOFOLLOW], naming: path + "/" + name)
        try ProjectQuotas.set(.init(project: project, isInherited: false), of: file.number)
    }

    /// Moves the file to where the application finds it. A second call finds it done.
    ///
    /// - Throws: EEXIST where the application keeps the place taken.
    func publish(_ id: Int64) throws(SystemError) {
        let (name, finished) = (Self.name(of: id), Self.finishedName(id))
        for attempt in 0...Self.obstacles {
            do throws(SystemError) {
                return try FileSystem.renameNew(at: folder, name, to: finished, in: cache)
            } catch {
                // It was moved before, and the application may have taken it since.
                if error.code == .ENOENT { return }
                guard error.code == .EEXIST, attempt < Self.obstacles else {
                    throw SystemError(error.call, code: error.code, object: path + "/" + name)
                }
            }
            // An existing file has this id and is older than the record's; or it is an obstacle, such as a folder.
            if (try? FileSystem.remove(at: cache, finished)) == nil {
                try? FileSystem.renameNew(at: cache, finished, to: "\(finished).\(attempt + 1)", in: cache)
            }
        }
    }

    /// How often an obstacle in a finished file's place is moved aside.
    private static let obstacles = 8
}
