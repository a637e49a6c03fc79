import CLinux
import Glibc

extension FileSystem {
    /// Folders within folders that `removeTree` goes down; each takes two descriptors.
    private static let deepestTree = 100

    /// Makes a new folder `prefix` + six random characters, open to others for passing through alone (0711).
    package static func makeTemporaryFolder(_ prefix: String) throws(SystemError) -> String {
        var template = Array((prefix + "XXXXXX").utf8CString)
        let code: Int32 = unsafe template.withUnsafeMutableBufferPointer { characters in
            guard let start = characters.baseAddress else { return EINVAL }
            return unsafe mkdtemp(start) == nil ? errno : 0
        }
        guard code == 0 else { throw SystemError("mkdtemp", code: code, object: prefix) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try changeMode(of: Folder.open(path), 0o711, naming: path)
        return path
    }

    /// Removes a folder with all that is in it, however deep. Links are removed, not followed.
    package static func removeTree(_ path: String) throws(SystemError) {
        let top = try Folder.open(path)
        var raised = 0
        // What lay too deep was raised to the top, and goes with the next round.
        repeat {
            let before = raised
            try empty(try top.duplicate(), of: top, raised: &raised, depth: 0, naming: path)
            if raised == before { break }
        } while true
        guard unsafe rmdir(path) == 0 else { throw SystemError("rmdir", code: errno, object: path) }
    }

    private static func empty(
        _ folder: consuming Descriptor, of top: borrowing Descriptor, raised: inout Int, depth: Int, naming path: String
    ) throws(SystemError) {
        // An O_PATH descriptor cannot be listed; a folder of ours that its owner closed to itself can be opened again.
        _ = unsafe fchmodat(folder.number, ".", 0o700, 0)
        let listed = unsafe Descriptor(
            adopting: try check(clinux_openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), "open", path))
        for (name, kind) in try FolderEntries(of: listed).all(naming: path) {
            let isFolder = kind == .folder
            if isFolder {
                let inner = unsafe Descriptor(
                    adopting: try check(
                        clinux_openat(listed.number, name, pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0), "open",
                        path + "/" + name))
                guard depth < deepestTree else {
                    // Moving a folder needs write access to it.
                    _ = unsafe fchmodat(inner.number, ".", 0o700, 0)
                    raised += 1
                    guard unsafe renameat(listed.number, name, top.number, "raised-\(raised)") == 0 else {
                        throw SystemError("rename", code: errno, object: path + "/" + name)
                    }
                    continue
                }
                try empty(inner, of: top, raised: &raised, depth: depth + 1, naming: path + "/" + name)
            }
            guard unsafe unlinkat(listed.number, name, isFolder ? AT_REMOVEDIR : 0) == 0 else {
                throw SystemError("unlink", code: errno, object: path + "/" + name)
            }
        }
    }
}
