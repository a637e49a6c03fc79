import Linux

/// Locks on files that processes hold (flock(2), fcntl(2)).
package enum FileLocks {
    /// The whole table of locks of the machine, whose size other users decide.
    private static let mostTable = 1 << 20

    /// Whether one of the frozen processes has a lock on a file outside of the folders. The folders themselves are inside.
    ///
    /// Whether a process's descriptors can be looked at (`/proc/PID/fdinfo`, proc(5)), the kernel decides: workers hide theirs from
    /// all but root. The table of all locks (`/proc/locks`) names the process to everybody, except for locks of open files
    /// (`F_OFD_SETLK`), which belong to no process.
    package static func areHeld(by processes: [Int32], outside folders: [String]) -> Bool {
        let own = OwnFolders(folders)
        var hidden: Set<Int32> = []
        for process in processes {
            guard let paths = lockedPaths(of: process) else {
                hidden.insert(process)
                continue
            }
            if paths.contains(where: { !own.contain($0) }) { return true }
        }
        guard !hidden.isEmpty, let table = try? FileText.read("/proc/locks", limit: mostTable) else { return false }
        return table.split(separator: "\n").compactMap { FileLock($0) }.contains {
            hidden.contains($0.process) && !own.mayContain($0.inode)
        }
    }

    /// What the process has locked; nil: it is not shown.
    private static func lockedPaths(of process: Int32) -> [String]? {
        let numbers: [String]
        do throws(SystemError) {
            numbers = try FileSystem.names(in: "/proc/\(process)/fdinfo")
        } catch {
            return error.code == .EACCES || error.code == .EPERM ? nil : []
        }
        var paths: [String] = []
        for number in numbers {
            do throws(SystemError) {
                let text = try FileText.read("/proc/\(process)/fdinfo/\(number)")
                guard text.split(separator: "\n").contains(where: { $0.hasPrefix("lock:") && !$0.contains("LEASE") })
                else {
                    continue
                }
            } catch {
                if error.code == .EACCES || error.code == .EPERM { return nil }
                continue
            }
            if let path = FileSystem.linkTarget(ofPath: "/proc/\(process)/fd/\(number)"), path.hasPrefix("/") {
                paths.append(path)
            }
        }
        return paths
    }
}

/// A line of `/proc/locks`: a lock that a process has.
package struct FileLock: Equatable {
    package let process: Int32
    package let inode: UInt64

    /// - Parameter line: such as `2: POSIX  ADVISORY  WRITE 9191 fe:00:16343379 0 EOF`; nil: a lease, one that is waited for
    ///   (`->`), or one of an open file.
    package init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[1] == "POSIX" || words[1] == "FLOCK", let process = Int32(words[4]), process > 0,
            let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
        else { return nil }
        self.process = process
        self.inode = inode
    }
}

/// An application's own folders, known by device and inode: a path may lead to them in many ways.
private struct OwnFolders {
    private struct Place: Hashable {
        var device: UInt64
        var inode: UInt64

        init?(_ path: String) {
            guard let facts = try? FileSystem.followedFacts(of: path) else { return nil }
            (device, inode) = (facts.device, facts.inode)
        }
    }

    /// Entries that are looked at for a file of unknown path; beyond these it counts as own.
    private static let mostEntries = 4096

    private let folders: [String]
    private let places: Set<Place>

    init(_ folders: [String]) {
        self.folders = folders
        places = Set(folders.compactMap { Place($0) })
    }

    /// Whether it is one of them, or below one.
    func contain(_ path: String) -> Bool {
        var path = path[...]
        while !path.isEmpty {
            if let place = Place(String(path)), places.contains(place) { return true }
            guard let slash = path.lastIndex(of: "/") else { return false }
            path = path[..<slash]
        }
        return false
    }

    /// Whether it is one of them, or below one, as far as can be seen.
    func mayContain(_ inode: UInt64) -> Bool {
        if places.contains(where: { $0.inode == inode }) { return true }
        var left = Self.mostEntries
        var waiting = folders
        while let folder = waiting.popLast() {
            guard let entries = try? FolderEntries(folder) else { continue }
            while let entry = entries.next() {
                if entries.inode == inode { return true }
                left -= 1
                guard left > 0 else { return true }
                if entry.kind == .folder { waiting.append(folder + "/" + String(decoding: entry.name, as: UTF8.self)) }
            }
        }
        return false
    }
}
