import CLinux
import Glibc

/// Facts about files, and the few operations that the host needs.
package enum FileSystem {
    package struct Facts: Sendable, Equatable {
        package var device: UInt64
        package var inode: UInt64
        package var size: UInt64
        /// When its content was written last, in nanoseconds since 1970.
        package var modified: Int64
        /// When it changed in any way: nobody can set that.
        package var changed: Int64
        package var mode: UInt32
        package var user: UInt32
        package var group: UInt32

        package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
        package var isFile: Bool { mode & S_IFMT == S_IFREG }
        package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
        package var isLink: Bool { mode & S_IFMT == S_IFLNK }
        /// Only its owner, and the folder's, may take a name out of it.
        package var isSticky: Bool { mode & S_ISVTX != 0 }
        /// Group or others may write it.
        package var isWritableByOthers: Bool { mode & 0o022 != 0 }

        init(_ s: clinux_stat_t) {
            device = s.device
            inode = s.inode
            size = s.size
            modified = s.modified_ns
            changed = s.changed_ns
            mode = s.mode
            user = s.uid
            group = s.gid
        }
    }

    package static func facts(of descriptor: borrowing Descriptor) throws(SystemError) -> Facts {
        var s = clinux_stat_t()
        try check(clinux_fstat(descriptor.number, &s), "fstat")
        return Facts(s)
    }

    /// Without following a last link.
    package static func facts(ofPath path: String) throws(SystemError) -> Facts {
        var s = clinux_stat_t()
        try check(clinux_lstat(path, &s), "lstat", path)
        return Facts(s)
    }

    /// The whole content, `EFBIG` when it is longer than `limit`.
    package static func read(_ descriptor: borrowing Descriptor, limit: Int, naming path: String) throws(SystemError)
        -> [UInt8]
    {
        // One byte more than the file has at present: its end shows with the first read of most files.
        var room = Int(clamping: try facts(of: descriptor).size) + 1
        var content: [UInt8] = []
        while true {
            room = min(max(room, 4096), 1 << 20, limit + 1 - content.count)
            var code: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let n = Glibc.read(descriptor.number, buffer.baseAddress, room)
                code = n < 0 ? errno : 0
                count = max(0, n)
            }
            if code == EINTR { continue }
            // `EBADF` may be the answer for a standard input that is open for writing alone.
            guard code == 0 else { throw SystemError("read", code: Errno(code), object: path) }
            if part.isEmpty { return content }
            if content.isEmpty { content = part } else { content += part }
            if content.count > limit { throw SystemError("read", code: EFBIG, object: path) }
        }
    }

    /// Makes the folder and those above it; one that exists is no error.
    package static func makeFolders(_ path: String, mode: UInt32) throws(SystemError) {
        var partial = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            partial += "/" + component
            if mkdir(partial, mode) < 0 && errno != EEXIST && errno != EROFS {
                throw SystemError("mkdir", code: errno, object: partial)
            }
        }
        let facts = try followedFacts(of: path)
        guard facts.isFolder else { throw SystemError("mkdir", code: ENOTDIR, object: path) }
    }

    static let pathOnly = OpenFlags.O_PATH.rawValue

    /// With links followed.
    package static func followedFacts(of path: String) throws(SystemError) -> Facts {
        try facts(of: try Descriptor.open(path, .O_PATH))
    }

    package static func changeMode(_ path: String, _ mode: UInt32) throws(SystemError) {
        guard chmod(path, mode) == 0 else { throw SystemError("chmod", code: errno, object: path) }
    }

    /// Without following a last link.
    package static func changeOwner(_ path: String, user: UInt32, group: UInt32) throws(SystemError) {
        guard lchown(path, user, group) == 0 else { throw SystemError("chown", code: errno, object: path) }
    }

    /// The absolute path without links; nil when it leads nowhere.
    package static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Names in a folder, sorted, without `.` and `..`.
    package static func names(in path: String) throws(SystemError) -> [String] {
        let folder = try Descriptor.open(path, [.O_RDONLY, .O_DIRECTORY])
        return try entries(of: folder, naming: path).map(\.name).sorted()
    }

    /// Writes all bytes to an open file.
    package static func write(_ bytes: [UInt8], to file: borrowing Descriptor, naming path: String) throws(SystemError)
    {
        var offset = 0
        while offset < bytes.count {
            // errno is read inside the closure: nothing may run between the call and it.
            let (count, code) = bytes.withUnsafeBytes { buffer in
                (Glibc.write(file.number, buffer.baseAddress.map { $0 + offset }, buffer.count - offset), errno)
            }
            if count < 0 && code == EINTR { continue }
            guard count >= 0 else { throw SystemError("write", code: code, object: path) }
            offset += count
        }
    }
}
