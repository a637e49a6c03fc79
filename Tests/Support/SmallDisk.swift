import CLinux
import Foundation
import Glibc

/// A separate file system of some MiB, which may be filled without harm: a tmpfs. Unmounted with its last reference.
package final class SmallDisk: Sendable {
    package let folder: Folder
    package var path: String { folder.path }

    /// Only root may mount.
    package static let isPossible: Bool = (try? SmallDisk(bytes: 1 << 20)) != nil

    /// - Parameter entries: files and folders that it can have.
    package init(bytes: Int, entries: Int = 100_000) throws {
        folder = try Folder(mode: 0o755)
        let options = "size=\(bytes),nr_inodes=\(entries),mode=0755"
        guard mount("taskhost-test", folder.path, "tmpfs", 0, options) == 0 else {
            throw Problem("mount: \(String(cString: strerror(errno)))")
        }
    }

    deinit { _ = umount2(folder.path, CInt(MNT_DETACH)) }

    /// Takes all room that is left.
    package func fill(_ name: String = "filling") throws {
        let file = open(folder.file(name).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Problem("open: \(errno)") }
        defer { close(file) }
        for size in [1 << 16, 1 << 12, 1] {
            let bytes = [UInt8](repeating: 0xA5, count: size)
            while write(file, bytes, size) == size {}
        }
    }

    /// Takes all entries that are left, and no room: no more files can be made.
    ///
    /// - Returns: the path of the folder that has them.
    package func fillEntries() throws -> String {
        let many = folder.file("entries")
        try FileManager.default.createDirectory(at: many, withIntermediateDirectories: true)
        var count = 0
        while true {
            let file = open(many.appending(path: "\(count)").path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { return many.path }
            close(file)
            count += 1
        }
    }

    /// Bytes that are free.
    package var free: Int {
        var facts = statvfs()
        guard statvfs(folder.path, &facts) == 0 else { return 0 }
        return Int(facts.f_bavail) * Int(facts.f_frsize)
    }
}
