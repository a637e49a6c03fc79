import CLinux
import Glibc

// Facts with one call each.
extension FileSystem {
    /// With links followed; nil: the path leads nowhere, or not for this process.
    package static func present(_ path: String) -> Facts? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Facts(facts) : nil
    }

    /// Of a descriptor that is lent; nil: it is not open.
    package static func facts(lent number: Int32) -> Facts? {
        var facts = stat()
        return fstat(number, &facts) == 0 ? Facts(facts) : nil
    }
}

extension FileSystem.Facts {
    init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
        size = UInt64(facts.st_size)
        modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
        changed = Int64(facts.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_ctim.tv_nsec)
        mode = facts.st_mode
        user = facts.st_uid
        group = facts.st_gid
    }
}
