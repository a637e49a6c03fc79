package import Linux

/// One folder of a cgroup hierarchy, held open. Thread: one at a time.
package final class CgroupFolder {
    package let path: String
    package let hierarchy: Hierarchy
    private let folder: Descriptor
    private var members: Descriptor?

    /// Opens a folder that exists.
    package init(opening path: String, in hierarchy: Hierarchy) throws(SystemError) {
        folder = try Folder.open(path)
        self.path = path
        self.hierarchy = hierarchy
    }

    /// Makes a folder, or opens it when `reusing` and it exists already.
    convenience init(making path: String, in hierarchy: Hierarchy, reusing: Bool) throws(SystemError) {
        do throws(SystemError) {
            try FileSystem.makeNewFolder(path, mode: 0o755)
        } catch {
            guard reusing && error.code == .EEXIST else { throw error }
        }
        try self.init(opening: path, in: hierarchy)
    }

    /// `O_PATH`; stays ours.
    var descriptor: Int32 { folder.number }

    /// `cgroup.procs`, opened for writing once and kept: a process that writes `0` to it moves here. Stays ours.
    func placement() throws(SystemError) -> Int32 {
        if let number = members.number { return number }
        let file = try open("cgroup.procs", .O_WRONLY)
        let number = file.number
        members = consume file
        return number
    }

    func open(_ file: String, _ flags: OpenFlags) throws(SystemError) -> Descriptor {
        try FileText.open(at: descriptor, file, flags)
    }

    func read(_ file: String) throws(SystemError) -> String { try FileText.read(at: descriptor, file, limit: 1 << 20) }

    func write(_ text: String, to file: String) throws(SystemError) {
        do throws(SystemError) {
            try FileText.write(text, at: descriptor, file)
        } catch {
            throw SystemError(error.call, code: error.code, object: "\(path)/\(file)")
        }
    }

    func has(_ file: String) -> Bool { FileSystem.exists(at: folder, file) }

    /// Pids of the living processes in this very folder; zombies are not among them. Empty for a removed folder.
    func processes() -> [Int32] { CounterText.processes(in: (try? read("cgroup.procs")) ?? "") }

    /// True when the folder has been removed, by us or by another process.
    func remove() -> Bool {
        do throws(SystemError) {
            try FileSystem.removeFolder(path)
            return true
        } catch {
            return error.code == .ENOENT
        }
    }
}

extension [Hierarchy: CgroupFolder] {
    /// Each folder once, in the order of the hierarchies: several may share one.
    var unique: [CgroupFolder] {
        Hierarchy.allCases.compactMap { self[$0] }.reduce(into: []) { unique, folder in
            if !unique.contains(where: { $0 === folder }) { unique.append(folder) }
        }
    }
}
