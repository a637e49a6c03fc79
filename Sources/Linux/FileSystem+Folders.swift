import CLinux
import Glibc

// Folders through descriptors (`O_PATH` will do) and single names in them: no link is ever followed.
extension FileSystem {
    /// Opens the folder `name` in an open folder, as a place.
    ///
    /// - Throws: `ENOTDIR` for a link and everything else that is not a folder.
    package static func openFolder(
        at folder: borrowing Descriptor, _ name: String, naming path: String
    ) throws(SystemError) -> Descriptor {
        unsafe Descriptor(
            adopting: try check(
                clinux_openat(folder.number, name, pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0), "open", path))
    }

    /// Opens the folder `name` in an open folder; one that is missing is made, with exactly that mode. The mode of one that
    /// was there stays.
    package static func makeFolder(
        at folder: borrowing Descriptor, _ name: String, mode: UInt32, naming path: String
    ) throws(SystemError) -> Descriptor {
        if unsafe mkdirat(folder.number, name, unfinishedMode) != 0 && errno != EEXIST {
            throw SystemError("mkdir", code: errno, object: path)
        }
        let made = try openFolder(at: folder, name, naming: path)
        try finish(made, mode: mode, naming: path)
        return made
    }

    /// A folder's mode between its creation and its final mode, regardless of the umask: a creator that fails between the
    /// two leaves it to be finished the next time. Such a folder is useless to others.
    static let unfinishedMode: UInt32 = 0o100

    /// Gives a folder its mode, if that was not yet done since it was made.
    static func finish(_ folder: borrowing Descriptor, mode: UInt32, naming path: String) throws(SystemError) {
        if try facts(of: folder).mode & 0o777 == unfinishedMode { try changeMode(of: folder, mode, naming: path) }
    }

    /// Opens the regular file `name` in an open folder for reading and writing; one that is missing is made.
    ///
    /// - Throws: `ELOOP` for a link, `EINVAL` for anything but a regular file: it does not wait for the other end of a
    ///   FIFO.
    package static func makeFile(
        at folder: borrowing Descriptor, _ name: String, mode: UInt32, naming path: String
    ) throws(SystemError) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = unsafe Descriptor(adopting: try check(clinux_openat(folder.number, name, flags, mode), "open", path))
        guard try facts(of: file).isFile else { throw SystemError("open", code: EINVAL, object: path) }
        return file
    }

    /// Of what `name` in an open folder is itself; nil when there is nothing.
    package static func facts(at folder: borrowing Descriptor, _ name: String) throws(SystemError) -> Facts? {
        let number = unsafe clinux_openat(folder.number, name, pathOnly | O_NOFOLLOW | O_CLOEXEC, 0)
        if number == -ENOENT { return nil }
        return try facts(of: Descriptor(adopting: try check(number, "open", name)))
    }

    package static func changeMode(
        of folder: borrowing Descriptor, _ mode: UInt32, naming path: String
    ) throws(SystemError) {
        // fchmod(2) takes no descriptor of O_PATH; the folder's own name in itself is the same.
        guard unsafe fchmodat(folder.number, ".", mode, 0) == 0 else {
            throw SystemError("chmod", code: errno, object: path)
        }
    }

    package static func changeOwner(
        of folder: borrowing Descriptor, user: UInt32, group: UInt32, naming path: String
    ) throws(SystemError) {
        guard unsafe fchownat(folder.number, ".", user, group, 0) == 0 else {
            throw SystemError("chown", code: errno, object: path)
        }
    }

    /// Names in an open folder, in no order.
    package static func names(in folder: borrowing Descriptor, naming path: String) throws(SystemError) -> [String] {
        try FolderEntries(of: folder).all(naming: path).map(\.name)
    }

    /// The target of a link, as written; nil: there is no link.
    package static func linkTarget(ofPath path: String) -> String? {
        guard let link = try? Descriptor.open(path, [.O_PATH, .O_NOFOLLOW]) else { return nil }
        return try? linkText(of: link, naming: path)
    }

    /// The text of a link that was opened as a place (`O_PATH | O_NOFOLLOW`).
    static func linkText(of link: borrowing Descriptor, naming path: String) throws(SystemError) -> String {
        let number = link.number
        var code: Int32 = 0
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let base = buffer.baseAddress else { return nil }
            let length = unsafe readlinkat(number, "", base, buffer.count)
            code = errno
            return unsafe length < 0
                ? nil : String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        guard let text else { throw SystemError("readlink", code: code, object: path) }
        return text
    }
}
