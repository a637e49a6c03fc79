import CLinux
import Glibc

/// The disk usage of a folder that another process writes to.
package struct FolderWeight {
    /// Entries read before the folder counts as full.
    package static let mostEntries = 100_000
    /// Folders within folders; each takes a descriptor.
    private static let deepest = 64

    /// Bytes of all files and folders, as the disk counts them.
    package private(set) var bytes: UInt64 = 0
    private var left: Int
    private let gift: ProjectGift?
    /// Why the transfer of ownership was incomplete; nil: it was complete for all added folders.
    package private(set) var fault: SystemError?

    /// - Parameters:
    ///   - entries: how many it reads, in all folders together.
    ///   - gift: the project that gets the files; nil: they are only measured.
    package init(entries: Int = mostEntries, gift: ProjectGift? = nil) {
        left = entries
        self.gift = gift
    }

    /// Adds a folder with all that is in it. Follows no link and stays on its file system. A folder that is not there weighs
    /// nothing.
    ///
    /// - Returns: false when it has too many entries or levels: its size is unknown. Also when it, or its contents, could
    ///   not be given to the project.
    package mutating func add(_ path: String) -> Bool {
        let folder = unsafe clinux_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard folder >= 0 else { return folder == -ENOENT }
        var facts = stat()
        guard unsafe fstat(folder, &facts) == 0 else {
            close(folder)
            return false
        }
        bytes += UInt64(facts.st_blocks) * 512
        guard give(folder) else {
            close(folder)
            return fault == nil
        }
        return add(contentsOf: folder, device: facts.st_dev, depth: 0)
    }

    /// Takes over the descriptor.
    private mutating func add(contentsOf folder: Int32, device: dev_t, depth: Int) -> Bool {
        guard depth < Self.deepest, let stream = unsafe fdopendir(folder) else {
            close(folder)
            return false
        }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            // The name's bytes as they are: they need not be text.
            let isWithin = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe add($0, in: folder, device, depth)
                }
            }
            guard isWithin else { return false }
        }
        return true
    }

    private mutating func add(_ name: UnsafePointer<CChar>, in folder: Int32, _ device: dev_t, _ depth: Int) -> Bool {
        if unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return true }
        left -= 1
        guard left >= 0 else { return false }
        var facts = stat()
        // Removed, or closed by its owner: the rest counts.
        guard unsafe fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
        bytes += UInt64(facts.st_blocks) * 512
        guard facts.st_dev == device, unsafe give(name, in: folder, facts) else { return fault == nil }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return true }
        let inner = unsafe clinux_openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        // Unreadable for a host that is not root: an unknown size counts as too much. It may have been removed.
        guard inner >= 0 else { return inner != -EACCES && inner != -EMFILE }
        guard gift?.isOurs(facts) != false, give(inner) else {
            close(inner)
            return fault == nil
        }
        return add(contentsOf: inner, device: device, depth: depth + 1)
    }

    // MARK: Giving

    /// False: the folder was not given to the project, so its contents are not either.
    private mutating func give(_ folder: Int32) -> Bool {
        guard let gift else { return true }
        do throws(SystemError) {
            return try gift.give(folder, isFolder: true)
        } catch {
            fault = error
            return false
        }
    }

    private mutating func give(_ name: UnsafePointer<CChar>, in folder: Int32, _ facts: stat) -> Bool {
        guard let gift else { return true }
        do throws(SystemError) {
            try unsafe gift.give(name, in: folder, facts)
            return true
        } catch {
            fault = error
            return false
        }
    }
}
