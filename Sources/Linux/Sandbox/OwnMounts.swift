import CLinux
import Glibc

/// Mounts that a process has for itself, and its children: other processes see none of them. Each call requires CAP_SYS_ADMIN.
/// *Thread*: for a process with one thread.
package enum OwnMounts {
    /// This process is root and has CAP_SYS_ADMIN.
    package static var areAllowed: Bool {
        let effective = (ProcessFields(of: "self")?["CapEff"]).flatMap { UInt64($0, radix: 16) } ?? 0
        return ThisProcess.isRoot && effective & 1 << 21 != 0
    }

    /// What is mounted from now on is seen by this process alone; what the machine mounts later comes in.
    package static func begin() throws(SystemError) { try check(clinux_own_mounts(), "unshare(CLONE_NEWNS)") }

    /// An empty file system in memory, for one user (tmpfs(5)).
    ///
    /// - Parameter size: bytes; nil: half of the machine's memory.
    package static func memory(at place: String, size: UInt64?, user: UInt32, group: UInt32) throws(SystemError) {
        let options = "mode=0700,uid=\(user),gid=\(group)" + (size.map { ",size=\($0)" } ?? "")
        try unsafe check(clinux_mount_memory(place, options), "mount", place)
    }

    /// Whoever opens `place` reads these bytes, and cannot write them unless he is root.
    ///
    /// - Parameter folder: on a file system of this process's own; nothing stays there.
    package static func replace(_ place: String, by bytes: [UInt8], in folder: String) throws(SystemError) {
        let path = folder + "/.replaced"
        let file = try Descriptor.open(path, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: 0o644)
        defer { try? FileSystem.remove(path) }
        try FileSystem.write(bytes, to: file, naming: path)
        // Whatever this process's mask is.
        if fchmod(file.number, 0o644) != 0 { throw SystemError("fchmod", code: errno, object: path) }
        try unsafe check(clinux_bind_file(path, place), "mount", place)
    }
}
