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
        /// The time of the last change of any kind, which cannot be set.
        package var changed: Int64
        package var mode: UInt32
        package var user: UInt32
        package var group: UInt32
        /// How many names it has.
        package var links: UInt64

        package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
        package var isPipe: Bool { mode & S_IFMT == S_IFIFO }
        package var isFile: Bool { mode & S_IFMT == S_IFREG }
        package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
        package var isLink: Bool { mode & S_IFMT == S_IFLNK }
        /// Only its owner, and the folder's, may take a name out of it.
        package var isSticky: Bool { mode & S_ISVTX != 0 }
        /// Group or others may write it.
        package var isWritableByOthers: Bool { mode & 0o022 != 0 }
        /// All users may read it.
        package var isReadableByOthers: Bool { mode & 0o004 != 0 }

        init(_ facts: stat) {
            device = UInt64(facts.st_dev)
            inode = UInt64(facts.st_ino)
            size = UInt64(facts.st_size)
            modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
            changed = Int64(facts.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_ctim.tv_nsec)
            mode = facts.st_mode
            user = facts.st_uid
            group = facts.st_gid
            links = UInt64(facts.st_nlink)
        }
    }

    package static func facts(of descriptor: borrowing Descriptor) throws(SystemError) -> Facts {
        let number = descriptor.number
        var facts = stat()
        _ = try Descriptor.count("fstat") { unsafe Int(fstat(number, &facts)) }
        return Facts(facts)
    }

    /// Of a descriptor that is lent; nil: it is not open.
    package static func facts(lent number: Int32) -> Facts? {
        var facts = stat()
        return unsafe fstat(number, &facts) == 0 ? Facts(facts) : nil
    }

    /// Without following a last link.
    package static func facts(ofPath path: String) throws(SystemError) -> Facts {
        var facts = stat()
        _ = try Descriptor.count("lstat", path) { unsafe Int(lstat(path, &facts)) }
        return Facts(facts)
    }

    /// The same for a path that is looked at again and again: nothing is allocated for it.
    package static func facts(of path: KernelPath) throws(SystemError) -> Facts {
        var facts = stat()
        _ = try Descriptor.count("lstat", path.text) {
            unsafe path.bytes.withUnsafeBufferPointer { unsafe Int(lstat($0.baseAddress!, &facts)) }
        }
        return Facts(facts)
    }

    /// With links followed.
    package static func followedFacts(of path: String) throws(SystemError) -> Facts {
        var facts = stat()
        _ = try Descriptor.count("stat", path) { unsafe Int(stat(path, &facts)) }
        return Facts(facts)
    }

    /// The whole content, `EFBIG` when it is longer than `limit`.
    package static func read(_ descriptor: borrowing Descriptor, limit: Int, naming path: String) throws(SystemError)
        -> [UInt8]
    {
        let number = descriptor.number
        // One byte more than the file has at present: its end shows with the first read of most files.
        var room = Int(clamping: try facts(of: descriptor).size) + 1
        var content: [UInt8] = []
        while true {
            room = min(max(room, 4096), 1 << 20, limit + 1 - content.count)
            // `EBADF` may be the answer for a standard input that is open for writing alone.
            let part = try unsafe Descriptor.bytes("read", path, isOurs: false, most: room) {
                unsafe Glibc.read(number, $0, room)
            }
            if part.isEmpty { return content }
            if content.isEmpty { content = part } else { content += part }
            if content.count > limit { throw SystemError("read", code: EFBIG, object: path) }
        }
    }

    /// Creates the folder and those above it; an existing one is not an error.
    package static func makeFolders(_ path: String, mode: UInt32) throws(SystemError) {
        var partial = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            partial += "/" + component
            if unsafe mkdir(partial, mode) < 0 && errno != EEXIST && errno != EROFS {
                throw SystemError("mkdir", code: errno, object: partial)
            }
        }
        let facts = try followedFacts(of: path)
        guard facts.isFolder else { throw SystemError("mkdir", code: ENOTDIR, object: path) }
    }

    static let pathOnly = OpenFlags.O_PATH.rawValue

    package static func changeMode(_ path: String, _ mode: UInt32) throws(SystemError) {
        guard unsafe chmod(path, mode) == 0 else { throw SystemError("chmod", code: errno, object: path) }
    }

    /// Without following a last link.
    package static func changeOwner(_ path: String, user: UInt32, group: UInt32) throws(SystemError) {
        guard unsafe lchown(path, user, group) == 0 else { throw SystemError("chown", code: errno, object: path) }
    }

    /// The absolute path without links; nil when it leads nowhere.
    package static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Names in a folder, sorted, without `.` and `..`.
    package static func names(in path: String) throws(SystemError) -> [String] {
        try FolderEntries(path).all(naming: path).map(\.name).sorted()
    }

    /// Writes all bytes to an open file.
    package static func write(_ bytes: [UInt8], to file: borrowing Descriptor, naming path: String) throws(SystemError)
    {
        let number = file.number
        var offset = 0
        while offset < bytes.count {
            offset += try Descriptor.count("write", path) {
                unsafe bytes.withUnsafeBytes {
                    unsafe Glibc.write(number, $0.baseAddress.map { unsafe $0 + offset }, $0.count - offset)
                }
            }
        }
    }
}
