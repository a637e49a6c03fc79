import CLinux
import Glibc

/// What a folder that somebody else writes holds on the disk.
package struct FolderWeight {
    /// Entries looked at before the folder counts as full.
    package static let mostEntries = 100_000
    /// Folders within folders; each takes a descriptor.
    private static let deepest = 64

    /// Bytes of all files and folders, as the disk counts them.
    package private(set) var bytes: UInt64 = 0
    private var left: Int
    private let gift: ProjectGift?
    /// Why the gift was not taken in full; nil: it was, as far as folders were added.
    package private(set) var fault: SystemError?

    /// - Parameters:
    ///   - entries: how many it looks at, of all folders together.
    ///   - gift: to whom what is weighed is given; nil: it is only looked at.
    package init(entries: Int = mostEntries, gift: ProjectGift? = nil) {
        left = entries
        self.gift = gift
    }

    /// Adds a folder with all that is in it. Follows no link and stays on its file system. A folder that is not there weighs
    /// nothing.
    ///
    /// - Returns: false when it has too many entries, or lies too deep: nobody can say what it holds. Also when it, or what
    ///   is in it, could not be given away.
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
        // Gone again, or closed by its owner: the rest counts.
        guard unsafe fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
        bytes += UInt64(facts.st_blocks) * 512
        guard facts.st_dev == device, unsafe give(name, in: folder, facts) else { return fault == nil }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return true }
        let inner = unsafe clinux_openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        // Closed to a host that is not root: what nobody can say counts as too much. It may have gone meanwhile.
        guard inner >= 0 else { return inner != -EACCES && inner != -EMFILE }
        guard gift?.isOurs(facts) != false, give(inner) else {
            close(inner)
            return fault == nil
        }
        return add(contentsOf: inner, device: device, depth: depth + 1)
    }

    // MARK: Giving

    /// False: the folder was not given, so that what is in it is not either.
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
