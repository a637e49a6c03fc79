import CLinux
import Glibc

/// The entries of an open folder, one after another, by their names' bytes, which need not be text. Without `.` and `..`.
@safe package final class FolderEntries {
    /// The kind of an entry, according to the folder.
    package enum Kind: Sendable {
        case file, folder, other
        /// The file system does not report it.
        case unknown
    }

    private let stream: OpaquePointer
    /// Why `next` gave nil before the end; nil: it did not.
    private(set) var fault: Errno?
    /// Of the entry that `next` gave.
    package private(set) var inode: UInt64 = 0

    package convenience init(_ path: String) throws(SystemError) {
        try self.init(at: AT_FDCWD, path, naming: path)
    }

    /// - Parameter folder: `O_PATH` will do.
    package convenience init(of folder: borrowing Descriptor) throws(SystemError) {
        try self.init(at: folder.number, ".")
    }

    private init(at place: Int32, _ name: String, naming path: String = "") throws(SystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let number = try unsafe check(clinux_openat(place, name, flags, 0), "open", path)
        guard let stream = unsafe fdopendir(number) else {
            let code = errno
            _ = close(number)
            throw SystemError("fdopendir", code: code, object: path)
        }
        unsafe self.stream = stream
    }

    deinit { unsafe closedir(stream) }

    /// nil: those were all, or the folder cannot be read any further.
    package func next() -> (name: [UInt8], kind: Kind)? {
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                // An error looks like the end (readdir(3)).
                fault = errno == 0 ? nil : Errno(errno)
                return nil
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            inode = unsafe UInt64(entry.pointee.d_ino)
            let kind: Kind =
                switch unsafe Int(entry.pointee.d_type) {
                case Int(DT_REG): .file
                case Int(DT_DIR): .folder
                case Int(DT_UNKNOWN): .unknown
                default: .other
                }
            return (name, kind)
        }
    }

    /// The next names, `count` at most, in no order; none: those were all, or the folder cannot be read any further.
    package func names(_ count: Int) -> [String] {
        var names: [String] = []
        while names.count < count, let entry = next() { names.append(String(decoding: entry.name, as: UTF8.self)) }
        return names
    }

    /// All that is left, in no order.
    func all(naming path: String) throws(SystemError) -> [(name: String, kind: Kind)] {
        var entries: [(String, Kind)] = []
        while let (name, kind) = next() { entries.append((String(decoding: name, as: UTF8.self), kind)) }
        if let fault { throw SystemError("readdir", code: fault, object: path) }
        return entries
    }

    /// The facts of an entry itself; nil: it no longer exists.
    package func facts(of name: [UInt8]) -> FileSystem.Facts? {
        var facts = stat()
        let result = unsafe (name + [0]).withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe start.map { unsafe fstatat(dirfd(stream), $0, &facts, AT_SYMLINK_NOFOLLOW) } ?? -1
        }
        return result == 0 ? FileSystem.Facts(facts) : nil
    }
}
