import CLinux
import Glibc

// Names of files: by path, and single ones in open folders.
extension FileSystem {
    /// The first folder above a file that users other than its owner and group cannot enter; nil: they can enter all.
    package static func closedFolder(onWayTo path: String) throws(SystemError) -> String? {
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/" + name
            guard try facts(ofPath: folder).mode & 0o001 != 0 else { return folder }
        }
        return nil
    }

    /// Opens `name` in an open folder (`O_PATH` will do), with `O_CLOEXEC`.
    package static func open(
        at folder: borrowing Descriptor, _ name: String, _ flags: OpenFlags, naming path: String
    ) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_openat(folder.number, name, flags.rawValue, 0), "open", path))
    }

    /// The same for a path of several parts, none of which leads out of the folder: `EXDEV` or `ELOOP` for one that does.
    package static func open(
        beneath folder: borrowing Descriptor, _ path: String, _ flags: OpenFlags
    ) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_open_beneath(folder.number, path, flags.rawValue), "open", path))
    }

    /// Opens a regular file for reading with the rights of `user` and its group alone; 0: with this process's. No link is
    /// followed on the way.
    ///
    /// - Parameters:
    ///   - root: absolute and its real place.
    ///   - path: relative to `root`; empty: `root` is the file.
    package static func open(
        as user: UInt32, _ group: UInt32, in root: String, _ path: String
    ) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_open_as(user, group, root, path), "open", path))
    }

    /// What this process may do with a file, by its real user's rights (access(2)).
    package enum Access: Sendable {
        case exists, read, write, execute
    }

    package static func allows(_ access: Access, to path: String) -> Bool {
        unsafe Glibc.access(path, access.mode) == 0
    }

    /// Whether there is something of that name in an open folder (`O_PATH` will do).
    package static func exists(at folder: borrowing Descriptor, _ name: String) -> Bool {
        unsafe faccessat(folder.number, name, F_OK, 0) == 0
    }

    /// Removes a name that is not a folder's.
    package static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 else { throw SystemError("unlink", code: errno, object: path) }
    }

    package static func remove(at folder: borrowing Descriptor, _ name: String) throws(SystemError) {
        guard unsafe unlinkat(folder.number, name, 0) == 0 else {
            throw SystemError("unlink", code: errno, object: name)
        }
    }

    /// Removes an empty folder.
    package static func removeFolder(_ path: String) throws(SystemError) {
        guard unsafe rmdir(path) == 0 else { throw SystemError("rmdir", code: errno, object: path) }
    }

    /// What had the name `to` goes.
    package static func rename(_ path: String, to new: String) throws(SystemError) {
        guard unsafe Glibc.rename(path, new) == 0 else { throw SystemError("rename", code: errno, object: new) }
    }

    /// The same for names in open folders.
    package static func rename(
        at folder: borrowing Descriptor, _ name: String, to new: String, in place: borrowing Descriptor
    ) throws(SystemError) {
        guard unsafe renameat(folder.number, name, place.number, new) == 0 else {
            throw SystemError("rename", code: errno, object: name)
        }
    }

    /// The same; `EEXIST` when something has the new name.
    package static func renameNew(
        at folder: borrowing Descriptor, _ name: String, to new: String, in place: borrowing Descriptor
    ) throws(SystemError) {
        try unsafe check(clinux_rename_new(folder.number, name, place.number, new), "rename", name)
    }

    /// A second name of a file; `EEXIST` when something has it.
    package static func link(_ path: String, as new: String) throws(SystemError) {
        guard unsafe Glibc.link(path, new) == 0 else { throw SystemError("link", code: errno, object: new) }
    }

    package static func makeSymbolicLink(_ path: String, to target: String) throws(SystemError) {
        guard unsafe symlink(target, path) == 0 else { throw SystemError("symlink", code: errno, object: path) }
    }

    /// Makes one folder; `EEXIST` when something has its name.
    package static func makeNewFolder(_ path: String, mode: UInt32) throws(SystemError) {
        guard unsafe mkdir(path, mode) == 0 else { throw SystemError("mkdir", code: errno, object: path) }
    }

    /// Without following a link.
    package static func changeOwner(
        at folder: borrowing Descriptor, _ name: String, user: UInt32, group: UInt32
    ) throws(SystemError) {
        guard unsafe fchownat(folder.number, name, user, group, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemError("chown", code: errno, object: name)
        }
    }
}

extension FileSystem.Access {
    fileprivate var mode: Int32 {
        switch self {
        case .exists: F_OK
        case .read: R_OK
        case .write: W_OK
        case .execute: X_OK
        }
    }
}
