import CLinux
import Glibc

/// The entries of an open folder, one after the other, by their names' bytes, which need be no text. Without `.` and `..`.
package struct FolderEntries: ~Copyable {
    /// What an entry is, as far as the folder says.
    package enum Kind: Sendable {
        case file, folder, other
        /// The file system does not say.
        case unknown
    }

    private let stream: OpaquePointer

    /// - Parameter folder: `O_PATH` will do.
    package init(of folder: borrowing Descriptor) throws(SystemError) {
        let number = try check(clinux_openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), "open")
        guard let stream = fdopendir(number) else {
            let code = errno
            _ = close(number)
            throw SystemError("fdopendir", code: code)
        }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// nil: those were all, or the folder cannot be read any further (readdir(3)).
    package mutating func next() -> (name: [UInt8], kind: Kind)? {
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            let kind: Kind =
                switch Int(entry.pointee.d_type) {
                case Int(DT_REG): .file
                case Int(DT_DIR): .folder
                case Int(DT_UNKNOWN): .unknown
                default: .other
                }
            return (name, kind)
        }
        return nil
    }

    /// Of what an entry is itself; nil: it is gone again.
    package borrowing func facts(of name: [UInt8]) -> FileSystem.Facts? {
        var facts = stat()
        let result = (name + [0]).withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return start.map { fstatat(dirfd(stream), $0, &facts, AT_SYMLINK_NOFOLLOW) } ?? -1
        }
        return result == 0 ? FileSystem.Facts(facts) : nil
    }
}
